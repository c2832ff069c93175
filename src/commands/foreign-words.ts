// Options of other tools, with their equivalents here. program.ts answers misspelled ones.

import type { AnyCommand } from './base/command.ts';

interface ForeignOption {
  readonly words: readonly string[];
  /** Options with that meaning. The first that the command has is offered. */
  readonly options?: readonly string[];
  /** Words for commands where it would mean something else. */
  readonly at?: Readonly<Record<string, string>>;
  /** Words for all other commands. */
  readonly otherwise?: string;
}

const allFiles = 'It reads all source files; --target ADDRESS chooses from what they declare';
const dryRun = 'almanac plan shows what almanac apply would do';
const inGit = 'It changes files alone: commit first, and git diff shows what it wrote';

const foreignOptions: readonly ForeignOption[] = [
  {
    words: ['--dry-run', '--dry', '--dryrun', '--noop', '--what-if'],
    options: ['--check'],
    at: {
      plan: dryRun,
      apply: dryRun,
      fold: inGit,
      import: 'It changes nothing in Omni: with --out it writes to another folder, and git diff shows what it wrote',
      drift: 'It changes nothing without --write',
      offboard: 'It changes nothing without --write or --apply',
      trigger: 'It says first what it would deliver, and asks',
      test: 'It says first what it would deliver, and asks',
    },
  },
  { words: ['--json', '--as-json'], options: ['--format json'] },
  { words: ['-o', '--output'], options: ['--out', '--format'] },
  {
    words: ['-y', '--yes', '--assume-yes', '--no-input', '--no-confirm', '--non-interactive'],
    options: ['--auto-approve', '--yes'],
  },
  {
    words: ['--fix', '--write', '--save', '--in-place'],
    at: {
      drift:
        'almanac drift --write writes what others changed into the files, almanac apply --refresh=deep undoes such changes',
      fmt: 'It writes without an option; --check writes nothing',
      validate: 'almanac fmt formats the files; what is wrong in them, a person must decide',
      plan: 'almanac apply makes the changes',
    },
    options: ['--write'],
  },
  { words: ['--successor', '--new-owner', '--transfer-to', '--replacement'], options: ['--to'] },
  { words: ['-t', '-s', '--only', '--select', '--filter', '--include', '--resource'], options: ['--target'] },
  { words: ['-f', '--file', '--filename'], at: { plan: allFiles, apply: allFiles }, options: ['--csv', '--force'] },
  { words: ['--overwrite'], options: ['--force'] },
  {
    words: ['--destroy', '--delete'],
    otherwise: 'Remove the declarations: almanac plan shows what an apply deletes then',
  },
  { words: ['-e', '--environment', '--stage', '--profile', '--workspace'], options: ['--env'] },
  { words: ['--cwd', '--dir', '--directory', '--root'], options: ['--chdir'] },
  { words: ['--debug', '--trace'], options: ['--verbose'] },
  { words: ['--silent'], options: ['--quiet'] },
  {
    words: ['--token', '--api-token', '--api-key', '--key'],
    otherwise: 'Set the environment variable OMNI_API_TOKEN: a token does not belong in a command line',
  },
];

/** The word to use instead of an option that the command does not have. */
export function optionHere(word: string, command: AnyCommand): string | undefined {
  const has = (option: string) => optionsOf(command).some(({ long }) => long === option.split(' ')[0]);
  // Terraform's options have one dash.
  if (/^-[a-z]{2}/.test(word) && has(`-${word}`)) return `Write -${word}`;
  const row = foreignOptions.find(({ words }) => words.includes(word));
  if (row === undefined) return valueInName(word, command);
  const offered = row.options?.find(has);
  const here = row.at?.[command.name()];
  return here ?? (offered === undefined ? row.otherwise : `Write ${offered}`);
}

/** `Did you mean --allow empty?` for `--allow-empty`. */
function valueInName(word: string, command: AnyCommand): string | undefined {
  for (const { long, parseArg } of optionsOf(command)) {
    if (long == null || parseArg === undefined || !word.startsWith(`${long}-`)) continue;
    const value = word.slice(long.length + 1);
    try {
      parseArg(value, undefined);
      return `Did you mean ${long} ${value}?`;
    } catch {}
  }
  return undefined;
}

function optionsOf(command: AnyCommand): AnyCommand['options'] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)];
}
