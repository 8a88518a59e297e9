# Completion of ninefold for fish. Install it where fish looks:
#   mkdir -p ~/.config/fish/completions
#   ninefold completion fish > ~/.config/fish/completions/ninefold.fish


# Parse current commandline:
# - _shtab_ninefold_cmdpath=(sub)command path seen so far
# - _shtab_ninefold_npos=number of positional arguments given after it
# - options are skipped based on _shtab_ninefold_opts_with_value & _shtab_ninefold_commands lists
function _shtab_ninefold_scan
  set -g _shtab_ninefold_cmdpath ''
  set -g _shtab_ninefold_npos 0
  set -l tokens (commandline -opc)
  set -e tokens[1]
  set -l expect_value 0
  for t in $tokens
    if test $expect_value -eq 1
      set expect_value 0
      continue
    end
    switch "$t"
      case '--*=*'
        continue
      case '-*'
        if contains -- $t $_shtab_ninefold_opts_with_value
          set expect_value 1
        end
        continue
      case '*'
        if test $_shtab_ninefold_npos -eq 0
          set -l candidate $t
          if test -n "$_shtab_ninefold_cmdpath"
            set candidate "$_shtab_ninefold_cmdpath $t"
          end
          if contains -- $candidate $_shtab_ninefold_commands
            set -g _shtab_ninefold_cmdpath $candidate
            continue
          end
        end
        set -g _shtab_ninefold_npos (math $_shtab_ninefold_npos + 1)
    end
  end
end

# Condition helper: true if the current (sub)command path equals the given one.
function _shtab_ninefold_using
  _shtab_ninefold_scan
  test "$_shtab_ninefold_cmdpath" = "$argv"
end

set -g _shtab_ninefold_commands play watch games rules solve analyze engine arena agents 'agents evaluate' 'agents report' 'agents leaderboard' train 'train generate' 'train fit' 'train export' 'train alphazero' puzzles 'puzzles show' 'puzzles play' 'puzzles generate' 'puzzles check' perft replay show serve mcp backup restore delete help completion
set -g _shtab_ninefold_opts_with_value --against --alpha --batch --beta --cached --count --csv --data --database --dataset --depth --device --engines --epochs --evaluate --executor --files --first --games --host --html --inspect --isolation --iterations --join --keep-days --lines --load --log --matches --memory --metrics --minutes --name --network --nodes --o --o-name --openings --option --out --pairs --parquet --pause --port --proxy --public-url --random --rate --save --seed --server --simulations --sprt --svg --threads --time --traces --workers --x --x-name

complete -c ninefold -e
complete -c ninefold -f

complete -c ninefold -n _shtab_ninefold_using -s h -l help -d 'show this help message and exit'
complete -c ninefold -n _shtab_ninefold_using -l version -d 'print the version, and whether the native core is installed'
complete -c ninefold -n _shtab_ninefold_using -l plain -d 'without a command: the menu line by line, for screen readers'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a play -d 'Play a game at this terminal.'
complete -c ninefold -n '_shtab_ninefold_using play' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using play' -l x -xka "human random easy medium hard perfect expert" -d 'the player of X: human, random, a level (easy ...), alphazero:FILE, or mcts:100000 in the big games'
complete -c ninefold -n '_shtab_ninefold_using play' -l x-name -x -d 'the name of the player of X'
complete -c ninefold -n '_shtab_ninefold_using play' -l o -xka "human random easy medium hard perfect expert" -d 'the player of O: human, random, a level (easy ...), alphazero:FILE, or mcts:100000 in the big games'
complete -c ninefold -n '_shtab_ninefold_using play' -l o-name -x -d 'the name of the player of O'
complete -c ninefold -n '_shtab_ninefold_using play' -l first -xka "X O toss" -d 'who starts'
complete -c ninefold -n '_shtab_ninefold_using play' -l seed -x -d 'the seed of the computer and of the toss, which repeats a game'
complete -c ninefold -n '_shtab_ninefold_using play' -l save -xka "(__fish_complete_path (commandline -ct))" -d 'save the match in FILE after every move (as a record if it ends in .record)'
complete -c ninefold -n '_shtab_ninefold_using play' -l load -xka "(__fish_complete_path (commandline -ct))" -d 'continue a saved match'
complete -c ninefold -n '_shtab_ninefold_using play' -l pause -x -d 'pause between moves of two computers (default 1)'
complete -c ninefold -n '_shtab_ninefold_using play' -l join -x -d 'take a seat in a match on a server, or watch it'
complete -c ninefold -n '_shtab_ninefold_using play' -l name -x -d 'your name, with --join'
complete -c ninefold -n '_shtab_ninefold_using play' -l dashes -d 'show - on free cells instead of their numbers'
complete -c ninefold -n '_shtab_ninefold_using play' -l option -xka "first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards" -d 'an option of the rules; may be repeated'
complete -c ninefold -n '_shtab_ninefold_using play; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a watch -d 'Watch a match on a server.'
complete -c ninefold -n '_shtab_ninefold_using watch' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a games -d 'List the games.'
complete -c ninefold -n '_shtab_ninefold_using games' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using games' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a rules -d 'Print the rules of a game, on one screen.'
complete -c ninefold -n '_shtab_ninefold_using rules' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using rules; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a solve -d 'Print the exact value of a small game.'
complete -c ninefold -n '_shtab_ninefold_using solve' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using solve' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using solve' -l option -xka "first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards" -d 'an option of the rules; may be repeated'
complete -c ninefold -n '_shtab_ninefold_using solve; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a analyze -d 'Evaluate the moves of a position.'
complete -c ninefold -n '_shtab_ninefold_using analyze' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l time -x -d 'how long to search (default 1)'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l nodes -x -d 'how many positions to search'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l depth -x -d 'how many moves deep to search'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l lines -x -d 'how many moves to rank (default 5)'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l threads -x -d 'how many threads search (default 1)'
complete -c ninefold -n '_shtab_ninefold_using analyze' -l memory -x -d 'memory of the engine (default 64)'
complete -c ninefold -n '_shtab_ninefold_using analyze; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a engine -d 'Run the engine of the big games as a UGI engine.'
complete -c ninefold -n '_shtab_ninefold_using engine' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using engine; and test $_shtab_ninefold_npos -eq 0' -ka "bench" -d 'search fixed positions and print a signature'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a arena -d 'Play a tournament between players.'
complete -c ninefold -n '_shtab_ninefold_using arena' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using arena' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using arena' -l option -xka "first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards" -d 'an option of the rules; may be repeated'
complete -c ninefold -n '_shtab_ninefold_using arena' -l pairs -x -d 'openings for each two players, each played with both sides (default 10; 8000 with --sprt)'
complete -c ninefold -n '_shtab_ninefold_using arena' -l sprt -x -d 'test whether the first of two players is ELO1 stronger or ELO0, as in 0,10 or --sprt=-5,0; stop when that is decided'
complete -c ninefold -n '_shtab_ninefold_using arena' -l alpha -x -d 'how often --sprt may accept H1 though ELO0 is true (default 0.05)'
complete -c ninefold -n '_shtab_ninefold_using arena' -l beta -x -d 'how often --sprt may accept H0 though ELO1 is true (default 0.05)'
complete -c ninefold -n '_shtab_ninefold_using arena' -l openings -xka "random suite start" -d 'short random ones, the fixed suite of balanced ones, or none (default random; with --sprt suite)'
complete -c ninefold -n '_shtab_ninefold_using arena' -l adjudicate -d 'end a game as won when the engine, as a player, has proven twice in a row that it wins'
complete -c ninefold -n '_shtab_ninefold_using arena' -l seed -x -d 'the seed of the openings and the players (default 0)'
complete -c ninefold -n '_shtab_ninefold_using arena' -l workers -x -d 'games at a time (default: one for each processor of the machine or the cluster)'
complete -c ninefold -n '_shtab_ninefold_using arena' -l executor -xka "processes ray" -d 'where games are played'
complete -c ninefold -n '_shtab_ninefold_using arena' -l log -xka "(__fish_complete_path (commandline -ct))" -d 'save every game in FILE; after an interruption, resume from FILE'
complete -c ninefold -n '_shtab_ninefold_using arena' -l svg -xka "(__fish_complete_path (commandline -ct))" -d 'draw the ratings as an SVG picture'
complete -c ninefold -n '_shtab_ninefold_using arena; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using arena; and test $_shtab_ninefold_npos -ge 1' -ka "random easy medium hard perfect expert" -d 'a level, mcts:100000, alphazero:FILE, engine:nodes=10000, engine:time=0.1, engine:cpu=1, engine:clock=5+0.05, ugi:COMMAND, codingame:COMMAND'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a agents -d 'Evaluate agents: play matches, and report how they played and refereed.'
complete -c ninefold -n '_shtab_ninefold_using agents' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using agents; and test $_shtab_ninefold_npos -eq 0' -a evaluate -d 'Play the matches of a plan, and report on them.'
complete -c ninefold -n '_shtab_ninefold_using agents evaluate' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using agents evaluate' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using agents evaluate' -l out -xka "(__fish_complete_directories)" -d 'the folder of the run, where it is also resumed (default FILE-run)'
complete -c ninefold -n '_shtab_ninefold_using agents evaluate' -l server -x -d 'play all matches on this running server, where people may watch'
complete -c ninefold -n '_shtab_ninefold_using agents evaluate' -l isolation -xka "auto bubblewrap users none" -d 'how programs are kept apart: in sandboxes, as users of their own, or not at all (default: the best here)'
complete -c ninefold -n '_shtab_ninefold_using agents evaluate; and test $_shtab_ninefold_npos -eq 0' -ka "(__fish_complete_path (commandline -ct))" -d 'the plan'
complete -c ninefold -n '_shtab_ninefold_using agents; and test $_shtab_ninefold_npos -eq 0' -a report -d 'Print the referee'"'"'s report on one or several matches.'
complete -c ninefold -n '_shtab_ninefold_using agents report' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using agents report' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using agents report' -l nodes -x -d 'positions that the engine searches (default 100000)'
complete -c ninefold -n '_shtab_ninefold_using agents report' -l data -xka "(__fish_complete_directories)" -d 'the folder where matches are stored'
complete -c ninefold -n '_shtab_ninefold_using agents report' -l database -x -d 'a PostgreSQL database, instead of --data: postgresql://host/name'
complete -c ninefold -n '_shtab_ninefold_using agents report; and test $_shtab_ninefold_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a log or a record, a folder of logs, a link, or the id of a match stored here'
complete -c ninefold -n '_shtab_ninefold_using agents; and test $_shtab_ninefold_npos -eq 0' -a leaderboard -d 'Rate the agents of evaluation runs, and write pages.'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l html -x -d 'write pages with tables, plots and every match to step through'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l csv -x -d 'write the tables as CSV: agents, pairs, matches, turns'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l parquet -x -d 'write the same tables as Parquet (needs ninefold[parquet])'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l inspect -x -d 'write logs that inspect view opens'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l dataset -x -d 'write a dataset with its card: JSON lines, and Parquet'
complete -c ninefold -n '_shtab_ninefold_using agents leaderboard' -l nodes -x -d 'positions that the engine searches (default 100000)'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a train -d 'Make networks: for the engine (generate, fit, export), or by alphazero.'
complete -c ninefold -n '_shtab_ninefold_using train' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using train; and test $_shtab_ninefold_npos -eq 0' -a generate -d 'Play games, and label every position by a search.'
complete -c ninefold -n '_shtab_ninefold_using train generate' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l option -xka "first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards" -d 'an option of the rules; may be repeated'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l out -xka "(__fish_complete_directories)" -d 'the folder of the rows, where it is also resumed'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l files -x -d 'files of 40 games (default 100)'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l depth -x -d 'how deeply positions are searched (default 8)'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l random -x -d 'of the moves that are random (default 0.1)'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l seed -x -d 'of the games (default 1)'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l network -x -d 'label with this network, and not with the hand-made evaluation'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l workers -x -d 'processes (default: one a core)'
complete -c ninefold -n '_shtab_ninefold_using train generate' -l executor -xka "processes ray" -d 'where games are played'
complete -c ninefold -n '_shtab_ninefold_using train generate; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using train; and test $_shtab_ninefold_npos -eq 0' -a fit -d 'Fit a network to labelled positions, with PyTorch.'
complete -c ninefold -n '_shtab_ninefold_using train fit' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l out -xka "(__fish_complete_directories)" -d 'written after every epoch; the fit goes on from it'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l epochs -x -d 'how often all rows are seen (default 50)'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l batch -x -d 'rows in a step (default 16384)'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l rate -x -d 'the highest learning rate (default 0.01)'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l seed -x -d 'of the first weights and of the order (default 1)'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l device -x -d 'cpu or cuda (default: a GPU if there is one)'
complete -c ninefold -n '_shtab_ninefold_using train fit' -l svg -xka "(__fish_complete_path (commandline -ct))" -d 'draw the losses'
complete -c ninefold -n '_shtab_ninefold_using train; and test $_shtab_ninefold_npos -eq 0' -a export -d 'Write the network of a fit in integers, for the engine.'
complete -c ninefold -n '_shtab_ninefold_using train export' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using train export' -l out -xka "(__fish_complete_directories)" -d 'the network'
complete -c ninefold -n '_shtab_ninefold_using train; and test $_shtab_ninefold_npos -eq 0' -a alphazero -d 'Train a network by games against itself, with JAX and mctx, for the player alphazero:FILE.'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l option -xka "first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards" -d 'an option of the rules; may be repeated'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l out -xka "(__fish_complete_directories)" -d 'the folder of the run, where it is also resumed'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l iterations -x -d 'after which it ends; more of them continue a run (default 200)'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l minutes -x -d 'end after so many, to go on later'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l evaluate -x -d 'play against players after so many iterations; 0 for never (default 20)'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l against -x -d 'play against these (default: random and the levels, no expert)'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l games -x -d 'against each of them (default 40)'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l simulations -x -d 'for a move in these games (default 64)'
complete -c ninefold -n '_shtab_ninefold_using train alphazero' -l seed -x -d 'of the first weights and of the games (default 1)'
complete -c ninefold -n '_shtab_ninefold_using train alphazero; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a puzzles -d 'Solve puzzles: positions in which exactly one move wins.'
complete -c ninefold -n '_shtab_ninefold_using puzzles' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using puzzles; and test $_shtab_ninefold_npos -eq 0' -a show -d 'Draw a puzzle.'
complete -c ninefold -n '_shtab_ninefold_using puzzles show' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using puzzles show' -l solution -d 'print the moves of the solution too'
complete -c ninefold -n '_shtab_ninefold_using puzzles; and test $_shtab_ninefold_npos -eq 0' -a play -d 'Solve a puzzle at this terminal.'
complete -c ninefold -n '_shtab_ninefold_using puzzles play' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using puzzles; and test $_shtab_ninefold_npos -eq 0' -a generate -d 'Find puzzles of a game, each proven.'
complete -c ninefold -n '_shtab_ninefold_using puzzles generate' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using puzzles generate' -l count -x -d 'how many to find, in a big game (default 48)'
complete -c ninefold -n '_shtab_ninefold_using puzzles generate' -l seed -x -d 'the seed of the games in which they are found (default 1)'
complete -c ninefold -n '_shtab_ninefold_using puzzles generate' -l write -d 'write them into the set of this installation'
complete -c ninefold -n '_shtab_ninefold_using puzzles generate; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using puzzles; and test $_shtab_ninefold_npos -eq 0' -a check -d 'Prove every move of the puzzles again.'
complete -c ninefold -n '_shtab_ninefold_using puzzles check' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a perft -d 'Count the move sequences of a game.'
complete -c ninefold -n '_shtab_ninefold_using perft' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using perft' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using perft' -l option -xka "first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards" -d 'an option of the rules; may be repeated'
complete -c ninefold -n '_shtab_ninefold_using perft; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a replay -d 'Show a saved match, move by move.'
complete -c ninefold -n '_shtab_ninefold_using replay' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using replay' -l json -d 'print its shared board as JSON'
complete -c ninefold -n '_shtab_ninefold_using replay' -l record -d 'print the match as a record'
complete -c ninefold -n '_shtab_ninefold_using replay' -l log -d 'print the match as its log'
complete -c ninefold -n '_shtab_ninefold_using replay' -l rescue -d 'read a damaged or truncated log up to its last line that is whole'
complete -c ninefold -n '_shtab_ninefold_using replay' -l save -xka "(__fish_complete_path (commandline -ct))" -d 'also save the match in a new file (as a record if it ends in .record)'
complete -c ninefold -n '_shtab_ninefold_using replay; and test $_shtab_ninefold_npos -eq 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a log or a record'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a show -d 'Draw a position.'
complete -c ninefold -n '_shtab_ninefold_using show' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using show' -l json -d 'print JSON'
complete -c ninefold -n '_shtab_ninefold_using show' -l svg -xka "(__fish_complete_path (commandline -ct))" -d 'write it as an SVG picture; - for standard output'
complete -c ninefold -n '_shtab_ninefold_using show; and test $_shtab_ninefold_npos -eq 0' -ka "classic agents swap-nine squared ultimate" -d 'its id, as `ninefold games` lists it'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a serve -d 'Run a server for people, programs and agents. People open its address, which is printed, in a browser. Agents connect to /mcp there (Model Context Protocol); docs/protocol.md describes the API for programs. Every match is stored; Ctrl-C stops the server.'
complete -c ninefold -n '_shtab_ninefold_using serve' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using serve' -l host -x -d 'the address to listen at (default 127.0.0.1: this machine alone)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l port -x -d 'the port to listen at; 0 takes any free port (default 8090)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l lan -d 'let others in this network connect'
complete -c ninefold -n '_shtab_ninefold_using serve' -l public-url -x -d 'the address of this server for others, if it is behind a proxy'
complete -c ninefold -n '_shtab_ninefold_using serve' -l data -xka "(__fish_complete_directories)" -d 'the folder where matches are stored, without --database'
complete -c ninefold -n '_shtab_ninefold_using serve' -l database -x -d 'store matches in PostgreSQL: postgresql://host/name'
complete -c ninefold -n '_shtab_ninefold_using serve' -l workers -x -d 'the number of processes; more than one need PostgreSQL (default 1)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l metrics -x -d 'serve metrics for Prometheus at this address'
complete -c ninefold -n '_shtab_ninefold_using serve' -l traces -x -d 'send OpenTelemetry traces there, by OTLP over HTTP'
complete -c ninefold -n '_shtab_ninefold_using serve' -l proxy -x -d 'trust the X-Forwarded headers of this proxy'
complete -c ninefold -n '_shtab_ninefold_using serve' -l keep-days -x -d 'delete matches that ended N days ago (default: never)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l matches -x -d 'how many matches may be open or live at a time; more are refused (default 50000)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l cached -x -d 'how many matches are cached in memory, in each process (default 10000)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l engines -x -d 'how many bot moves are computed at a time, in each process (default 1)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l rate -x -d 'writes a second from one address (default 50)'
complete -c ninefold -n '_shtab_ninefold_using serve' -l quiet -d 'log only warnings and errors'
complete -c ninefold -n '_shtab_ninefold_using serve' -l until-eof -d 'stop when standard input ends; for programs that start a server'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a mcp -d 'Let an agent play over the Model Context Protocol. The host of the agent starts this command and speaks to it through standard input and output: docs/agents.md has the settings of hosts. Without --server the agent plays against the computer; with --server it plays against people and other agents there.'
complete -c ninefold -n '_shtab_ninefold_using mcp' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using mcp' -l server -x -d 'play on this server: its address, or an invitation'
complete -c ninefold -n '_shtab_ninefold_using mcp' -l data -xka "(__fish_complete_directories)" -d 'the folder where matches are stored, without --server'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a backup -d 'Write all stored matches to a file, also while the server runs.'
complete -c ninefold -n '_shtab_ninefold_using backup' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using backup' -l data -xka "(__fish_complete_directories)" -d 'the folder where matches are stored'
complete -c ninefold -n '_shtab_ninefold_using backup' -l database -x -d 'a PostgreSQL database, instead of --data: postgresql://host/name'
complete -c ninefold -n '_shtab_ninefold_using backup; and test $_shtab_ninefold_npos -eq 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a new file; compressed if its name ends in .gz'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a restore -d 'Restore the matches of a backup into an empty database.'
complete -c ninefold -n '_shtab_ninefold_using restore' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using restore' -l data -xka "(__fish_complete_directories)" -d 'the folder where matches are stored'
complete -c ninefold -n '_shtab_ninefold_using restore' -l database -x -d 'a PostgreSQL database, instead of --data: postgresql://host/name'
complete -c ninefold -n '_shtab_ninefold_using restore; and test $_shtab_ninefold_npos -eq 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a backup'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a delete -d 'Delete stored matches, also while the server runs.'
complete -c ninefold -n '_shtab_ninefold_using delete' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using delete' -l data -xka "(__fish_complete_directories)" -d 'the folder where matches are stored'
complete -c ninefold -n '_shtab_ninefold_using delete' -l database -x -d 'a PostgreSQL database, instead of --data: postgresql://host/name'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a help -d 'Explain a command.'
complete -c ninefold -n '_shtab_ninefold_using help' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using help; and test $_shtab_ninefold_npos -ge 0' -ka "play watch games rules solve analyze engine arena agents train puzzles perft replay show serve mcp backup restore delete help completion" -d 'a command; by default all are listed'
complete -c ninefold -n '_shtab_ninefold_using; and test $_shtab_ninefold_npos -eq 0' -a completion -d 'Print a shell completion script.'
complete -c ninefold -n '_shtab_ninefold_using completion' -s h -l help -d 'show this help message and exit'
complete -c ninefold -n '_shtab_ninefold_using completion; and test $_shtab_ninefold_npos -eq 0' -ka "bash zsh fish" -d shell
