// The program: its global options and the table of its commands. A command gets its options when it is called. All
// values are read before one is refused, so that `--format json` applies to the refusal as well.

import {
  Command,
  CommanderError,
  type HelpConfiguration,
  InvalidArgumentError,
  type Option,
} from '@commander-js/extra-typings';
import { type AnyCommand, type Run, withGlobalOptions } from './base/command.ts';
import { nearestWord } from './base/nearest-word.ts';
import { InvalidValue } from './base/option-values.ts';
import { commandTable } from './table.ts';

export interface Program {
  readonly command: AnyCommand;
  readonly load: Run['load'];
  /** The command that was called, as far as the command line was understood. */
  readonly called: () => AnyCommand;
}

const firstSteps = `
Get started
  almanac init        create a workspace with a first schedule
  almanac validate    check what you wrote
  almanac plan        see what would change; sends no request
  almanac apply       make the changes
almanac help COMMAND explains each command, with an example.`;

export function makeProgram({ world, finish }: Omit<Run, 'load'>): Program {
  const refusals: Refusal[] = [];
  const program = withGlobalOptions(
    new Root(refusals)
      .description('Report schedules and dashboard filters of an Omni organization as code.')
      .version(world.version, '-V, --version', 'print the version'),
  )
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .addHelpText('after', firstSteps)
    .showHelpAfterError('Use --help to list the options and arguments.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      getOutHelpWidth: () => world.stdout.width,
      getErrHelpWidth: () => world.stderr.width,
    });
  const loaders = new Map<AnyCommand, () => Promise<void>>();
  const load: Run['load'] = async (command) => {
    const loader = loaders.get(command);
    loaders.delete(command);
    await loader?.();
  };
  let called: AnyCommand = program;
  const enter = (command: AnyCommand) => {
    called = command;
  };
  for (const [name, row] of Object.entries(commandTable)) {
    const command = program.command(name, { hidden: row.hidden === true }).description(row.words);
    loaders.set(command, async () => {
      const equip = await row.load();
      equip(command, { world, finish, load });
      for (const below of [command, ...command.commands]) {
        postponeRefusals(below, refusals);
        below.hook('preSubcommand', (_, next) => enter(next));
      }
    });
  }
  program
    .configureHelp(linesOfTable)
    .hook('preSubcommand', async (_, command) => {
      await load(command);
      enter(command);
    })
    .hook('preAction', (_, command) => {
      for (const { message } of refusals) command.error(message, { code: 'commander.invalidArgument' });
    })
    // Without a command, the help is printed as an error instead.
    .addHelpText('beforeAll', ({ error }) => (error ? refusals.map(({ message }) => `${message}\n`).join('') : ''));
  return { command: program, load, called: () => called };
}

/**
 * The program itself, `almanac`. Its options may come after the command, so a missing value of one must not end the
 * parsing: the command has not read its own options by then, `--format` among them.
 */
class Root extends Command {
  private readonly refusals: Refusal[];

  constructor(refusals: Refusal[]) {
    super('almanac');
    this.refusals = refusals;
  }

  optionMissingArgument({ flags }: Option): void {
    this.refusals.push({ message: `error: option '${flags}' argument missing` });
  }

  unknownCommand(): void {
    const [word = ''] = this.args;
    const suggestible = Object.entries(commandTable).filter(([, { hidden, delivers }]) => !hidden && !delivers);
    const names = suggestible.map(([name]) => name);
    this.error(`error: unknown command '${word}'${nearestWord(word, names)}`, { code: 'commander.unknownCommand' });
  }
}

/** Set after the commands are created, so that they do not inherit it. */
const linesOfTable: HelpConfiguration = {
  subcommandTerm: (command) => `${command.name()} ${commandTable[command.name()]?.takes ?? ''}`.trim(),
};

interface Refusal {
  readonly message: string;
}

/** A message about a refused value names the nearest choice. That of an option waits until all options are read. */
function postponeRefusals(command: AnyCommand, refusals: Refusal[]): void {
  for (const option of command.options) {
    const { parseArg: parse, argChoices: choices = [], flags } = option;
    if (parse === undefined) continue;
    option.argParser((word: string, previous: unknown) => {
      try {
        return parse.call(option, word, previous);
      } catch (error) {
        const why = `${reasonOf(error)}${nearestWord(word, choices)}`;
        refusals.push({ message: `error: option '${flags}' argument '${word}' is invalid. ${why}` });
        return previous;
      }
    });
  }
  for (const argument of command.registeredArguments) {
    const { parseArg: parse, argChoices: choices = [] } = argument;
    if (parse === undefined) continue;
    argument.argParser((word: string, previous: unknown) => {
      try {
        return parse.call(argument, word, previous);
      } catch (error) {
        throw new InvalidArgumentError(`${reasonOf(error)}${nearestWord(word, choices)}`);
      }
    });
  }
}

/** Any other error is a bug. */
function reasonOf(error: unknown): string {
  if (error instanceof InvalidValue || error instanceof CommanderError) return error.message;
  throw error;
}
