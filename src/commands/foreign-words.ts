// Words of other tools for commands and options, and what does it here. What is only misspelt, program.ts answers.

import { command } from '../model/values/command.ts';
import type { AnyCommand } from './base/command.ts';

interface ForeignOption {
  readonly words: readonly string[];
  /** Options with that meaning. The first that the command has is offered. */
  readonly options?: readonly string[];
  /** For commands where it would mean something else. */
  readonly at?: Readonly<Record<string, string>>;
  /** For all other commands. */
  readonly otherwise?: string;
}

const removing = 'Remove the declarations: almanac plan shows what an apply deletes then';
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
  { words: ['--destroy', '--delete'], otherwise: removing },
  { words: ['-e', '--environment', '--stage', '--profile', '--workspace'], options: ['--env'] },
  { words: ['--cwd', '--dir', '--directory', '--root'], options: ['--chdir'] },
  { words: ['--debug', '--trace'], options: ['--verbose'] },
  { words: ['--silent'], options: ['--quiet'] },
  {
    words: ['--token', '--api-token', '--api-key', '--key'],
    otherwise: 'Set the environment variable OMNI_API_TOKEN: a token does not belong in a command line',
  },
];

const foreignCommands: readonly { readonly words: readonly string[]; readonly inAlmanac: string }[] = [
  { words: ['destroy', 'delete', 'remove', 'rm', 'down'], inAlmanac: removing },
  { words: ['diff'], inAlmanac: 'almanac plan compares the files with the state, almanac drift the state with Omni' },
  { words: ['run', 'execute'], inAlmanac: 'almanac apply applies the files, almanac trigger delivers at once' },
  {
    words: ['send', 'deliver'],
    inAlmanac: 'almanac trigger delivers at once what was applied, almanac test what is declared',
  },
  {
    words: ['pause', 'disable', 'stop', 'suspend'],
    inAlmanac: 'Write `paused: true` in the declaration, and apply it',
  },
  {
    words: ['resume', 'enable', 'unpause', 'start'],
    inAlmanac: 'Remove `paused: true` from the declaration, and apply it',
  },
  {
    words: ['pull', 'export', 'fetch', 'dump'],
    inAlmanac:
      'almanac import writes declarations for what exists in Omni, almanac drift --write what others changed, almanac state pull the state',
  },
  {
    words: ['sync', 'reconcile'],
    inAlmanac: 'almanac apply makes Omni what the files say, almanac drift --write the files what others made of Omni',
  },
  {
    words: ['refresh'],
    inAlmanac: 'almanac drift shows what others changed in Omni, almanac apply --refresh-only records the changes',
  },
  { words: ['deploy', 'push', 'up', 'publish', 'release'], inAlmanac: 'almanac apply makes Omni what the files say' },
  {
    words: ['create', 'add', 'new', 'edit', 'update', 'set'],
    inAlmanac: 'Edit a file in schedules, then almanac plan and almanac apply',
  },
  {
    words: ['ls', 'get'],
    inAlmanac: 'almanac state list lists what is tracked, almanac list documents the dashboards of Omni',
  },
  {
    words: ['check', 'lint', 'verify'],
    inAlmanac: 'almanac validate checks the files, almanac doctor what an apply needs',
  },
  { words: ['format', 'prettier'], inAlmanac: 'almanac fmt formats the files' },
  { words: ['mv', 'rename'], inAlmanac: 'Write the new key, and almanac plan shows the `moved` entry to add' },
  {
    words: ['transfer', 'reassign', 'handover'],
    inAlmanac: 'almanac offboard hands over what a person owns and receives',
  },
  {
    words: ['rollback', 'undo', 'revert'],
    inAlmanac: 'git revert restores the files, then almanac apply what they say in Omni',
  },
  { words: ['history', 'log'], inAlmanac: 'git log shows what was changed, almanac state history the states' },
  {
    words: ['taint', 'recreate'],
    inAlmanac: 'almanac apply --replace ADDRESS deletes a schedule and creates it again',
  },
  { words: ['login', 'auth'], inAlmanac: 'Set the environment variable OMNI_API_TOKEN; almanac doctor checks it' },
  { words: ['version'], inAlmanac: 'The option --version prints it' },
];

/** What to write instead of an option that the command does not have. */
export function optionHere(word: string, command: AnyCommand): string | undefined {
  const has = (option: string) => optionsOf(command).some(({ long }) => long === option.split(' ')[0]);
  // Terraform's options have one dash.
  if (/^-[a-z]{2}/.test(word) && has(`-${word}`)) return `Write -${word}`;
  const row = foreignOptions.find(({ words }) => words.includes(word));
  if (row === undefined) return undefined;
  const offered = row.options?.find(has);
  const here = row.at?.[command.name()];
  return here ?? (offered === undefined ? row.otherwise : `Write ${offered}`);
}

/** What does here what another tool calls so; or the command of a group that has that name. */
export function commandHere(word: string, program: AnyCommand): string | undefined {
  const inGroup = program.commands.find(({ commands }) => commands.some((each) => each.name() === word));
  return (
    foreignCommands.find(({ words }) => words.includes(word))?.inAlmanac ??
    (inGroup === undefined ? undefined : `Did you mean ${command(`${inGroup.name()} ${word}`)}?`)
  );
}

function optionsOf(command: AnyCommand): AnyCommand['options'] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)];
}
