"""The messages of clients."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    "not_installed.online": ("Playing on a server needs {package}.", "pip install 'ninefold[online]'"),
    "refused": "The server refuses this ({status}).",
    "no_connection": ("The server at {server} cannot be reached.", "Check that it is running."),
    "no_connection.unsure": ("The server at {server} cannot be reached.", "Your last action may not have arrived."),
    "not_a_server.response": ("The response of {server} is not one of Ninefold's.", "Check the address."),
    "not_a_server.too_large": ("The response of {server} is larger than {most} MiB.", "Check the address."),
    "not_a_server.socket": ("The server's messages are not those of Ninefold.", "Check the address."),
    "not_a_server.address": ("{text} is not the address of a server.", "It looks like http://host:8090."),
    "not_a_link": ("{text} is not a link to a match.", "A link looks like {example}."),
    "not_a_link.secret": ("In {text}, the part behind the # cannot be read.", "A link looks like {example}."),
    "link.to_watch": "http://host/m/ID, and for a private match http://host/m/ID#watch=SECRET",
    "another_server": ("This link leads to {server}.", "This client is connected to {client}."),
    "only_watching": ("You are watching.", "Only players can do this."),
    "only_watching.link": ("This link is for watching.", "Ask for an invitation."),
    "moved": ("Your seat was moved to another device.", "Continue there."),
    "not_yours": "You cannot act for your opponent.",
    "stale_version.meanwhile": ("Something happened in the meantime.", "Look at the game again."),
    "not_a_move.number": ("There is no such move.", "Moves are numbers from 0 to {most}."),
}
