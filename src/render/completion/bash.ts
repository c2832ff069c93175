// Completion for bash, from 3.2 on, without the package bash-completion.

import { type CommandNode, type OptionNode, pathsOf, type ValueKind, workspaceOptions } from './command-tree.ts';

export function bashCompletion(program: CommandNode): string {
  const paths = pathsOf(program);
  const children = paths
    .filter(({ command }) => command.commands.length > 0)
    .map(({ path, command }) => `    '${path}') echo '${command.commands.map(({ name }) => name).join(' ')}' ;;`);
  const options = paths.map(
    ({ path, options: all }) => `    '${path}') echo '${all.flatMap(({ names }) => names).join(' ')}' ;;`,
  );
  const values = paths.flatMap(({ path, options: all }) =>
    all.flatMap((option) => {
      const kind = option.value === undefined ? undefined : kindOf(option.value, option);
      return kind === undefined ? [] : option.names.map((name) => `    '${path} ${name}') echo '${kind}' ;;`);
    }),
  );
  const globals = program.options.flatMap((option) =>
    option.value === undefined
      ? []
      : option.names.map((name) => `    *' ${name}') echo '${kindOf(option.value as ValueKind, option)}' ;;`),
  );
  const args = paths.flatMap(({ path, command }) =>
    command.argument === undefined ? [] : `    '${path}') echo '${kindOf(command.argument)}' ;;`,
  );
  return `# Completion of almanac for bash. Try it with
#   source <(almanac completion bash)
# and put that line into ~/.bashrc to keep it.

_almanac_commands() {
  case "$1" in
${children.join('\n')}
  esac
}

_almanac_options() {
  case "$1" in
${options.join('\n')}
  esac
}

# What follows an option: "KIND WORDS"; a kind that ends in + may be followed by more, one that ends in ? left out.
_almanac_value() {
  case "$1 $2" in
${values.filter((line) => !globals.some((global) => isCovered(line, global))).join('\n')}
${globals.join('\n')}
  esac
}

_almanac_argument() {
  case "$1" in
${args.join('\n')}
  esac
}

_almanac_complete() {
  local kind="\${1%% *}" cur="$2" before="$3" listed='' word
  # Commas separate selectors: the last one is completed.
  case "$1 $before$cur" in 'asked selectors '*,*) listed="$before$cur"; listed="\${listed%,*}," ;; esac
  case "$kind" in
    asked*)
      # Not with compgen -W, which would expand the words.
      while IFS= read -r word; do
        word="$listed$word"
        case "$word" in "$before$cur"*) COMPREPLY+=("\${word#"$before"}") ;; esac
      done < <("\${COMP_WORDS[0]}" "\${workspace[@]}" complete-words "\${1#* }" 2>/dev/null)
      ;;
    choice*) COMPREPLY+=($(compgen -W "\${1#* }" -- "$cur")) ;;
    folder*) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
    file*) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
  esac
}

_almanac() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' expected='' option='' held='' before='' word i
  local workspace=()
  COMPREPLY=()
  [ "$cur" = '=' ] && cur=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      '=') ;;
      # Bash splits a value at these: tag:board, owner:@acme/finance.
      [:@]*) [ -n "$held" ] && expected="$held" before="$before$word" ;;
      -*) option="$word"; expected="$(_almanac_value "$path" "$word")"; held='' before='' ;;
      *)
        if [ -n "$expected" ]; then
          held="$expected"
          case "$before" in *[:@]) before="$before$word" ;; *) before="$word" ;; esac
          case "$option" in
            ${workspaceOptions.join('|')}) workspace+=("$option" "$word") ;;
          esac
          case "\${expected%% *}" in *+) ;; *) expected='' ;; esac
        elif [[ " $(_almanac_commands "$path") " == *" $word "* ]]; then
          path="\${path:+$path }$word"
        fi
        ;;
    esac
  done
  if [[ "$cur" == [:@]* && -n "$held" ]]; then
    expected="$held" before="$before$cur" cur=''
  fi
  case "$before" in *[:@]) ;; *) before='' ;; esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "$(_almanac_options "$path")" -- "$cur"))
    return
  fi
  if [ -n "$expected" ]; then
    _almanac_complete "$expected" "$cur" "$before"
    case "\${expected%% *}" in *'?'*) ;; *) return ;; esac
  fi
  COMPREPLY+=($(compgen -W "$(_almanac_commands "$path")" -- "$cur"))
  _almanac_complete "$(_almanac_argument "$path")" "$cur"
}

complete -F _almanac almanac
`;
}

function kindOf(value: ValueKind, option?: OptionNode): string {
  const marks = `${option?.optional ? '?' : ''}${option?.several ? '+' : ''}`;
  if (value.type === 'choice') return `choice${marks} ${value.choices.join(' ')}`;
  return value.type === 'asked' ? `asked${marks} ${value.asked}` : `${value.type}${marks}`;
}

/** Options of the program are the same at every command. */
function isCovered(line: string, global: string): boolean {
  const name = /^ {4}\*'( [^']+)'/.exec(global)?.[1] ?? '';
  return line.includes(`${name}')`) && line.slice(line.indexOf(')')) === global.slice(global.indexOf(')'));
}
