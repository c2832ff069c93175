// Completion for zsh, with the description of every command and option.

import { type CommandNode, type OptionNode, pathsOf, type ValueKind, workspaceOptions } from './command-tree.ts';

export function zshCompletion(program: CommandNode): string {
  const paths = pathsOf(program);
  const commands = paths
    .filter(({ command }) => command.commands.length > 0)
    .map(
      ({ path, command }) =>
        `    '${path}') reply=(${command.commands.map(({ name, words }) => described(name, words)).join(' ')}) ;;`,
    );
  const options = paths.map(({ path, options: all }) => {
    const entries = all.flatMap(({ names, words }) => names.map((name) => described(name, words)));
    return `    '${path}') reply=(${entries.join(' ')}) ;;`;
  });
  const values = paths.flatMap(({ path, options: all }) =>
    all.flatMap((option) =>
      option.value === undefined
        ? []
        : option.names.map((name) => `    '${path} ${name}') REPLY='${kindOf(option.value as ValueKind, option)}' ;;`),
    ),
  );
  const args = paths.flatMap(({ path, command }) =>
    command.argument === undefined ? [] : `    '${path}') REPLY='${kindOf(command.argument)}' ;;`,
  );
  return `#compdef almanac
# Completion of almanac for zsh. Try it with
#   source <(almanac completion zsh)
# To keep it, write it to a file _almanac in a folder of $fpath.

_almanac_commands() {
  reply=()
  case "$1" in
${commands.join('\n')}
  esac
}

_almanac_options() {
  reply=()
  case "$1" in
${options.join('\n')}
  esac
}

# What follows an option: "KIND WORDS"; a kind that ends in + may be followed by more, one that ends in ? left out.
_almanac_value() {
  REPLY=''
  case "$1 $2" in
${values.join('\n')}
  esac
}

_almanac_argument() {
  REPLY=''
  case "$1" in
${args.join('\n')}
  esac
}

_almanac_complete() {
  local kind="\${1%% *}" line name tab=$'\\t'
  local -a offered
  case "$kind" in
    asked*)
      # Commas separate selectors: the last one is completed.
      [[ "$1" == 'asked selectors' ]] && compset -P '*,'
      for line in \${(f)"$("\${words[1]}" "\${workspace[@]}" complete-words --described "\${1#* }" 2>/dev/null)"}; do
        # In what _describe reads, a backslash is an escape, and a colon ends the word.
        name="\${line%%$tab*}"
        offered+=("\${name//:/\\\\:}\${\${\${line#"$name"}//\\\\/\\\\\\\\}/$tab/:}")
      done
      (( $#offered )) && _describe -t words word offered
      ;;
    choice*) compadd -- \${=1#* } ;;
    folder*) _files -/ ;;
    file*) _files ;;
  esac
}

_almanac() {
  local where='' expected='' option='' word REPLY
  local -a workspace reply
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ "$word" == --*=* ]]; then
      case "\${word%%=*}" in
        ${workspaceOptions.filter((name) => name.startsWith('--')).join('|')}) workspace+=("$word") ;;
      esac
      expected=''
    elif [[ "$word" == -* ]]; then
      option="$word"
      _almanac_value "$where" "$word"
      expected="$REPLY"
    elif [[ -n "$expected" ]]; then
      case "$option" in
        ${workspaceOptions.join('|')}) workspace+=("$option" "$word") ;;
      esac
      [[ "\${expected%% *}" == *+ ]] || expected=''
    else
      _almanac_commands "$where"
      (( \${reply[(I)$word:*]} )) && where="\${where:+$where }$word"
    fi
  done
  word="\${words[CURRENT]}"
  if [[ "$word" == --*=* ]]; then
    _almanac_value "$where" "\${word%%=*}"
    compset -P '*='
    _almanac_complete "$REPLY"
    return
  fi
  if [[ "$word" == -* ]]; then
    _almanac_options "$where"
    _describe -o option reply
    return
  fi
  if [[ -n "$expected" ]]; then
    _almanac_complete "$expected"
    [[ "\${expected%% *}" == *'?'* ]] || return
  fi
  _almanac_commands "$where"
  (( $#reply )) && _describe command reply
  _almanac_argument "$where"
  [[ -n "$REPLY" ]] && _almanac_complete "$REPLY"
}

if [[ "$funcstack[1]" == _almanac ]]; then
  _almanac "$@"
else
  compdef _almanac almanac
fi
`;
}

/** \`name:words\` in single quotes; a colon ends the name. */
function described(name: string, words: string): string {
  return `'${name}:${words.replaceAll("'", `'\\''`)}'`;
}

function kindOf(value: ValueKind, option?: OptionNode): string {
  const marks = `${option?.optional ? '?' : ''}${option?.several ? '+' : ''}`;
  if (value.type === 'choice') return `choice${marks} ${value.choices.join(' ')}`;
  return value.type === 'asked' ? `asked${marks} ${value.asked}` : `${value.type}${marks}`;
}
