// The command line: arguments in, exit code out. Commands are loaded when they are called; every failure is turned
// into words here.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { GlobalOptions } from './commands/options.ts';
import type { World } from './commands/world.ts';

const done = 0;

/** `argv` without node and script. Never throws. */
export async function main(argv: readonly string[], world: World): Promise<number> {
  let exitCode = done;
  const program = makeProgram(world, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return done;
    const { reportFailure, reportUsage } = await import('./commands/report-failure.ts');
    return error instanceof CommanderError
      ? reportUsage(error.message, argv, world)
      : reportFailure(error, argv, world);
  }
}

type Finish = (exitCode: number) => void;

function makeProgram(world: World, finish: Finish): Command {
  const program = new Command('almanac')
    .description('Report schedules and dashboard filters of an Omni organization as code.')
    .version(world.version, '-V, --version', 'print the version')
    .option('-C, --chdir <dir>', 'work in this folder')
    .option('--config <file>', 'the configuration, in place of almanac.yaml')
    .option('--env <name>', 'an environment that almanac.yaml declares')
    .option('--state <file>', 'the state file, in place of the configured one')
    .option('--no-color', 'no colours (also NO_COLOR; FORCE_COLOR for the opposite)')
    .option('-q, --quiet', 'only results and errors')
    .option('-v, --verbose', 'more about what happens')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showHelpAfterError('Run it with --help for what it takes.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      getOutHelpWidth: () => world.stdout.width,
      getErrHelpWidth: () => world.stderr.width,
    });
  addWorkspaceCommands(program, world, finish);
  addStateCommands(program, world, finish);
  addEmulator(program, world, finish);
  return program;
}

/** The options of a command with the global ones. */
function optionsOf<T>(command: Command): T & GlobalOptions {
  return command.optsWithGlobals<T & GlobalOptions>();
}

const textOrJson = () => new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text');

function addWorkspaceCommands(program: Command, world: World, finish: Finish): void {
  program
    .command('validate')
    .description('check every source file, or those that are named')
    .argument('[paths...]', 'files and folders')
    .addOption(textOrJson())
    .option('--strict', 'warnings fail as well')
    .action(async (paths: string[], _, command: Command) => {
      const { validate } = await import('./commands/validate.ts');
      finish(await validate(world, optionsOf(command), paths));
    });
  shapingPlan(program.command('plan').description('show what would change; sends nothing'))
    .addOption(textOrJson())
    .option('--out <file>', 'save the plan, to be applied as it is')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .action(async (_, command: Command) => {
      const { plan } = await import('./commands/plan.ts');
      finish(await plan(world, optionsOf(command)));
    });
  addApply(program, world, finish);
  program
    .command('show')
    .description('show a saved plan, or the state')
    .argument('[planfile]', 'what plan --out saved')
    .addOption(textOrJson())
    .action(async (planFile: string | undefined, _, command: Command) => {
      const { show } = await import('./commands/show.ts');
      finish(await show(world, optionsOf(command), planFile));
    });
  program
    .command('next')
    .description('the coming runs of every schedule, or of those that are named')
    .argument('[addresses...]', 'such as schedules.weekly-sales')
    .addOption(textOrJson())
    .option('--count <n>', 'how many runs of each (5)', wholeNumber(1))
    .option('--days <n>', 'the runs of so many days', wholeNumber(1, 3660))
    .option('--from <instant>', 'runs after this instant, ISO 8601 (now)', instant)
    .action(async (addresses: string[], _, command: Command) => {
      const { next } = await import('./commands/next.ts');
      finish(await next(world, optionsOf(command), addresses));
    });
}

function shapingPlan(command: Command): Command {
  return command
    .option('--target <address...>', 'only the changes of these resources')
    .option('--replace <address...>', 'replace these schedules though they did not change')
    .option('--allow-empty', 'nothing declared is meant');
}

function addApply(program: Command, world: World, finish: Finish): void {
  shapingPlan(program.command('apply').description('carry out the plan, after a confirmation'))
    .argument('[planfile]', 'what plan --out saved')
    .addOption(textOrJson())
    .option('--auto-approve', 'do not ask')
    .option('--expect <digest>', 'apply only a plan with this digest')
    .option('--allow-orphans', 'leave schedules running that can not be removed')
    .option('--allow-http', 'send the token over plain HTTP')
    .option('--force', 'go on though many resources are given up')
    .option('--fail-fast', 'begin nothing more after a failure')
    .option('--max-duration <seconds>', 'refuse a plan that takes longer', wholeNumber(1))
    .option('--max-attempts <n>', 'attempts a request', wholeNumber(1, 100), 5)
    .option('--max-wait <seconds>', 'the longest wait before a repeat', wholeNumber(1), 120)
    .option('--lock-timeout <seconds>', 'wait so long for a lock that is held', wholeNumber(0), 0)
    .action(async (planFile: string | undefined, _, command: Command) => {
      const { apply } = await import('./commands/apply.ts');
      finish(await apply(world, optionsOf(command), planFile));
    });
}

function addStateCommands(program: Command, world: World, finish: Finish): void {
  const state = program.command('state').description('look at the state, and mend it');
  state
    .command('list')
    .description('the addresses and ids that the state holds')
    .addOption(textOrJson())
    .action(async (_, command: Command) => {
      const { stateList } = await import('./commands/state-list.ts');
      finish(await stateList(world, optionsOf(command)));
    });
  state
    .command('show')
    .description('one resource of the state, or all of it')
    .argument('[address]', 'such as schedules.weekly-sales')
    .addOption(textOrJson())
    .action(async (address: string | undefined, _, command: Command) => {
      const { stateShow } = await import('./commands/state-show.ts');
      finish(await stateShow(world, optionsOf(command), address));
    });
  addMending(state, world, finish);
}

function addMending(state: Command, world: World, finish: Finish): void {
  state
    .command('orphans')
    .description('schedules that keep running and are no longer tracked')
    .addOption(textOrJson())
    .option('--clear <id>', 'take one from the list, once it was removed in Omni')
    .action(async (_, command: Command) => {
      const { stateOrphans } = await import('./commands/state-orphans.ts');
      finish(await stateOrphans(world, optionsOf(command)));
    });
  state
    .command('mv')
    .description('give a tracked resource another address')
    .argument('<from>', 'the address until now')
    .argument('<to>', 'the address from now on')
    .action(async (from: string, to: string, _, command: Command) => {
      const { stateMove } = await import('./commands/state-move.ts');
      finish(await stateMove(world, optionsOf(command), from, to));
    });
  state
    .command('rm')
    .description('stop tracking resources; what exists in Omni stays')
    .argument('<addresses...>', 'such as schedules.weekly-sales')
    .action(async (addresses: string[], _, command: Command) => {
      const { stateRemove } = await import('./commands/state-remove.ts');
      finish(await stateRemove(world, optionsOf(command), addresses));
    });
  state
    .command('pull')
    .description('print the state as it is')
    .action(async (_, command: Command) => {
      const { statePull } = await import('./commands/state-pull.ts');
      finish(await statePull(world, optionsOf(command)));
    });
  state
    .command('resolve')
    .description('say what became of a change whose answer was lost')
    .argument('<address>', 'such as schedules.weekly-sales')
    .option('--id <id>', 'it is there, with this id')
    .option('--done', 'it was done, and has no id')
    .option('--retry', 'it was not done: plan it again')
    .action(async (address: string, _, command: Command) => {
      const { stateResolve } = await import('./commands/state-resolve.ts');
      finish(await stateResolve(world, optionsOf(command), address));
    });
  state
    .command('unlock')
    .description('break the lock that a run has left')
    .option('--auto-approve', 'do not ask')
    .action(async (_, command: Command) => {
      const { stateUnlock } = await import('./commands/state-unlock.ts');
      finish(await stateUnlock(world, optionsOf(command)));
    });
  state
    .command('push')
    .description('put a later state in place of the present one')
    .argument('<file>', 'such as errored.state.json')
    .option('--force', 'also where it is not a later one')
    .action(async (file: string, _, command: Command) => {
      const { statePush } = await import('./commands/state-push.ts');
      finish(await statePush(world, optionsOf(command), file));
    });
}

function addEmulator(program: Command, world: World, finish: Finish): void {
  program
    .command('emulator')
    .description('serve a local double of the service, for trials and tests')
    .option('--port <n>', 'the port; 0 is any free one', wholeNumber(0, 65535), 4010)
    .option('--data <file>', 'keep what happens in this file')
    .option('--rate-limit <n>', 'requests a minute and token; 0 is no limit', wholeNumber(0), 60)
    .addOption(new Option('--operations <set>', 'which operations it serves').choices(['core', 'full']).default('core'))
    .action(async (_, command: Command) => {
      const { emulator } = await import('./commands/emulator.ts');
      finish(await emulator(world, optionsOf(command)));
    });
}

function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(
      `It must be a whole number from ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`}.`,
    );
  };
}

const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Epoch milliseconds; a time needs its offset, a date alone begins in UTC. */
function instant(text: string): number {
  const at = isoInstant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be an instant such as 2026-11-21T09:00:00Z, or a date.');
  return at;
}
