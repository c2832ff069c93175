// Completion for fish: a line for every command, option and argument.

import { type CommandNode, type OptionNode, pathsOf, type ValueKind, workspaceOptions } from './command-tree.ts';

export function fishCompletion(program: CommandNode): string {
  const paths = pathsOf(program);
  const valued = paths.flatMap(({ options }) =>
    options.filter(({ value, optional }) => value !== undefined && !optional).flatMap(({ names }) => names),
  );
  const lines = paths.flatMap(({ path, command }) => {
    const at = `-n '__almanac_at ${quoted(path)}'`;
    return [
      ...command.commands.map(({ name, words }) => `complete -c almanac ${at} -f -a ${name} -d ${quoted(words)}`),
      ...command.options.flatMap((option) => optionLines(option, path === '' ? '' : at, path)),
      ...(command.argument === undefined ? [] : [`complete -c almanac ${at} ${valuePart(command.argument)}`]),
    ];
  });
  return `# Completion of almanac for fish. Try it with
#   almanac completion fish | source
# and write it to ~/.config/fish/completions/almanac.fish to keep it.

# The command that the line names so far, such as "state list".
function __almanac_path
    set -l known ${paths.flatMap(({ path }) => (path === '' ? [] : quoted(path))).join(' ')}
    set -l valued ${[...new Set(valued)].join(' ')}
    set -l path ''
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word $valued
            set skip 1
        else if not string match -q -- '-*' $word
            set -l longer (string trim -- "$path $word")
            contains -- $longer $known; and set path $longer
        end
    end
    echo $path
end

function __almanac_at
    test (__almanac_path) = "$argv"
end

function __almanac_words
    set -l words (commandline -opc)
    set -l workspace
    for index in (seq 2 (count $words))
        if contains -- $words[$index] ${workspaceOptions.join(' ')}; and test $index -lt (count $words)
            set -a workspace $words[$index] $words[(math $index + 1)]
        end
    end
    # Commas separate selectors: the last one is completed.
    set -l listed
    if test "$argv" = selectors
        set listed (string match -r -- '^(?:--select=)?(.*,)' (commandline -ct))[2]
    end
    for line in ($words[1] $workspace complete-words --described $argv 2>/dev/null)
        echo -- "$listed$line"
    end
end

complete -c almanac -f
${lines.join('\n')}
`;
}

function optionLines(option: OptionNode, at: string, path: string): readonly string[] {
  const { names, words, value, optional, several } = option;
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const given = value === undefined || optional ? '' : ` ${valuePart(value, true)}`;
  const choices = optional && value?.type === 'choice' ? ` -f -a ${quoted(value.choices.join(' '))}` : '';
  const line = ['complete -c almanac', at, ...flags].filter(Boolean).join(' ');
  const more =
    several && value?.type === 'asked'
      ? names.map(
          (name) =>
            `complete -c almanac -n '__almanac_at ${quoted(path)}; and contains -- ${name} (commandline -opc)' -f -a '(__almanac_words ${value.asked})'`,
        )
      : [];
  return [`${line}${given}${choices} -d ${quoted(words)}`, ...more];
}

function valuePart(value: ValueKind, required = false): string {
  const needs = required ? '-x' : '-f';
  switch (value.type) {
    case 'asked':
      return `${needs} -a '(__almanac_words ${value.asked})'`;
    case 'choice':
      return `${needs} -a ${quoted(value.choices.join(' '))}`;
    case 'folder':
      return `${needs} -a '(__fish_complete_directories)'`;
    case 'file':
      return required ? '-r -F' : '-F';
    case 'text':
      return needs;
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\$]/g, '\\$&')}"`;
}
