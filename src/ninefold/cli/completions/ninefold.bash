# Completion of ninefold for bash. Install it where bash-completion looks:
#   mkdir -p ~/.local/share/bash-completion/completions
#   ninefold completion bash > ~/.local/share/bash-completion/completions/ninefold

_shtab_ninefold_agents_subparsers=(evaluate report leaderboard)
_shtab_ninefold_train_subparsers=(generate fit export alphazero)
_shtab_ninefold_puzzles_subparsers=(show play generate check)
_shtab_ninefold_moderate_subparsers=(reports resolve ban unban bans names)
_shtab_ninefold_subparsers=(play watch games rules solve analyze engine arena agents train data puzzles perft replay show serve site mcp backup restore delete moderate help completion)

_shtab_ninefold_play_option_strings=(-h --help --x --x-name --o --o-name --first --seed --save --load --pause --join --name --dashes --option)
_shtab_ninefold_watch_option_strings=(-h --help)
_shtab_ninefold_games_option_strings=(-h --help --json)
_shtab_ninefold_rules_option_strings=(-h --help)
_shtab_ninefold_solve_option_strings=(-h --help --json --option)
_shtab_ninefold_analyze_option_strings=(-h --help --json --time --nodes --depth --lines --threads --memory)
_shtab_ninefold_engine_option_strings=(-h --help)
_shtab_ninefold_arena_option_strings=(-h --help --json --option --pairs --sprt --alpha --beta --openings --adjudicate --seed --workers --executor --log --svg)
_shtab_ninefold_agents_evaluate_option_strings=(-h --help --json --out --server --isolation)
_shtab_ninefold_agents_report_option_strings=(-h --help --json --nodes --data --database)
_shtab_ninefold_agents_leaderboard_option_strings=(-h --help --json --html --csv --parquet --inspect --dataset --nodes)
_shtab_ninefold_agents_option_strings=(-h --help)
_shtab_ninefold_train_generate_option_strings=(-h --help --option --out --files --depth --random --seed --network --workers --executor)
_shtab_ninefold_train_fit_option_strings=(-h --help --out --epochs --batch --rate --seed --device --svg)
_shtab_ninefold_train_export_option_strings=(-h --help --out)
_shtab_ninefold_train_alphazero_option_strings=(-h --help --option --out --iterations --minutes --evaluate --against --games --simulations --seed)
_shtab_ninefold_train_option_strings=(-h --help)
_shtab_ninefold_data_option_strings=(-h --help --games --positions --depth --seed --workers --check)
_shtab_ninefold_puzzles_show_option_strings=(-h --help --solution)
_shtab_ninefold_puzzles_play_option_strings=(-h --help)
_shtab_ninefold_puzzles_generate_option_strings=(-h --help --count --seed --write)
_shtab_ninefold_puzzles_check_option_strings=(-h --help)
_shtab_ninefold_puzzles_option_strings=(-h --help)
_shtab_ninefold_perft_option_strings=(-h --help --json --option)
_shtab_ninefold_replay_option_strings=(-h --help --json --record --log --rescue --save)
_shtab_ninefold_show_option_strings=(-h --help --json --svg)
_shtab_ninefold_serve_option_strings=(-h --help --host --port --lan --public-url --data --database --workers --metrics --traces --proxy --keep-days --matches --cached --engines --rate --quiet --until-eof)
_shtab_ninefold_site_option_strings=(-h --help)
_shtab_ninefold_mcp_option_strings=(-h --help --server --data)
_shtab_ninefold_backup_option_strings=(-h --help --data --database)
_shtab_ninefold_restore_option_strings=(-h --help --data --database)
_shtab_ninefold_delete_option_strings=(-h --help --data --database)
_shtab_ninefold_moderate_reports_option_strings=(-h --help --data --database --all)
_shtab_ninefold_moderate_resolve_option_strings=(-h --help --data --database)
_shtab_ninefold_moderate_ban_option_strings=(-h --help --data --database --days --reason)
_shtab_ninefold_moderate_unban_option_strings=(-h --help --data --database)
_shtab_ninefold_moderate_bans_option_strings=(-h --help --data --database)
_shtab_ninefold_moderate_names_option_strings=(-h --help --data --database --add --remove)
_shtab_ninefold_moderate_option_strings=(-h --help)
_shtab_ninefold_help_option_strings=(-h --help)
_shtab_ninefold_completion_option_strings=(-h --help)
_shtab_ninefold_option_strings=(-h --help --version --plain --language)

_shtab_ninefold_play___save_COMPGEN=_shtab_compgen_files
_shtab_ninefold_play___load_COMPGEN=_shtab_compgen_files
_shtab_ninefold_arena___log_COMPGEN=_shtab_compgen_files
_shtab_ninefold_arena___svg_COMPGEN=_shtab_compgen_files
_shtab_ninefold_agents_evaluate_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ninefold_agents_evaluate___out_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_agents_report_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ninefold_agents_report___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_train_generate___out_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_train_fit___out_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_train_fit___svg_COMPGEN=_shtab_compgen_files
_shtab_ninefold_train_export___out_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_train_alphazero___out_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_replay_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ninefold_replay___log_COMPGEN=_shtab_compgen_files
_shtab_ninefold_replay___save_COMPGEN=_shtab_compgen_files
_shtab_ninefold_show___svg_COMPGEN=_shtab_compgen_files
_shtab_ninefold_serve___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_mcp___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_backup_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ninefold_backup___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_restore_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ninefold_restore___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_delete___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_moderate_reports___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_moderate_resolve___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_moderate_ban___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_moderate_unban___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_moderate_bans___data_COMPGEN=_shtab_compgen_dirs
_shtab_ninefold_moderate_names___data_COMPGEN=_shtab_compgen_dirs

_shtab_ninefold_play_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_play___x_choices=(human random easy medium hard perfect expert)
_shtab_ninefold_play___o_choices=(human random easy medium hard perfect expert)
_shtab_ninefold_play___first_choices=(X O toss)
_shtab_ninefold_play___option_choices=(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)
_shtab_ninefold_rules_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_solve_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_solve___option_choices=(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)
_shtab_ninefold_analyze_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_engine_pos_0_choices=(bench)
_shtab_ninefold_arena_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_arena_pos_1_choices=(random easy medium hard perfect expert)
_shtab_ninefold_arena___option_choices=(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)
_shtab_ninefold_arena___openings_choices=(random suite start)
_shtab_ninefold_arena___executor_choices=(processes ray)
_shtab_ninefold_agents_evaluate___isolation_choices=(auto bubblewrap users none)
_shtab_ninefold_agents_pos_0_choices=(evaluate report leaderboard)
_shtab_ninefold_train_generate_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_train_generate___option_choices=(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)
_shtab_ninefold_train_generate___executor_choices=(processes ray)
_shtab_ninefold_train_alphazero_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_train_alphazero___option_choices=(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)
_shtab_ninefold_train_pos_0_choices=(generate fit export alphazero)
_shtab_ninefold_puzzles_generate_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_puzzles_pos_0_choices=(show play generate check)
_shtab_ninefold_perft_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_perft___option_choices=(first=X first=O line_ends=yes line_ends=no claims=yes claims=no early_draw=yes early_draw=no drawn=both drawn=nobody tie_break=none tie_break=boards)
_shtab_ninefold_show_pos_0_choices=(classic agents swap-nine squared ultimate)
_shtab_ninefold_moderate_pos_0_choices=(reports resolve ban unban bans names)
_shtab_ninefold_help_pos_0_choices=(play watch games rules solve analyze engine arena agents train data puzzles perft replay show serve site mcp backup restore delete moderate help completion)
_shtab_ninefold_completion_pos_0_choices=(bash zsh fish)
_shtab_ninefold_pos_0_choices=(play watch games rules solve analyze engine arena agents train data puzzles perft replay show serve site mcp backup restore delete moderate help completion)
_shtab_ninefold___language_choices=(en de fr es)

_shtab_ninefold_play__h_nargs=0
_shtab_ninefold_play___help_nargs=0
_shtab_ninefold_play___dashes_nargs=0
_shtab_ninefold_watch__h_nargs=0
_shtab_ninefold_watch___help_nargs=0
_shtab_ninefold_games__h_nargs=0
_shtab_ninefold_games___help_nargs=0
_shtab_ninefold_games___json_nargs=0
_shtab_ninefold_rules__h_nargs=0
_shtab_ninefold_rules___help_nargs=0
_shtab_ninefold_solve__h_nargs=0
_shtab_ninefold_solve___help_nargs=0
_shtab_ninefold_solve___json_nargs=0
_shtab_ninefold_analyze_pos_1_nargs='*'
_shtab_ninefold_analyze__h_nargs=0
_shtab_ninefold_analyze___help_nargs=0
_shtab_ninefold_analyze___json_nargs=0
_shtab_ninefold_engine__h_nargs=0
_shtab_ninefold_engine___help_nargs=0
_shtab_ninefold_arena_pos_1_nargs=+
_shtab_ninefold_arena__h_nargs=0
_shtab_ninefold_arena___help_nargs=0
_shtab_ninefold_arena___json_nargs=0
_shtab_ninefold_arena___adjudicate_nargs=0
_shtab_ninefold_agents_evaluate__h_nargs=0
_shtab_ninefold_agents_evaluate___help_nargs=0
_shtab_ninefold_agents_evaluate___json_nargs=0
_shtab_ninefold_agents_report_pos_0_nargs=+
_shtab_ninefold_agents_report__h_nargs=0
_shtab_ninefold_agents_report___help_nargs=0
_shtab_ninefold_agents_report___json_nargs=0
_shtab_ninefold_agents_leaderboard_pos_0_nargs=+
_shtab_ninefold_agents_leaderboard__h_nargs=0
_shtab_ninefold_agents_leaderboard___help_nargs=0
_shtab_ninefold_agents_leaderboard___json_nargs=0
_shtab_ninefold_agents_pos_0_nargs=A...
_shtab_ninefold_agents__h_nargs=0
_shtab_ninefold_agents___help_nargs=0
_shtab_ninefold_train_generate__h_nargs=0
_shtab_ninefold_train_generate___help_nargs=0
_shtab_ninefold_train_fit__h_nargs=0
_shtab_ninefold_train_fit___help_nargs=0
_shtab_ninefold_train_export__h_nargs=0
_shtab_ninefold_train_export___help_nargs=0
_shtab_ninefold_train_alphazero__h_nargs=0
_shtab_ninefold_train_alphazero___help_nargs=0
_shtab_ninefold_train_alphazero___against_nargs=+
_shtab_ninefold_train_pos_0_nargs=A...
_shtab_ninefold_train__h_nargs=0
_shtab_ninefold_train___help_nargs=0
_shtab_ninefold_data__h_nargs=0
_shtab_ninefold_data___help_nargs=0
_shtab_ninefold_data___games_nargs=+
_shtab_ninefold_data___check_nargs=0
_shtab_ninefold_puzzles_show__h_nargs=0
_shtab_ninefold_puzzles_show___help_nargs=0
_shtab_ninefold_puzzles_show___solution_nargs=0
_shtab_ninefold_puzzles_play__h_nargs=0
_shtab_ninefold_puzzles_play___help_nargs=0
_shtab_ninefold_puzzles_generate__h_nargs=0
_shtab_ninefold_puzzles_generate___help_nargs=0
_shtab_ninefold_puzzles_generate___write_nargs=0
_shtab_ninefold_puzzles_check_pos_0_nargs='*'
_shtab_ninefold_puzzles_check__h_nargs=0
_shtab_ninefold_puzzles_check___help_nargs=0
_shtab_ninefold_puzzles_pos_0_nargs=A...
_shtab_ninefold_puzzles__h_nargs=0
_shtab_ninefold_puzzles___help_nargs=0
_shtab_ninefold_perft__h_nargs=0
_shtab_ninefold_perft___help_nargs=0
_shtab_ninefold_perft___json_nargs=0
_shtab_ninefold_replay__h_nargs=0
_shtab_ninefold_replay___help_nargs=0
_shtab_ninefold_replay___json_nargs=0
_shtab_ninefold_replay___record_nargs=0
_shtab_ninefold_replay___log_nargs=0
_shtab_ninefold_replay___rescue_nargs=0
_shtab_ninefold_show_pos_1_nargs='*'
_shtab_ninefold_show__h_nargs=0
_shtab_ninefold_show___help_nargs=0
_shtab_ninefold_show___json_nargs=0
_shtab_ninefold_serve__h_nargs=0
_shtab_ninefold_serve___help_nargs=0
_shtab_ninefold_serve___lan_nargs=0
_shtab_ninefold_serve___quiet_nargs=0
_shtab_ninefold_serve___until_eof_nargs=0
_shtab_ninefold_site__h_nargs=0
_shtab_ninefold_site___help_nargs=0
_shtab_ninefold_mcp__h_nargs=0
_shtab_ninefold_mcp___help_nargs=0
_shtab_ninefold_backup__h_nargs=0
_shtab_ninefold_backup___help_nargs=0
_shtab_ninefold_restore__h_nargs=0
_shtab_ninefold_restore___help_nargs=0
_shtab_ninefold_delete_pos_0_nargs=+
_shtab_ninefold_delete__h_nargs=0
_shtab_ninefold_delete___help_nargs=0
_shtab_ninefold_moderate_reports__h_nargs=0
_shtab_ninefold_moderate_reports___help_nargs=0
_shtab_ninefold_moderate_reports___all_nargs=0
_shtab_ninefold_moderate_resolve_pos_0_nargs=+
_shtab_ninefold_moderate_resolve__h_nargs=0
_shtab_ninefold_moderate_resolve___help_nargs=0
_shtab_ninefold_moderate_ban__h_nargs=0
_shtab_ninefold_moderate_ban___help_nargs=0
_shtab_ninefold_moderate_unban__h_nargs=0
_shtab_ninefold_moderate_unban___help_nargs=0
_shtab_ninefold_moderate_bans__h_nargs=0
_shtab_ninefold_moderate_bans___help_nargs=0
_shtab_ninefold_moderate_names__h_nargs=0
_shtab_ninefold_moderate_names___help_nargs=0
_shtab_ninefold_moderate_names___add_nargs=+
_shtab_ninefold_moderate_names___remove_nargs=+
_shtab_ninefold_moderate_pos_0_nargs=A...
_shtab_ninefold_moderate__h_nargs=0
_shtab_ninefold_moderate___help_nargs=0
_shtab_ninefold_help_pos_0_nargs='*'
_shtab_ninefold_help__h_nargs=0
_shtab_ninefold_help___help_nargs=0
_shtab_ninefold_completion__h_nargs=0
_shtab_ninefold_completion___help_nargs=0
_shtab_ninefold_pos_0_nargs=A...
_shtab_ninefold__h_nargs=0
_shtab_ninefold___help_nargs=0
_shtab_ninefold___version_nargs=0
_shtab_ninefold___plain_nargs=0


# $1=COMP_WORDS[1]
_shtab_compgen_files() {
  compgen -f -- $1  # files
}

# $1=COMP_WORDS[1]
_shtab_compgen_dirs() {
  compgen -d -- $1  # recurse into subdirs
}

# $1=COMP_WORDS[1]
_shtab_replace_nonword() {
  echo "${1//[^[:word:]]/_}"
}

# set default values (called for the initial parser & any subparsers)
_set_parser_defaults() {
  local subparsers_var="${prefix}_subparsers[@]"
  sub_parsers=${!subparsers_var-}

  local current_option_strings_var="${prefix}_option_strings[@]"
  current_option_strings=${!current_option_strings_var}

  completed_positional_actions=0

  _set_new_action "pos_$completed_positional_actions" true
}

# $1=action identifier
# $2=positional action (bool)
# set all identifiers for an action's parameters
_set_new_action() {
  current_action="${prefix}_$(_shtab_replace_nonword $1)"

  local current_action_compgen_var=${current_action}_COMPGEN
  current_action_compgen="${!current_action_compgen_var-}"

  local current_action_choices_var="${current_action}_choices[@]"
  current_action_choices="${!current_action_choices_var-}"

  local current_action_nargs_var="${current_action}_nargs"
  if [ -n "${!current_action_nargs_var-}" ]; then
    current_action_nargs="${!current_action_nargs_var}"
  else
    current_action_nargs=1
  fi

  current_action_args_start_index=$(( $word_index + 1 - $pos_only ))

  current_action_is_positional=$2
}

# Notes:
# `COMPREPLY`: what will be rendered after completion is triggered
# `completing_word`: currently typed word to generate completions for
# `${!var}`: evaluates the content of `var` and expand its content as a variable
#     hello="world"
#     x="hello"
#     ${!x} -> ${hello} -> "world"
_shtab_ninefold() {
  local completing_word="${COMP_WORDS[COMP_CWORD]}"
  local previous_word="${COMP_WORDS[COMP_CWORD-1]}"
  local completed_positional_actions
  local current_action
  local current_action_args_start_index
  local current_action_choices
  local current_action_compgen
  local current_action_is_positional
  local current_action_nargs
  local current_option_strings
  local sub_parsers
  COMPREPLY=()

  local prefix=_shtab_ninefold
  local word_index=0
  local pos_only=0 # "--" delimiter not encountered yet
  _set_parser_defaults
  word_index=1

  # determine what arguments are appropriate for the current state
  # of the arg parser
  while [ $word_index -ne $COMP_CWORD ]; do
    local this_word="${COMP_WORDS[$word_index]}"

    if [[ $pos_only = 1 || " $this_word " != " -- " ]]; then
      if [[ -n $sub_parsers && " ${sub_parsers[@]} " == *" $this_word "* ]]; then
        # valid subcommand: add it to the prefix & reset the current action
        prefix="${prefix}_$(_shtab_replace_nonword $this_word)"
        _set_parser_defaults
      fi

      if [[ " ${current_option_strings[@]} " == *" $this_word "* ]]; then
        # a new action should be acquired (due to recognised option string or
        # no more input expected from current action);
        # the next positional action can fill in here
        _set_new_action $this_word false
      fi

      if [[ "$current_action_nargs" != "*" ]] && \
         [[ "$current_action_nargs" != "+" ]] && \
         [[ "$current_action_nargs" != "?" ]] && \
         [[ "$current_action_nargs" != *"..." ]] && \
         (( $word_index + 1 - $current_action_args_start_index - $pos_only >= \
            $current_action_nargs )); then
        $current_action_is_positional && let "completed_positional_actions += 1"
        _set_new_action "pos_$completed_positional_actions" true
      fi
    else
      pos_only=1 # "--" delimiter encountered
    fi

    let "word_index+=1"
  done

  # Generate the completions

  COMPREPLY=()
  if [[ $pos_only = 0 && "$completing_word" == -* &&
        ( -z "$current_action_compgen" || "$current_action_is_positional" = true ) ]]; then
    # optional argument started: use option strings
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
      compgen -W "${current_option_strings[*]}" -- "$completing_word")
  elif [[ "$previous_word" =~ ^[0-9\&]*[\<\>]\>?$ ]]; then
    # handle redirection operators
    compopt -o filenames 2>/dev/null || : # bash>=4
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$completing_word")
  else
    # use choices & compgen
    local action_compgen_word="$completing_word"
    # handle tab-completing in the middle of a line (#248 <- #116)
    [[ -n "$current_action_compgen" && "$completing_word" == -* ]] && action_compgen_word=""
    [ -n "$current_action_compgen" ] && {
      [[ "$current_action_compgen" =~ _(file|dir|glob|FILE|DIR|GLOB)|File|Dir|Glob ]] &&
        compopt -o filenames 2>/dev/null || : # bash>=4
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
        "$current_action_compgen" "$action_compgen_word")
    }
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
      compgen -W "${current_action_choices[*]}" -- "$completing_word")
  fi

  if [[ ${#COMPREPLY[@]} = 0 ]]; then
    # native fallback matches are not necessarily filenames (e.g. variables)
    compopt +o filenames 2>/dev/null || : # bash>=4
  fi

  return 0
}

complete -o bashdefault -F _shtab_ninefold ninefold
