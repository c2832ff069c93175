// What every command is made of: the global options, and the groups of options that several commands share. An action
// takes the type of its options from the command that declares them.

import { type Command, type CommandUnknownOpts, Option, type OptionValues } from '@commander-js/extra-typings';
import { textOrJsonFormats } from './formats.ts';
import { refreshDepth, reportFile, wholeNumber } from './option-values.ts';
import type { World } from './world.ts';

export type AnyCommand = CommandUnknownOpts;
export type AnyOption = AnyCommand['options'][number];
export type AnyArgument = AnyCommand['registeredArguments'][number];

export type GlobalOptions = ReturnType<ReturnType<typeof withGlobalOptions>['opts']>;

/** A command that has a name so far. */
export type Bare = Command<[], Record<never, never>, GlobalOptions>;

/** The options that a room gives to its command, with the global ones. */
export type OptionsOf<T extends (command: Bare) => { optsWithGlobals(): unknown }> = ReturnType<
  ReturnType<T>['optsWithGlobals']
>;

/** One run of the command line, as a command sees it. */
export interface Run {
  readonly world: World;
  /** Takes the exit code when the command has ended. */
  readonly finish: (exitCode: number) => void;
  /** Gives a command of the program its options, as calling it would. */
  readonly load: (command: AnyCommand) => Promise<void>;
}

/** What a room does with its command: it adds options, and an action that is imported when it is called. */
export type Equip = (command: Bare, run: Run) => void;

export function withGlobalOptions(program: Command) {
  return program
    .option('-C, --chdir <dir>', 'work in this folder')
    .option('--config <file>', 'the configuration, in place of almanac.yaml')
    .option('--env <name>', 'an environment that almanac.yaml declares')
    .option('--state <file>', 'the state file, in place of the configured one')
    .option('--no-color', 'no colours (also NO_COLOR; FORCE_COLOR for the opposite)')
    .option('-q, --quiet', 'only results and errors')
    .option('-v, --verbose', 'more about what happens');
}

export function programOf(command: AnyCommand): AnyCommand {
  return command.parent === null ? command : programOf(command.parent);
}

/** `--format`; the first is what comes without it. */
export function formatOption<const F extends string>(formats: readonly [F, ...F[]], words = 'how to print') {
  return new Option('--format <format>', words).choices(formats).default(formats[0]);
}

export const textOrJson = () => formatOption(textOrJsonFormats);

/** `--report FORMAT=FILE`, several times. */
export function reportOption<F extends string>(formats: readonly F[]) {
  const words = `write a report besides: ${formats.join(', ')}`;
  return new Option('--report <format=file>', words).argParser(reportFile(formats));
}

export const autoApprove = () => new Option('--auto-approve', 'do not ask');

/** What shapes a plan: which changes it holds, and what it compares with. */
export function shapingPlan<A extends unknown[], O extends OptionValues>(command: Command<A, O, GlobalOptions>) {
  return command
    .option('--target <address...>', 'only the changes of these resources')
    .option('--replace <address...>', 'replace these schedules though they did not change')
    .option('--allow-empty', 'nothing declared is meant')
    .addOption(
      new Option('--refresh [depth]', 'look at what there is first; deep: at the details of all')
        .choices(['deep'])
        .argParser(refreshDepth),
    )
    .option('--refresh-only', 'bring only the state in line with what there is');
}

export type PlanShape = ReturnType<ReturnType<typeof shapingPlan<[], Record<never, never>>>['opts']>;

/** Online checks send requests, so they are asked for. */
export function checkingOnline<A extends unknown[], O extends OptionValues>(command: Command<A, O, GlobalOptions>) {
  return command
    .option('--online', 'also against what there is in Omni')
    .option('--no-cache', 'with --online: ask again for what was asked minutes ago');
}

/** A command without this group checks nothing online. */
export type OnlineFlags = Partial<ReturnType<ReturnType<typeof checkingOnline<[], Record<never, never>>>['opts']>>;

/** How often and how long a request is tried. */
export function limitingRetries<A extends unknown[], O extends OptionValues>(command: Command<A, O, GlobalOptions>) {
  return command
    .option('--max-attempts <n>', 'attempts a request', wholeNumber(1, 100), 5)
    .option('--max-wait <seconds>', 'the longest wait before a repeat', wholeNumber(1), 120);
}
