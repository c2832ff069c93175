// The program: its global options, and the table of its commands.

import {
  Command,
  CommanderError,
  type Help,
  InvalidArgumentError,
  type ParseOptionsResult,
} from '@commander-js/extra-typings';
import { command } from '../model/values/command.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Advisable } from '../report/wording.ts';
import { printedVersion } from '../version.ts';
import { type AnyCommand, withGlobalOptions } from './base/command.ts';
import { type RunCommand, withOptions } from './base/define-command.ts';
import { nearestWord } from './base/option-values.ts';
import type { World } from './base/world.ts';
import { commandGroups, commandTable } from './table.ts';

const firstSteps = `
Get started
  almanac init        create a workspace with a first schedule
  almanac validate    check what you wrote
  almanac plan        see what would change; sends no request
  almanac apply       make the changes
almanac help COMMAND explains each command, with an example.`;

export function makeProgram(world: Pick<World, 'version' | 'node' | 'stdout' | 'stderr'>, start: RunCommand) {
  const { stdout, stderr } = world;
  const program = withGlobalOptions(
    new Almanac('almanac')
      .description('Report schedules and dashboard filters of an Omni organization as code.')
      .version(printedVersion(world), '-V, --version', 'print the version'),
  )
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .addHelpText('after', firstSteps)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.width,
      getErrHelpWidth: () => stderr.width,
    });
  for (const [name, { words, group, define, hidden = false }] of Object.entries(commandTable)) {
    define(program.command(name, { hidden }).description(words).helpGroup(commandGroups[group]), start);
  }
  return program;
}

/** The commands in the table that the help lists, with both names for those of a group. */
export function advisableIn({ commands }: AnyCommand): readonly Advisable[] {
  return commands.flatMap((each): readonly Advisable[] => {
    const { hidden, refuses } = commandTable[each.name()] ?? {};
    if (hidden) return [];
    if (each.commands.length === 0) return [{ name: each.name(), refuses }];
    return each.commands.map((inner) => ({ name: `${each.name()} ${inner.name()}`, refuses }));
  });
}

class Almanac extends Command {
  override createCommand(name?: string): Command {
    return new Almanac(name);
  }

  unknownCommand(): void {
    const [word = ''] = this.args;
    const suggestible = Object.entries(commandTable).filter(([, { hidden, delivers }]) => !hidden && !delivers);
    const names = this.parent === null ? suggestible.map(([name]) => name) : this.commands.map((each) => each.name());
    this.error(`error: unknown command '${word}'${nearestWord(word, names)}`);
  }

  /** The help shows this command's options, and whether its subcommands have some. */
  override createHelp(): Help {
    for (const each of [this, ...this.commands]) withOptions(each);
    return super.createHelp();
  }

  /** An option with a preset takes a value only after an equals sign: the word after it may be an argument. */
  override parseOptions(argv: string[]): ParseOptionsResult {
    nameNearest(withOptions(this));
    const end = argv.indexOf('--');
    const words = argv.map((word, index) => {
      const preset = end < 0 || index < end ? this.options.find(({ long }) => long === word)?.presetArg : undefined;
      return preset === undefined ? word : `${word}=${preset}`;
    });
    return super.parseOptions(words);
  }

  /** The parser's refusals are wrong usage like any other. Throws Failure usage. */
  override error(message: string): never {
    // A value may be a token, so it is left out.
    const shown = message.replace(/^(error: unknown option '[^'=]*)=[\s\S]*'(?=\n|$)/, "$1'");
    const [, kind, word = ''] = /^error: unknown (option|command) '([^']*)'/.exec(shown) ?? [];
    const inAlmanac =
      kind === 'option'
        ? optionHere(word, this)
        : kind === 'command' && (commandHere(word, this) ?? commandOfGroup(word, this));
    const at = shown.lastIndexOf('\n(Did you mean ');
    const near = at < 0 ? undefined : shown.slice(at + 2, -1);
    const said = shown.slice('error: '.length, at < 0 ? undefined : at);
    throw new Failure('usage', sentence(inOurWords(said)), { hint: sentence(inAlmanac || near || usageHint) });
  }
}

/** Asks whether the command of a group was meant, such as `documents` for `list documents`. */
function commandOfGroup(word: string, { parent, commands: groups }: AnyCommand): string | undefined {
  if (parent !== null) return undefined;
  const group = groups.find((each) => {
    const isListed = commandTable[each.name()]?.hidden !== true;
    return isListed && each.commands.some((inner) => inner.name() === word);
  });
  return group && `Did you mean ${command(`${group.name()} ${word}`)}?`;
}

export const usageHint = 'Use --help to list the options and arguments.';

/** The parser's phrases, and those of every other error. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^option '([^']*)' argument '([\s\S]*?)' is invalid\./, '`$1` cannot be `$2`.'],
  [/^command-argument value '([\s\S]*?)' is invalid for argument '([^']*)'\./, 'The argument `$2` cannot be `$1`.'],
  [/^option '([^']*)' argument missing$/, '`$1` needs a value.'],
  [/^missing required argument '([^']*)'$/, 'The argument `$1` is missing.'],
  [/^required option '([^']*)' not specified$/, '`$1` is required.'],
  [/^option '([^']*)' cannot be used with option '([^']*)'$/, '`$1` cannot be used with `$2`.'],
  [/^unknown (option|command) '(.*)'$/, 'Unknown $1 `$2`.'],
  [/^too many arguments for '([^']*)'/, 'Too many arguments for `$1`'],
];

function inOurWords(message: string): string {
  const phrase = phrases.find(([pattern]) => pattern.test(message));
  const said = phrase === undefined ? message : message.replace(...phrase);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** The refusal of a value names the nearest choice. */
function nameNearest(command: AnyCommand): void {
  for (const each of [...command.options, ...command.registeredArguments]) {
    const { parseArg: parse, argChoices: choices } = each;
    if (parse === undefined || choices === undefined) continue;
    each.argParser((word: string, previous: unknown) => {
      try {
        return parse.call(each, word, previous);
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        throw new InvalidArgumentError(`${error.message}${nearestWord(word, choices)}`);
      }
    });
  }
}

/** True if an early failure is to be a document, wherever the command line says so. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word, index) => word === '--format=json' || (word === '--format' && words[index + 1] === 'json'));
}

// Options of other tools, with their equivalents here. program.ts answers misspelled ones.

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
function optionHere(word: string, command: AnyCommand): string | undefined {
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

interface ForeignCommand {
  readonly words: readonly string[];
  /** The group whose command was looked for; undefined for the program itself. */
  readonly group?: string;
  readonly meant: string;
}

const foreignCommands: readonly ForeignCommand[] = [
  {
    words: ['destroy', 'delete', 'remove', 'undeploy', 'down'],
    meant:
      'Remove the declarations: almanac plan shows what an apply deletes then. almanac state rm stops tracking a schedule and leaves it in Omni',
  },
  {
    words: ['deploy', 'sync', 'up', 'publish', 'release', 'create', 'update', 'converge'],
    meant: 'almanac apply makes the changes, and almanac plan shows them first',
  },
  { words: ['diff', 'changes', 'dry-run', 'what-if'], meant: 'almanac plan shows what would change' },
  { words: ['lint', 'check', 'verify', 'compile', 'parse'], meant: 'almanac validate checks the files' },
  { words: ['format', 'prettier'], meant: 'almanac fmt formats the files' },
  {
    words: ['export', 'dump', 'download', 'fetch', 'backup', 'adopt', 'clone'],
    meant: 'almanac import writes declarations for what exists in Omni',
  },
  {
    words: ['refresh', 'compare', 'detect', 'reconcile'],
    meant: 'almanac drift shows what differs in Omni, and almanac plan --refresh asks Omni before it plans',
  },
  {
    words: ['ls', 'get', 'describe', 'resources', 'schedules'],
    meant: 'almanac show --resolved prints what is declared, and almanac state list what was applied',
  },
  {
    words: ['upgrade', 'self-update', 'install'],
    meant: 'The package manager that installed almanac installs another version: the documentation (install)',
  },
  {
    words: ['login', 'auth', 'configure', 'config', 'connect'],
    meant: 'Set OMNI_API_TOKEN and api.baseUrl of almanac.yaml. almanac doctor shows whether that is enough',
  },
  { words: ['workspace', 'env', 'environment', 'profile'], meant: 'Name the environment with --env NAME' },
  { words: ['move', 'rename'], meant: 'Write a moved entry into a source file: the documentation (state)' },
  { words: ['new', 'setup', 'start', 'scaffold', 'generate'], meant: 'almanac init creates a workspace' },
  { words: ['calendar', 'upcoming', 'when', 'cron'], meant: 'almanac next shows the coming runs' },
  { words: ['recipients', 'subscribers', 'audit', 'access'], meant: 'almanac who shows who receives what' },
  {
    words: ['health', 'failures', 'errors', 'logs', 'log', 'runs'],
    meant: 'almanac status shows which deliveries failed',
  },
  { words: ['html', 'web', 'ui', 'dashboard', 'report'], meant: 'almanac page writes a page for people' },
  { words: ['proof', 'check-rows', 'rls'], meant: 'almanac prove shows whose rows a report shows' },
  { words: ['docs', 'man', 'info', 'explain'], meant: 'almanac help COMMAND explains each command' },
  { group: 'state', words: ['ls'], meant: 'almanac state list lists what the state tracks' },
  {
    group: 'state',
    words: ['delete', 'remove', 'forget', 'untrack'],
    meant: 'almanac state rm ADDRESS stops tracking; the schedule stays in Omni',
  },
  { group: 'state', words: ['move', 'rename'], meant: 'almanac state mv FROM TO moves what is tracked' },
  {
    group: 'state',
    words: ['import', 'add', 'adopt'],
    meant: 'almanac import --write-state tracks what exists in Omni',
  },
  { group: 'state', words: ['get', 'cat', 'print', 'download'], meant: 'almanac state pull prints the state file' },
  {
    group: 'state',
    words: ['force-unlock', 'lock'],
    meant: 'almanac state unlock breaks a lock that a run left behind',
  },
  {
    group: 'state',
    words: ['refresh', 'replace-provider', 'sync'],
    meant: 'almanac apply --refresh-only records what Omni has now',
  },
  {
    group: 'list',
    words: ['dashboards', 'workbooks', 'folders'],
    meant: 'almanac list documents lists what dashboards belong to',
  },
  { group: 'list', words: ['users', 'members', 'owners', 'emails'], meant: 'almanac list people lists the members' },
  { group: 'list', words: ['teams', 'user-groups', 'roles'], meant: 'almanac list groups lists the user groups' },
  {
    group: 'list',
    words: ['schedules', 'deliveries', 'reports', 'resources'],
    meant: 'almanac show --resolved prints what is declared, and almanac state list what was applied',
  },
];

/** The command to use instead of one that the program, or its group, does not have. */
function commandHere(word: string, command: AnyCommand): string | undefined {
  const group = command.parent === null ? undefined : command.name();
  return foreignCommands.find((row) => row.group === group && row.words.includes(word))?.meant;
}
