#compdef ninefold

# Completion of ninefold for zsh. Install it in a folder of $fpath:
#   mkdir -p ~/.zfunc
#   ninefold completion zsh > ~/.zfunc/_ninefold
# and have these lines in ~/.zshrc:
#   fpath=(~/.zfunc $fpath)
#   autoload -Uz compinit && compinit


_shtab_ninefold_commands() {
  local _commands=(
    agents:'Evaluate agents: play matches, and report how they played and refereed.'
    analyze:'Evaluate the moves of a position.'
    arena:'Play a tournament between players.'
    backup:'Write all stored matches to a file, also while the server runs.'
    completion:'Print a shell completion script.'
    data:'Write data sets: solved tables of the small games, labelled positions of the big ones, as Parquet with a card.'
    delete:'Delete stored matches, also while the server runs.'
    engine:'Run the engine of the big games as a UGI engine.'
    games:'List the games.'
    help:'Explain a command.'
    mcp:'Let an agent play over the Model Context Protocol. The host of the agent starts this command and speaks to it through standard input and output: docs/agents.md has the settings of hosts. Without --server the agent plays against the computer; with --server it plays against people and other agents there. The key of its profile there, if it is to have one, is in the environment variable NINEFOLD_KEY.'
    moderate:'Deal with players: reports, bans, and words that names may not have.'
    perft:'Count the move sequences of a game.'
    play:'Play a game at this terminal.'
    puzzles:'Solve puzzles: positions in which exactly one move wins.'
    replay:'Show a saved match, move by move.'
    restore:'Restore the matches of a backup into an empty database.'
    rules:'Print the rules of a game, on one screen.'
    serve:'Run a server for people, programs and agents. People open its address, which is printed, in a browser. Agents connect to /mcp there (Model Context Protocol); docs/protocol.md describes the API for programs. Every match is stored; Ctrl-C stops the server.'
    show:'Draw a position.'
    site:'Write the browser client as a folder of static files, which works on any web space and under any path. Visitors play the computer or on one screen, solve puzzles, learn and analyze; everything runs in their browser, and their games stay there. There is no server, so nobody can play with somebody elsewhere.'
    solve:'Print the exact value of a small game.'
    train:'Make networks: for the engine (generate, fit, export), or by alphazero.'
    watch:'Watch a match on a server.'
  )
  _describe 'ninefold commands' _commands
}

_shtab_ninefold_agents_commands() {
  local _commands=(
    evaluate:'Play the matches of a plan, and report on them.'
    leaderboard:'Rate the agents of evaluation runs, and write pages.'
    report:'Print the referee'"'"'s report on one or several matches.'
  )
  _describe 'ninefold agents commands' _commands
}

_shtab_ninefold_moderate_commands() {
  local _commands=(
    ban:'Ban a profile or an address.'
    bans:'List the bans.'
    names:'List the words that names may not have, or change them.'
    reports:'List the reports of players that wait for the operator, the oldest first.'
    resolve:'Mark all reports about a match as dealt with.'
    unban:'End a ban.'
  )
  _describe 'ninefold moderate commands' _commands
}

_shtab_ninefold_puzzles_commands() {
  local _commands=(
    check:'Prove every move of the puzzles again.'
    generate:'Find puzzles of a game, each proven.'
    play:'Solve a puzzle at this terminal.'
    show:'Draw a puzzle.'
  )
  _describe 'ninefold puzzles commands' _commands
}

_shtab_ninefold_train_commands() {
  local _commands=(
    alphazero:'Train a network by games against itself, with JAX and mctx, for the player alphazero:FILE.'
    export:'Write the network of a fit in integers, for the engine.'
    fit:'Fit a network to labelled positions, with PyTorch.'
    generate:'Play games, and label every position by a search.'
  )
  _describe 'ninefold train commands' _commands
}

_shtab_ninefold_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--version[print the version, and whether the native core is installed]"
  "--plain[without a command\: the menu line by line, for screen readers]"
  "--language[the language, at any place in the command (default\: NINEFOLD_LANGUAGE, or that of the terminal)]:language:(en de fr es)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_defaults_added=0

_shtab_ninefold_agents_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_agents_defaults_added=0

_shtab_ninefold_agents_evaluate_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "--out[the folder of the run, where it is also resumed (default FILE-run)]:DIR:_files -/"
  "--server[play all matches on this running server, where people may watch]:URL:"
  "--isolation[how programs are kept apart\: in sandboxes, as users of their own, or not at all (default\: the best here)]:isolation:(auto bubblewrap users none)"
  ":the plan:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_agents_evaluate_defaults_added=0

_shtab_ninefold_agents_leaderboard_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "--html[write pages with tables, plots and every match to step through]:DIR:"
  "--csv[write the tables as CSV\: agents, pairs, matches, turns]:DIR:"
  "--parquet[write the same tables as Parquet (needs ninefold\[parquet\])]:DIR:"
  "--inspect[write logs that inspect view opens]:DIR:"
  "--dataset[write a dataset with its card\: JSON lines, and Parquet]:DIR:"
  "--nodes[positions that the engine searches (default 100000)]:nodes:"
  "(*):the folder of a run of ninefold agents evaluate:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_agents_leaderboard_defaults_added=0

_shtab_ninefold_agents_report_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "--nodes[positions that the engine searches (default 100000)]:nodes:"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  "(*):a log or a record, a folder of logs, a link, or the id of a match stored here:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_agents_report_defaults_added=0

_shtab_ninefold_analyze_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "--time[how long to search (default 1)]:SECONDS:"
  "--nodes[how many positions to search]:nodes:"
  "--depth[how many moves deep to search]:depth:"
  "--lines[how many moves to rank (default 5)]:lines:"
  "--threads[how many threads search (default 1)]:threads:"
  "--memory[memory of the engine (default 64)]:MIB:"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
  "(*)::its text\; by default the start of the game:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_analyze_defaults_added=0

_shtab_ninefold_arena_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "*--option[an option of the rules\; may be repeated]:NAME=VALUE:(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)"
  "--pairs[openings for each two players, each played with both sides (default 10\; 8000 with --sprt)]:pairs:"
  "--sprt[test whether the first of two players is ELO1 stronger or ELO0, as in 0,10 or --sprt\=-5,0\; stop when that is decided]:ELO0,ELO1:"
  "--alpha[how often --sprt may accept H1 though ELO0 is true (default 0.05)]:P:"
  "--beta[how often --sprt may accept H0 though ELO1 is true (default 0.05)]:P:"
  "--openings[short random ones, the fixed suite of balanced ones, or none (default random\; with --sprt suite)]:openings:(random suite start)"
  "--adjudicate[end a game as won when the engine, as a player, has proven twice in a row that it wins]"
  "--seed[the seed of the openings and the players (default 0)]:seed:"
  "--workers[games at a time (default\: one for each processor of the machine or the cluster)]:workers:"
  "--executor[where games are played]:executor:(processes ray)"
  "--log[save every game in FILE\; after an interruption, resume from FILE]:FILE:_files"
  "--svg[draw the ratings as an SVG picture]:FILE:_files"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
  "(*):a level, mcts\:100000, alphazero\:FILE, engine\:nodes\=10000, engine\:time\=0.1, engine\:cpu\=1, engine\:clock\=5\+0.05, ugi\:COMMAND, codingame\:COMMAND:(random easy medium hard perfect expert)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_arena_defaults_added=0

_shtab_ninefold_backup_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  ":a new file\; compressed if its name ends in .gz:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_backup_defaults_added=0

_shtab_ninefold_completion_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  ":shell:(bash zsh fish)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_completion_defaults_added=0

_shtab_ninefold_data_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--games[only these (default\: all)]:GAME:"
  "--positions[of each big game (default 1000000)]:positions:"
  "--depth[how deeply positions are searched (default 8)]:depth:"
  "--seed[of the games (default 1)]:seed:"
  "--workers[processes (default\: one a core)]:N:"
  "--check[make nothing, and check what is there]"
  ":the folder of the data set, where it is also resumed:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_data_defaults_added=0

_shtab_ninefold_delete_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  "(*):its id, or a link to it:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_delete_defaults_added=0

_shtab_ninefold_engine_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  ":search fixed positions and print a signature:(bench)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_engine_defaults_added=0

_shtab_ninefold_games_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_games_defaults_added=0

_shtab_ninefold_help_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "(*)::a command\; by default all are listed:(play watch games rules solve analyze engine arena agents train data puzzles perft replay show serve site mcp backup restore delete moderate help completion)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_help_defaults_added=0

_shtab_ninefold_mcp_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--server[play on this server\: its address, or an invitation]:LINK:"
  "--data[the folder where matches are stored, without --server]:DIR:_files -/"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_mcp_defaults_added=0

_shtab_ninefold_moderate_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_defaults_added=0

_shtab_ninefold_moderate_ban_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  "--days[for how long (default\: for ever)]:N:"
  "--reason[why\; only the operator sees it]:TEXT:"
  ":a profile\'s id or link, or an address\; of IPv6 its network (\/64):"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_ban_defaults_added=0

_shtab_ninefold_moderate_bans_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_bans_defaults_added=0

_shtab_ninefold_moderate_names_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  "--add[refuse names with these words]:WORD:"
  "--remove[allow these words again]:WORD:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_names_defaults_added=0

_shtab_ninefold_moderate_reports_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  "--all[list resolved reports too, of the last 90 days]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_reports_defaults_added=0

_shtab_ninefold_moderate_resolve_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  "(*):its id, or a link to it:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_resolve_defaults_added=0

_shtab_ninefold_moderate_unban_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  ":as ninefold moderate bans lists it:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_moderate_unban_defaults_added=0

_shtab_ninefold_perft_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "*--option[an option of the rules\; may be repeated]:NAME=VALUE:(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
  ":how many moves deep:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_perft_defaults_added=0

_shtab_ninefold_play_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--x[the player of X\: human, random, a level (easy ...), alphazero\:FILE, or mcts\:100000 in the big games]:PLAYER:(human random easy medium hard perfect expert)"
  "--x-name[the name of the player of X]:NAME:"
  "--o[the player of O\: human, random, a level (easy ...), alphazero\:FILE, or mcts\:100000 in the big games]:PLAYER:(human random easy medium hard perfect expert)"
  "--o-name[the name of the player of O]:NAME:"
  "--first[who starts]:first:(X O toss)"
  "--seed[the seed of the computer and of the toss, which repeats a game]:seed:"
  "--save[save the match in FILE after every move (as a record if it ends in .record)]:FILE:_files"
  "--load[continue a saved match]:FILE:_files"
  "--pause[pause between moves of two computers (default 1)]:SECONDS:"
  "--join[take a seat in a match on a server, or watch it]:LINK:"
  "--name[your name, with --join]:name:"
  "--dashes[show - on free cells instead of their numbers]"
  "*--option[an option of the rules\; may be repeated]:NAME=VALUE:(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_play_defaults_added=0

_shtab_ninefold_puzzles_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_puzzles_defaults_added=0

_shtab_ninefold_puzzles_check_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "(*)::by default all games:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_puzzles_check_defaults_added=0

_shtab_ninefold_puzzles_generate_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--count[how many to find, in a big game (default 48)]:count:"
  "--seed[the seed of the games in which they are found (default 1)]:seed:"
  "--write[write them into the set of this installation]"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_puzzles_generate_defaults_added=0

_shtab_ninefold_puzzles_play_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  ":its id, as in classic-7 (default\: the puzzle of the day):"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_puzzles_play_defaults_added=0

_shtab_ninefold_puzzles_show_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--solution[print the moves of the solution too]"
  ":its id, as in classic-7 (default\: the puzzle of the day):"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_puzzles_show_defaults_added=0

_shtab_ninefold_replay_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print its shared board as JSON]"
  "--record[print the match as a record]"
  "--log[print the match as its log]"
  "--rescue[read a damaged or truncated log up to its last line that is whole]"
  "--save[also save the match in a new file (as a record if it ends in .record)]:NEW:_files"
  ":a log or a record:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_replay_defaults_added=0

_shtab_ninefold_restore_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--data[the folder where matches are stored]:DIR:_files -/"
  "--database[a PostgreSQL database, instead of --data\: postgresql\:\/\/host\/name]:URL:"
  ":a backup:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_restore_defaults_added=0

_shtab_ninefold_rules_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_rules_defaults_added=0

_shtab_ninefold_serve_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--host[the address to listen at (default 127.0.0.1\: this machine alone)]:ADDRESS:"
  "--port[the port to listen at\; 0 takes any free port (default 8090)]:N:"
  "--lan[let others in this network connect]"
  "--public-url[the address of this server for others, if it is behind a proxy]:URL:"
  "--data[the folder where matches are stored, without --database]:DIR:_files -/"
  "--database[store matches in PostgreSQL\: postgresql\:\/\/host\/name]:URL:"
  "--workers[the number of processes\; more than one need PostgreSQL (default 1)]:N:"
  "--metrics[serve metrics for Prometheus at this address]:HOST:PORT:"
  "--traces[send OpenTelemetry traces there, by OTLP over HTTP]:URL:"
  "--proxy[trust the X-Forwarded headers of this proxy]:ADDRESS:"
  "--keep-days[delete matches that ended N days ago (default\: never)]:N:"
  "--matches[how many matches may be open or live at a time\; more are refused (default 50000)]:N:"
  "--cached[how many matches are cached in memory, in each process (default 10000)]:N:"
  "--engines[how many bot moves are computed at a time, in each process (default 1)]:N:"
  "--rate[writes a second from one address (default 50)]:N:"
  "--quiet[log only warnings and errors]"
  "--until-eof[stop when standard input ends\; for programs that start a server]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_serve_defaults_added=0

_shtab_ninefold_show_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "--svg[write it as an SVG picture\; - for standard output]:FILE:_files"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
  "(*)::its text\; by default the start of the game:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_show_defaults_added=0

_shtab_ninefold_site_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  ":a new folder, or an empty one:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_site_defaults_added=0

_shtab_ninefold_solve_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--json[print JSON]"
  "*--option[an option of the rules\; may be repeated]:NAME=VALUE:(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_solve_defaults_added=0

_shtab_ninefold_train_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_train_defaults_added=0

_shtab_ninefold_train_alphazero_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "*--option[an option of the rules\; may be repeated]:NAME=VALUE:(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)"
  "--out[the folder of the run, where it is also resumed]:DIR:_files -/"
  "--iterations[after which it ends\; more of them continue a run (default 200)]:iterations:"
  "--minutes[end after so many, to go on later]:N:"
  "--evaluate[play against players after so many iterations\; 0 for never (default 20)]:evaluate:"
  "--against[play against these (default\: random and the levels, no expert)]:PLAYER:"
  "--games[against each of them (default 40)]:games:"
  "--simulations[for a move in these games (default 64)]:simulations:"
  "--seed[of the first weights and of the games (default 1)]:seed:"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_train_alphazero_defaults_added=0

_shtab_ninefold_train_export_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--out[the network]:FILE:_files -/"
  ":the file of the fit:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_train_export_defaults_added=0

_shtab_ninefold_train_fit_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "--out[written after every epoch\; the fit goes on from it]:FILE:_files -/"
  "--epochs[how often all rows are seen (default 50)]:epochs:"
  "--batch[rows in a step (default 16384)]:batch:"
  "--rate[the highest learning rate (default 0.01)]:RATE:"
  "--seed[of the first weights and of the order (default 1)]:seed:"
  "--device[cpu or cuda (default\: a GPU if there is one)]:NAME:"
  "--svg[draw the losses]:FILE:_files"
  ":the folder of the rows:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_train_fit_defaults_added=0

_shtab_ninefold_train_generate_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  "*--option[an option of the rules\; may be repeated]:NAME=VALUE:(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)"
  "--out[the folder of the rows, where it is also resumed]:DIR:_files -/"
  "--files[files of 40 games (default 100)]:files:"
  "--depth[how deeply positions are searched (default 8)]:depth:"
  "--random[of the moves that are random (default 0.1)]:SHARE:"
  "--seed[of the games (default 1)]:seed:"
  "--network[label with this network, and not with the hand-made evaluation]:FILE:"
  "--workers[processes (default\: one a core)]:N:"
  "--executor[where games are played]:executor:(processes ray)"
  ":its id, as \`ninefold games\` lists it:(classic agents swap-nine squared ultimate)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_train_generate_defaults_added=0

_shtab_ninefold_watch_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  ":a link to a public match, or the spectators\' link of a private one:"
)

# guard to ensure default positional specs are added only once per session
_shtab_ninefold_watch_defaults_added=0


_shtab_ninefold() {
  local context state line curcontext="$curcontext" one_or_more='(*)' remainder='(-)*:' default='*::: :->ninefold'

  # Add default positional/remainder specs only if none exist, and only once per session
  if (( ! _shtab_ninefold_defaults_added )); then
    if (( ${_shtab_ninefold_options[(I)${(q)one_or_more}*]} +          ${_shtab_ninefold_options[(I)${(q)remainder}*]} +          ${_shtab_ninefold_options[(I)${(q)default}]} == 0 )); then
      _shtab_ninefold_options+=(': :_shtab_ninefold_commands' '*::: :->ninefold')
    fi
    _shtab_ninefold_defaults_added=1
  fi
  _arguments -C -s $_shtab_ninefold_options

  case $state in
    ninefold)
      words=($line[1] "${words[@]}")
      (( CURRENT += 1 ))
      curcontext="${curcontext%:*:*}:_shtab_ninefold-$line[1]:"
      case $line[1] in
        agents) _shtab_ninefold_agents ;;
        analyze) _arguments -C -s $_shtab_ninefold_analyze_options ;;
        arena) _arguments -C -s $_shtab_ninefold_arena_options ;;
        backup) _arguments -C -s $_shtab_ninefold_backup_options ;;
        completion) _arguments -C -s $_shtab_ninefold_completion_options ;;
        data) _arguments -C -s $_shtab_ninefold_data_options ;;
        delete) _arguments -C -s $_shtab_ninefold_delete_options ;;
        engine) _arguments -C -s $_shtab_ninefold_engine_options ;;
        games) _arguments -C -s $_shtab_ninefold_games_options ;;
        help) _arguments -C -s $_shtab_ninefold_help_options ;;
        mcp) _arguments -C -s $_shtab_ninefold_mcp_options ;;
        moderate) _shtab_ninefold_moderate ;;
        perft) _arguments -C -s $_shtab_ninefold_perft_options ;;
        play) _arguments -C -s $_shtab_ninefold_play_options ;;
        puzzles) _shtab_ninefold_puzzles ;;
        replay) _arguments -C -s $_shtab_ninefold_replay_options ;;
        restore) _arguments -C -s $_shtab_ninefold_restore_options ;;
        rules) _arguments -C -s $_shtab_ninefold_rules_options ;;
        serve) _arguments -C -s $_shtab_ninefold_serve_options ;;
        show) _arguments -C -s $_shtab_ninefold_show_options ;;
        site) _arguments -C -s $_shtab_ninefold_site_options ;;
        solve) _arguments -C -s $_shtab_ninefold_solve_options ;;
        train) _shtab_ninefold_train ;;
        watch) _arguments -C -s $_shtab_ninefold_watch_options ;;
      esac
  esac
}

_shtab_ninefold_agents() {
  local context state line curcontext="$curcontext" one_or_more='(*)' remainder='(-)*:' default='*::: :->agents'

  # Add default positional/remainder specs only if none exist, and only once per session
  if (( ! _shtab_ninefold_agents_defaults_added )); then
    if (( ${_shtab_ninefold_agents_options[(I)${(q)one_or_more}*]} +          ${_shtab_ninefold_agents_options[(I)${(q)remainder}*]} +          ${_shtab_ninefold_agents_options[(I)${(q)default}]} == 0 )); then
      _shtab_ninefold_agents_options+=(': :_shtab_ninefold_agents_commands' '*::: :->agents')
    fi
    _shtab_ninefold_agents_defaults_added=1
  fi
  _arguments -C -s $_shtab_ninefold_agents_options

  case $state in
    agents)
      words=($line[1] "${words[@]}")
      (( CURRENT += 1 ))
      curcontext="${curcontext%:*:*}:_shtab_ninefold_agents-$line[1]:"
      case $line[1] in
        evaluate) _arguments -C -s $_shtab_ninefold_agents_evaluate_options ;;
        leaderboard) _arguments -C -s $_shtab_ninefold_agents_leaderboard_options ;;
        report) _arguments -C -s $_shtab_ninefold_agents_report_options ;;
      esac
  esac
}

_shtab_ninefold_moderate() {
  local context state line curcontext="$curcontext" one_or_more='(*)' remainder='(-)*:' default='*::: :->moderate'

  # Add default positional/remainder specs only if none exist, and only once per session
  if (( ! _shtab_ninefold_moderate_defaults_added )); then
    if (( ${_shtab_ninefold_moderate_options[(I)${(q)one_or_more}*]} +          ${_shtab_ninefold_moderate_options[(I)${(q)remainder}*]} +          ${_shtab_ninefold_moderate_options[(I)${(q)default}]} == 0 )); then
      _shtab_ninefold_moderate_options+=(': :_shtab_ninefold_moderate_commands' '*::: :->moderate')
    fi
    _shtab_ninefold_moderate_defaults_added=1
  fi
  _arguments -C -s $_shtab_ninefold_moderate_options

  case $state in
    moderate)
      words=($line[1] "${words[@]}")
      (( CURRENT += 1 ))
      curcontext="${curcontext%:*:*}:_shtab_ninefold_moderate-$line[1]:"
      case $line[1] in
        ban) _arguments -C -s $_shtab_ninefold_moderate_ban_options ;;
        bans) _arguments -C -s $_shtab_ninefold_moderate_bans_options ;;
        names) _arguments -C -s $_shtab_ninefold_moderate_names_options ;;
        reports) _arguments -C -s $_shtab_ninefold_moderate_reports_options ;;
        resolve) _arguments -C -s $_shtab_ninefold_moderate_resolve_options ;;
        unban) _arguments -C -s $_shtab_ninefold_moderate_unban_options ;;
      esac
  esac
}

_shtab_ninefold_puzzles() {
  local context state line curcontext="$curcontext" one_or_more='(*)' remainder='(-)*:' default='*::: :->puzzles'

  # Add default positional/remainder specs only if none exist, and only once per session
  if (( ! _shtab_ninefold_puzzles_defaults_added )); then
    if (( ${_shtab_ninefold_puzzles_options[(I)${(q)one_or_more}*]} +          ${_shtab_ninefold_puzzles_options[(I)${(q)remainder}*]} +          ${_shtab_ninefold_puzzles_options[(I)${(q)default}]} == 0 )); then
      _shtab_ninefold_puzzles_options+=(': :_shtab_ninefold_puzzles_commands' '*::: :->puzzles')
    fi
    _shtab_ninefold_puzzles_defaults_added=1
  fi
  _arguments -C -s $_shtab_ninefold_puzzles_options

  case $state in
    puzzles)
      words=($line[1] "${words[@]}")
      (( CURRENT += 1 ))
      curcontext="${curcontext%:*:*}:_shtab_ninefold_puzzles-$line[1]:"
      case $line[1] in
        check) _arguments -C -s $_shtab_ninefold_puzzles_check_options ;;
        generate) _arguments -C -s $_shtab_ninefold_puzzles_generate_options ;;
        play) _arguments -C -s $_shtab_ninefold_puzzles_play_options ;;
        show) _arguments -C -s $_shtab_ninefold_puzzles_show_options ;;
      esac
  esac
}

_shtab_ninefold_train() {
  local context state line curcontext="$curcontext" one_or_more='(*)' remainder='(-)*:' default='*::: :->train'

  # Add default positional/remainder specs only if none exist, and only once per session
  if (( ! _shtab_ninefold_train_defaults_added )); then
    if (( ${_shtab_ninefold_train_options[(I)${(q)one_or_more}*]} +          ${_shtab_ninefold_train_options[(I)${(q)remainder}*]} +          ${_shtab_ninefold_train_options[(I)${(q)default}]} == 0 )); then
      _shtab_ninefold_train_options+=(': :_shtab_ninefold_train_commands' '*::: :->train')
    fi
    _shtab_ninefold_train_defaults_added=1
  fi
  _arguments -C -s $_shtab_ninefold_train_options

  case $state in
    train)
      words=($line[1] "${words[@]}")
      (( CURRENT += 1 ))
      curcontext="${curcontext%:*:*}:_shtab_ninefold_train-$line[1]:"
      case $line[1] in
        alphazero) _arguments -C -s $_shtab_ninefold_train_alphazero_options ;;
        export) _arguments -C -s $_shtab_ninefold_train_export_options ;;
        fit) _arguments -C -s $_shtab_ninefold_train_fit_options ;;
        generate) _arguments -C -s $_shtab_ninefold_train_generate_options ;;
      esac
  esac
}



typeset -A opt_args

if [[ $zsh_eval_context[-1] == eval ]]; then
  # eval/source/. command, register function for later
  compdef _shtab_ninefold -N ninefold
else
  # autoload from fpath, call function directly
  _shtab_ninefold "$@"
fi
