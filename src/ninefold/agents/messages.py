"""The words of the agents' layer: tools, evaluation runs and the commands that start them.

Descriptions of tools and prompts are documents for models: they are in tools.py, prompts.py and evaluation/prompt.py.
"""

from ninefold.core.messages import Template

_WHOLE_KEY = "Send the whole seat that create_match or join returned."

ENGLISH: dict[str, Template] = {
    # Calls of tools that are refused.
    "not_a_seat": ("This is not a seat.", _WHOLE_KEY),
    "not_a_seat.spectator": ("This is not a seat: with the id of a match you can only watch.", _WHOLE_KEY),
    "bad_token.tool": ("This match does not know this seat.", _WHOLE_KEY),
    "no_such_match.tool": ("There is no such seat, and no public match with this id.", _WHOLE_KEY),
    "guessable_request.tool": (
        "This request is too short: whoever guesses it gets the seat.",
        "Use 16 to 64 random letters and digits.",
    ),
    "request_reused.under_way": ("This request was used for a match that is under way.", "Make a new one."),
    "no_link": ("A link or the id of a match is missing.", "Ask your opponent for an invitation."),
    "nobody_else": (
        "Nobody else can join: there is no server.",
        "Play against a level of the computer, or start ninefold mcp with --server.",
    ),
    "wrong_field.required": ("{errors}", "{tool} needs {required}."),
    "wrong_field.optional": ("{errors}", "{tool} needs {required}, and may have {optional}."),
    "field.missing": "{field} is missing.",
    "field.string_type": "{field} has to be text.",
    "field.int_type": "{field} has to be a whole number.",
    "field.int_from_float": "{field} has to be a whole number.",
    "field.bool_type": "{field} has to be true or false.",
    "field.bool_parsing": "{field} has to be true or false.",
    "field.list_type": "{field} has to be a list.",
    "field.dict_type": "{field} has to be an object.",
    "field.string_too_long": "{field} has more than {max_length} characters.",
    "field.too_long": "{field} has more than {max_length} parts.",
    "field.greater_than_equal": "{field} is less than {ge}.",
    "field.less_than_equal": "{field} is more than {le}.",
    "field.literal_error": "{field} has to be {expected}.",
    "field.string_pattern_mismatch": "{field} has to be 1 to 64 letters, digits and . _ : -",  # only requests have one
    "field.other": "{field} cannot be read.",
    # Requests of the protocol that are refused.
    "no_such_tool": "There is no such tool. Tools: {tools}.",
    "no_such_prompt": "There is no such prompt. Prompts: {prompts}.",
    "no_such_resource": "There is no such resource. See the templates of this server.",
    "no_such_resource.match": (
        "There is no such match here. A private match has no address: read it with your seat, by the tool board."
    ),
    "too_many_subscriptions": "A client can subscribe to at most {most} matches.",
    "come_back.subscriptions": "The matches cannot be reached right now.",
    # The state of a match, for the agent that has called a tool.
    "tool.over": "The game is over. {result}",
    "tool.open": "The other seat is open. Send the invitation, then wait.",
    "tool.move": "It is your move; you are {side}.",
    "tool.wait": "It is {side}'s move. Wait.",
    "tool.answer_claim": "{side} claims {cells}. Check it; then confirm or dispute.",
    "tool.claim_pending": "Your claim is waiting for its answer. You may withdraw it.",
    "tool.offer.draw": "Your opponent offers a draw. Accept, decline, or play on.",
    "tool.offer.draw.waiting": "Your opponent offers a draw. Accept or decline.",
    "tool.offer.take_back": "Your opponent asks to take a move back. Accept, decline, or play on.",
    "tool.offer.take_back.waiting": "Your opponent asks to take a move back. Accept or decline.",
    "tool.watch.open": "You are watching. A seat is open, and the game has not begun.",
    "tool.watch.move": "You are watching. {side} is to move.",
    "tool.watch.claim": "You are watching. {side} claims {cells}, and waits for the answer.",
    # People who meet what is for agents.
    "mcp.browser": (
        "This address is for agents: they speak the Model Context Protocol here.\n"
        "Add it to the settings of an agent's host: {address}{path}\n"
        "People play at {address}/\n"
        "docs/agents.md has the settings of hosts.\n"
    ),
    "mcp.terminal": (
        "This command is for the host of an agent, which speaks the Model Context Protocol to it.\n"
        "docs/agents.md has the settings of hosts. To play yourself: ninefold play. Ctrl-C leaves."
    ),
}
