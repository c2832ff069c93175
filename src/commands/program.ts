// The program: its global options, and the table of its commands.

import {
  Command,
  CommanderError,
  type Help,
  InvalidArgumentError,
  type ParseOptionsResult,
} from '@commander-js/extra-typings';
import { command } from '../model/values/command.ts';
import { codeList } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Advisable } from '../report/wording.ts';
import { printedVersion } from '../version.ts';
import { type AnyCommand, programOf, withGlobalOptions } from './base/command.ts';
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
    .withExample(firstSteps)
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

  override withExample(text: string): this {
    return this.addHelpText('after', text);
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
      if (end >= 0 && index >= end) return word;
      const option = this.optionNamed(word);
      const [next = ''] = argv.slice(index + 1);
      // The value is missing, for example because it was a shell variable that is not set.
      if (option?.required && /^--[a-z]/.test(next)) this.error(`error: option '${option.flags}' argument missing`);
      const before = index === 0 ? undefined : this.optionNamed(argv[index - 1]);
      const [, dashed] = /^([\u2013\u2014]+[a-z][a-z-]+)(?:[=\s]|$)/.exec(word) ?? [];
      if (dashed !== undefined && before?.required !== true)
        this.commandIn(argv).error(`error: unknown option '${dashed}'`);
      if (option?.presetArg !== undefined) return `${word}=${option.presetArg}`;
      return this.isGlued(word) ? `-${word}` : word;
    });
    return super.parseOptions(words);
  }

  private optionNamed(word: string | undefined) {
    return this.options.find(({ long, short }) => long === word || short === word);
  }

  /** The command that the words name, with its options. */
  private commandIn(words: readonly string[]): AnyCommand {
    const named = this.commands.find((each) => words.includes(each.name()));
    return named === undefined ? this : withOptions(named);
  }

  /** True for a word such as `-var`, which the parser would read as `-v` and then refuse for `-ar`. */
  private isGlued(word: string): boolean {
    const isShort = (letter: string) => this.options.some(({ short }) => short === `-${letter}`);
    const [, letters = ''] = /^-([a-z]{2}[a-z-]*)(?:=.*)?$/.exec(word) ?? [];
    return letters !== '' && isShort(letters.charAt(0)) && ![...letters].every(isShort);
  }

  /** The parser's refusals are wrong usage like any other. Throws Failure usage. */
  override error(message: string): never {
    // A value may be a token, so it is left out.
    const shown = message.replace(/^(error: unknown option '[^'=]*)=[\s\S]*'(?=\n|$)/, "$1'");
    const [, kind, word = ''] = /^error: unknown (option|command) '([^']*)'/.exec(shown) ?? [];
    const isOff = /=(?:false|no|0)'/.test(message);
    const inAlmanac =
      kind === 'option' ? optionHere(word, this, isOff) : kind === 'command' && commandOfGroup(word, this);
    const at = shown.lastIndexOf('\n(Did you mean ');
    const near = at < 0 || shown.endsWith('--help?)') ? undefined : shown.slice(at + 2, -1);
    const said = shown.slice('error: '.length, at < 0 ? undefined : at);
    throw new Failure('usage', sentence(inOurWords(said)), {
      hint: sentence(inAlmanac || near || (kind === 'command' && commandsOf(this)) || usageHint),
    });
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

/** The commands of a group, which are few enough to name. */
function commandsOf(group: AnyCommand): string | undefined {
  if (group.parent === null) return undefined;
  return `almanac ${group.name()} has ${codeList(group.commands.map((each) => each.name()))}`;
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

// Options of other tools, with their equivalents here.

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
    words: ['-y', '--yes', '--assume-yes', '--no-confirm'],
    options: ['--auto-approve', '--yes'],
  },
  {
    words: ['--input', '--no-input', '--non-interactive'],
    otherwise: 'Leave it out: a question is asked only at a terminal, and what needs an answer is refused elsewhere',
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
  { words: ['-f'], at: { plan: allFiles, apply: allFiles }, options: ['--csv', '--force'] },
  { words: ['--file', '--filename'], at: { plan: allFiles, apply: allFiles }, options: ['--csv', '--out'] },
  { words: ['--overwrite'], options: ['--force'] },
  {
    words: ['--destroy', '--delete'],
    otherwise: 'Remove the declarations: almanac plan shows what an apply deletes then',
  },
  { words: ['-e', '--environment', '--stage', '--profile', '--workspace'], options: ['--env'] },
  { words: ['--cwd', '--dir', '--directory', '--root', '--project-dir', '--profiles-dir'], options: ['--chdir'] },
  { words: ['--debug', '--trace'], options: ['--verbose'] },
  { words: ['--silent'], options: ['--quiet'] },
  {
    words: ['--var', '--vars', '--var-file', '--variable', '--variables'],
    otherwise: 'Write it under `variables` in almanac.yaml, or under those of an environment',
  },
  {
    words: ['--exclude', '--skip'],
    otherwise: 'Selectors cannot exclude: name what you mean, as in --target schedules.fin-*',
  },
  {
    words: ['--lock'],
    otherwise: 'An apply always locks the state; almanac apply --lock-timeout waits for another one',
  },
  { words: ['--parallelism', '--threads'], otherwise: 'Write `concurrency` below `api` in almanac.yaml' },
  {
    words: ['--token', '--api-token', '--api-key', '--key'],
    otherwise: 'Set the environment variable OMNI_API_TOKEN: a token does not belong in a command line',
  },
];

/** The word to use instead of an option that the command does not have. */
function optionHere(written: string, command: AnyCommand, isOff = false): string | undefined {
  const has = (option: string) => optionsOf(command).some(({ long }) => long === option.split(' ')[0]);
  // Terraform's options have one dash, and those of a page a typographic one.
  const word = written.replace(/^[-\u2013\u2014]+(?=[a-z]{2})/, '--');
  if (word !== written && has(word)) return isOff ? `Leave it out: only ${word} does that` : `Write ${word}`;
  const row = foreignOptions.find(({ words }) => words.includes(word));
  if (row === undefined) return valueInName(word, command) ?? ownerOf(word, command);
  const offered = row.options?.find(has);
  const here = row.at?.[command.name()];
  return here ?? (offered === undefined ? row.otherwise : `Write ${offered}`);
}

/** The commands that have an option by this name: it is no misspelling of another. */
function ownerOf(word: string, command: AnyCommand): string | undefined {
  const owners = programOf(command)
    .commands.filter((each) => withOptions(each).options.some(({ long }) => long === word))
    .map((each) => `almanac ${each.name()}`);
  if (owners.length === 0) return undefined;
  const more = owners.length > 3 ? ' and others' : '';
  return `It is an option of ${owners.slice(0, 3).join(', ')}${more}, and not of this command`;
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
