"""The messages of the agents' layer: tools, evaluation runs and the commands that start them.

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
    "bad_token.number": ("This is not the number of your seat.", _WHOLE_KEY),
    "no_link": ("A link or the id of a match is missing.", "Ask your opponent for an invitation."),
    "nobody_else": (
        "Nobody else can join: there is no server.",
        "Play against a level of the computer, or start ninefold mcp with --server.",
    ),
    "wrong_field.required": ("{errors}", "{tool} needs {required}."),
    "wrong_field.optional": ("{errors}", "{tool} needs {required}, and may have {optional}."),
    "wrong_field.only_optional": ("{errors}", "{tool} may have {optional}."),
    "field.unknown": "{field} is not an argument of {tool}.",
    "field.misnamed": "{field} is not an argument of {tool}: use {name}.",
    "field.range": "{field} has to be a whole number from {least} to {most}.",
    "field.version": "{field} has to be a whole number that is not negative: the version that you saw last.",
    "field.request_id": "{field} has to be 1 to {most} letters, digits and . _ : -",
    # Requests of the protocol that are refused.
    "no_such_tool": "There is no such tool. Tools: {tools}.",
    "no_such_prompt": "There is no such prompt. Prompts: {prompts}.",
    "no_such_resource": "There is no such resource. See the templates of this server.",
    "no_such_resource.match": (
        "There is no such match here. A private match has no address: read it with your seat, by the tool board."
    ),
    "too_many_subscriptions": "A client can subscribe to at most {most} matches. Unsubscribe from another one first.",
    "come_back.subscriptions": "The matches cannot be reached right now. Try again in a moment.",
    # The state of a match, for the agent that has called a tool.
    "tool.over": "The game is over. {result}",
    "tool.rematch": "There is a rematch: call rematch to play it.",
    "tool.open": "The other seat is open. Send the invitation, then wait.",
    "tool.open.rematch": "The other player has not accepted the rematch yet. Wait.",
    "tool.played": "{side} played {move}.",
    "tool.move": "It is your move; you are {side}.",
    "tool.wait": "It is {side}'s move. Wait.",
    "tool.wait.absent": "It is {side}'s move, but that player is away. You may call claim_absent, or wait.",
    "tool.answer_claim": "{side} claims {cells}. Check it; then confirm or dispute.",
    "tool.claim_pending": "Your claim is waiting for its answer. You may withdraw it.",
    "tool.offer.draw": "Your opponent offers a draw. Accept, decline, or play on.",
    "tool.offer.draw.waiting": "Your opponent offers a draw. Accept or decline.",
    "tool.offer.take_back": "Your opponent asks to take a move back. Accept, decline, or play on.",
    "tool.offer.take_back.waiting": "Your opponent asks to take a move back. Accept or decline.",
    "tool.watch.open": "You are watching. A seat is open, and the game has not begun.",
    "tool.watch.move": "You are watching. {side} is to move.",
    "tool.watch.claim": "You are watching. {side} claims {cells}, and waits for the answer.",
    "lobby.open": "{count} public matches have an open seat: call join with an id.",
    "lobby.open.one": "One public match has an open seat: call join with its id.",
    "lobby.live": "{count} public matches are played: call wait with an id to watch.",
    "lobby.live.one": "One public match is played: call wait with its id to watch.",
    # Answers of agents in an evaluation.
    "not_an_answer.action": ("The answer cannot be read.", '"action" has to be one of {kinds}.'),
    "not_an_answer.object": ("The answer cannot be read: it has no JSON object.", "Send one JSON object."),
    "not_an_answer.typed": ("The answer cannot be read.", '"{field}" has to be text, as players type it.'),
    "not_an_answer.text": ("The answer cannot be read.", '"{field}" has to be text.'),
    "not_an_answer.cells": ("The answer cannot be read.", '"cells" has to be a list of three cells.'),
    "not_an_answer.misnamed": (
        "The answer cannot be read.",
        'The three cells of a claim are called "cells", not "claim".',
    ),
    "cut_off": ("The answer was cut off.", "Make it shorter."),
    "filtered": "A content filter withheld the answer.",
    "filtered.because": "A content filter refused the prompt: {complaint}.",
    "refused_to_answer": "The model refused to answer: {words}.",
    "budget_used_up.match": "Its budget for a match is used up ({used}).",
    "no_answer": "It did not answer in time.",
    "forfeit.silent": "It did not answer.",
    "forfeit.never_joined": "It never joined the match.",
    # Agents that break down.
    "crashed.connection": "Its endpoint cannot be reached, or the connection broke ({error}).",
    "crashed.too_large": "The response of its endpoint is too large.",
    "crashed.not_json": "The response of its endpoint is not JSON.",
    "crashed.not_chat": "The response of its endpoint is not a chat completion.",
    "crashed.not_chat.because": "The response of its endpoint is not a chat completion: {complaint}.",
    "crashed.status": "Its endpoint answers {status}.",
    "crashed.status.because": "Its endpoint answers {status}: {complaint}.",
    "crashed.program": "Its program exited with code {code} before the match ended.",
    "crashed.program.said": "Its program exited with code {code} before the match ended. Its last output: {line}.",
    "crashed.joining": "Its program exited with code {code} before it joined the match.",
    "crashed.joining.said": "Its program exited with code {code} before it joined the match. Its last output: {line}.",
    "rejected": "Its endpoint refuses the request ({status}).",
    "rejected.because": "Its endpoint refuses the request ({status}): {complaint}.",
    "rejected.agent": (
        "Agent {agent} cannot play. {why}",
        "Check the key, the model, the parameters and the address.",
    ),
    "rejected.later": (
        "Agent {agent} cannot go on. {why}",
        "Its endpoint has answered in this run before: ask its provider what has changed.",
    ),
    "rejected.money": (
        "Agent {agent} cannot go on. {why}",
        "Its account seems to have no money left, or to have reached a limit of spending: see to that at its provider.",
    ),
    "stolen": "Somebody else tried to take the seat of {victim}.",
    "stolen.by": "It tried to take the seat of {victim}.",
    # Programs and their isolation.
    "gate.stranger": "This address is for another program.",
    "gate.unreadable": "This is not a request that can be sent on.",
    "gate.handover": "The seat of a program cannot be handed over.",
    "no_isolation.no_bubblewrap": (
        "There is no program bwrap here, which makes sandboxes.",
        "Install bubblewrap, or choose another --isolation.",
    ),
    "no_isolation.bubblewrap": ("Sandboxes do not work here: {why}.", "Choose another --isolation."),
    "no_isolation.not_root": (
        "Only root can start programs as other users.",
        "Become root, or choose another --isolation.",
    ),
    "no_isolation.users": ("Programs cannot be started as other users here: {why}.", "Choose another --isolation."),
    "no_isolation.unreadable": (
        "Other users may not run the program of agent {agent}, or read its files.",
        "Let them, or choose another --isolation.",
    ),
    "no_folder.program": ("There is no folder {folder}.", "Make it, or name another one."),
    # Plans.
    "not_a_plan.utf8": ("{file} is not UTF-8 text.", "Save it as UTF-8."),
    "not_a_plan.toml": ("{file} is not TOML: {why}.", "docs/evaluate.md has an example."),
    "not_a_plan.refused": ("{place}: {sentence}", "{instead}"),
    "not_a_plan.missing": ("{place} is missing.", "docs/evaluate.md has an example."),
    "not_a_plan.extra_forbidden": ("{place} is not a setting.", "Settings here: {known}."),
    "not_a_plan.int_type": ("{place} cannot be {given}.", "It has to be a whole number."),
    "not_a_plan.greater_than_equal": ("{place} cannot be {given}.", "It has to be at least {ge}."),
    "not_a_plan.less_than_equal": ("{place} cannot be {given}.", "It has to be at most {le}."),
    "not_a_plan.literal_error": ("{place} cannot be {given}.", "It has to be {expected}."),
    "not_a_plan.bool_type": ("{place} cannot be {given}.", "It has to be true or false."),
    "not_a_plan.string_type": ("{place} is not text.", "Put it in quotation marks."),
    "not_a_plan.list_type": ("{place} is not a list.", "Put it in brackets."),
    "not_a_plan.dict_type": ("{place} is not a table.", "docs/evaluate.md has an example."),
    "not_a_plan.too_short": ("{place} has {actual_length} parts.", "It has to have {min_length}."),
    "not_a_plan.too_short.one": ("{place} is empty.", "Name at least one."),
    "not_a_plan.too_long": ("{place} has {actual_length} parts.", "It has to have {max_length}."),
    "not_a_plan.string_too_short": ("{place} is empty.", "Write a text there."),
    "not_a_plan.string_pattern_mismatch": (  # only key_env has one
        "{place} is not the name of an environment variable.",
        "It names the variable that holds the key.",
    ),
    "not_a_plan.other": ("{place} cannot be read.", "docs/evaluate.md has an example."),
    "not_a_plan.alone": (
        "agents has only one agent.",
        'Add another one, or let it play against itself: matches = [["a", "a"]].',
    ),
    "not_a_plan.name": ("This is not the name of an agent.", "A name has 1 to {most} printable characters."),
    "not_a_plan.agent": ("An agent is a table.", "It has one of these fields: {kinds}."),
    "not_a_plan.no_kind": ("The kind of agent is missing.", "An agent has one of these fields: {kinds}."),
    "not_a_plan.unknown_kind": ("This agent has only {found}.", "An agent has one of these fields: {kinds}."),
    "not_a_plan.two_kinds": ("This agent has {found}.", "An agent has only one of these fields: {kinds}."),
    "not_a_plan.secret": (
        "The field {field} is refused, because a key does not belong in this file.",
        "Name the variable that holds it: key_env.",
    ),
    "not_a_plan.address": (
        "This is not the address of an endpoint.",
        "It looks like http://127.0.0.1:11434/v1, without a key in it.",
    ),
    "not_a_plan.parameters": ("These parameters are set by Ninefold: {names}.", "Leave them out."),
    "not_a_plan.word": ("A word contains a null character.", "Remove it."),
    "not_a_plan.float_type": ("{place} cannot be {given}.", "It has to be a number."),
    "not_a_plan.finite_number": ("{place} cannot be {given}.", "It has to be a number."),
    "not_a_plan.dollar": (
        "A dollar sign in a template begins the name of a placeholder.",
        "Write $$ for a dollar sign. Placeholders here: {names}.",
    ),
    "not_a_plan.placeholder": ("There is no placeholder {name} here.", "Placeholders here: {names}."),
    "not_a_plan.prompt": ("{place}: the plan has no such prompt.", "Prompts: {known}."),
    "not_a_plan.unused": ("{place} belongs to no agent of this plan.", "Agents have: {known}."),
    "not_a_plan.no_price": ("{place}: there is no price for {model}.", "A budget in money needs prices."),
    "not_a_plan.unknown_agent": ("{name} is not an agent of this plan.", "Agents: {agents}."),
    "no_claims.script": ("The script {script} is about claims, and this game has none.", "Other scripts: {scripts}."),
    "no_such_program": ("There is no program {program}.", "Check its name."),
    "no_such_program.not_executable": ("The file {program} cannot be executed.", "Make it executable: chmod +x."),
    "no_such_program.script": (
        "There is no file {file} that {program} could run.",
        "Check its name: it is looked for in {folder}.",
    ),
    "no_such_program.unreadable": ("The file {file}, which {program} should run, cannot be read.", "Check who may."),
    "no_such_program.because": ("Cannot start {program}: {why}.", "Check its name."),
    "no_such_program.command": ("Cannot start {program}: it is not a command.", "Check its name."),
    "agent.name": "Agent",
    "bad_key.variable": ("The variable {variable} does not hold a key.", "Use 32 to 64 random letters and digits."),
    "no_key": ("{place}: the variable {variable} is not set.", "Set it, and start again."),
    "no_key.unreadable": ("{place}: the variable {variable} does not hold a key.", "Set it, and start again."),
    "no_key.unnamed": ("{place}: this variable does not hold a key.", "Set it, and start again."),
    # Runs.
    "not_a_run": ("{folder} is not empty, and is not the folder of a run.", "Name another folder with --out."),
    "another_plan": (
        "The run in {folder} belongs to another plan, or to another version of Ninefold.",
        "Change the plan back, or name another folder with --out.",
    ),
    "cannot_write.run": ("Cannot write a run to {folder}: {why}.", "Name another folder with --out."),
    "broken_file.journal": (
        "{file}, line {line}: this is not a match of this evaluation.",
        "Name another folder with --out.",
    ),
    "run_in_use": (
        "Another run is under way in {folder} (process {process}).",
        "Wait for it, or name another folder with --out.",
    ),
    "no_server.game": ("The server {server} has no game {game}.", "Name another server."),
    "no_server.start": ("The server of this run did not start.", "Its server.log says why."),
    "no_server.claim": ("The server of this run does not settle a claim.", "See its server.log."),
    "budget_used_up.run": (
        "The budget of the run is used up ({used}).",
        "Set a larger budget, and run the same command to continue.",
    ),
    "evaluate.stopped": "Stopped after {done} of {planned} matches. {why}",
    "evaluate.stopping": "{why} No more matches are begun. Those under way are played to their end; Ctrl-C ends them.",
    "evaluate.kept": (
        "Nothing is lost: the matches that have ended are kept, and are reported here. Run the same command to "
        "continue; a match that was under way is played anew."
    ),
    "evaluate.usage": (
        "Usage of {agent}: requests {requests:,} (failed {failed:,}), tokens in {input_tokens:,} (cached "
        "{cached_tokens:,}), tokens out {output_tokens:,} (reasoning {reasoning_tokens:,}){price}."
    ),
    "evaluate.usage.price": ", price {price:.4f}",
    "evaluate.usage.price.estimated": ", price {price:.4f} (of this {estimated_price:.4f} estimated)",
    "evaluate.unreported": (
        "{count:,} requests of {agent} may have used tokens that its endpoint did not report: their prompts are "
        "estimated as {estimated_tokens:,} tokens. They are in prices and budgets, not in the tokens above."
    ),
    "evaluate.unreported.one": (
        "One request of {agent} may have used tokens that its endpoint did not report: its prompt is estimated as "
        "{estimated_tokens:,} tokens. They are in prices and budgets, not in the tokens above."
    ),
    "usage.estimates": (
        "Tokens are as endpoints report them. Requests that were cut off, or whose endpoint did not report, are not in "
        "them: their prompts are estimated by their length, one token for 4 characters. These estimates are in the "
        "price; answers that were never reported are not."
    ),
    "evaluate.repaired": "{count:,} moves of {agent} were taken from its words, because it did not answer in JSON.",
    "evaluate.repaired.one": "One move of {agent} was taken from its words, because it did not answer in JSON.",
    "evaluate.matches": "matches",
    "evaluate.interrupted": "Interrupted after {done} of {planned} matches. Run the same command to continue.",
    "evaluate.folder": "Logs and transcripts are in {folder}.",
    "evaluate.forfeits": "{agent} forfeited {count} turns. The most frequent reason: {why}",
    "evaluate.forfeits.one": "{agent} forfeited one turn: {why}",
    "evaluate.cut_off": "{count} answers of {agent} were cut off. Set a larger max_tokens in its parameters.",
    "evaluate.cut_off.one": "One answer of {agent} was cut off. Set a larger max_tokens in its parameters.",
    "evaluate.crash": "Match {number}: {agent} crashed. {why} The match does not count.",
    "evaluate.crash.transcript": "Match {number}: {agent} crashed. {why} The match does not count. See {transcript}.",
    "evaluate.crashes": "{agent} crashed {count} times, counting matches that were played again.",
    "evaluate.crashes.one": "{agent} crashed once, counting matches that were played again.",
    "evaluate.void": "Match {number} is void, because of {agent}. {why}",
    "evaluate.void.unknown": "Match {number} is void. {why} The thief is unknown.",
    "evaluate.link": "Match {number}, {x} against {o}: {link}",
    "evaluate.isolation.bubblewrap": "Each program ran in a sandbox of its own (bubblewrap).",
    "evaluate.isolation.users": "Each program ran as a user of its own.",
    "evaluate.isolation.none": (
        "Unprotected: programs could read what other programs hold. A stolen seat would have made its match void. "
        "Where bubblewrap is installed, each program runs in a sandbox."
    ),
    "evaluate.plans": "The run was started with several plans, which differ in {names}. Its run.json has them all.",
    "evaluate.again": "The same command plays the crashed matches again.",
    # Reports.
    "report.judged": "matches judged",
    "no_such_file.logs": ("There are no logs in {folder}.", "Names of logs end in .log."),
    "no_such_file.no_log_readable": ("None of the logs in {folder} can be read.", "Name another folder."),
    "no_such_match.report": (
        "There is no file or folder {match}, and no match with this id is stored here.",
        "Name a log, the folder of a run, or the link or the id of a match.",
    ),
    "report.skipped": "Note: {file} is left out of the report. {why}",
    "report.run": "The run in {folder}:",
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
