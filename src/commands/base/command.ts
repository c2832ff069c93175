// Options that commands share: the global ones and groups of options. An action takes the type of its options from the
// command that declares them.

import { type Command, type CommandUnknownOpts, Option, type OptionValues } from '@commander-js/extra-typings';
import type { Refresh } from '../../model/plan/plan.ts';
import { type Allowance, allowances, allowancesOf } from '../../model/values/allowances.ts';
import { selectorForms } from '../../model/values/wildcard.ts';
import { allowedNames, once, refreshDepth, reportFile, wholeNumber } from './option-values.ts';

declare module '@commander-js/extra-typings' {
  interface Command<Args, Opts, GlobalOpts> {
    /** Ends the help with an example, and with what comes next. */
    withExample(text: string): this;
  }
}

export type AnyCommand = CommandUnknownOpts;
export type AnyOption = AnyCommand['options'][number];

export type GlobalOptions = ReturnType<ReturnType<typeof withGlobalOptions>['opts']>;

export type EmptyCommand = Command<[], Record<never, never>, GlobalOptions>;

export type OptionsOf<T extends (command: EmptyCommand) => { optsWithGlobals(): unknown }> = ReturnType<
  ReturnType<T>['optsWithGlobals']
>;

export function withGlobalOptions(program: Command) {
  return program
    .option('-C, --chdir <dir>', 'run in this folder')
    .option('--config <file>', 'use this configuration file instead of almanac.yaml', once)
    .option('--env <name>', 'use this environment from almanac.yaml', once)
    .option('--state <file>', 'use this state file instead of the configured one', once)
    .option('--no-color', 'print without colours (as NO_COLOR does; FORCE_COLOR does the opposite)')
    .option('-q, --quiet', 'print only results and errors')
    .option('-v, --verbose', 'print more about what happens');
}

export function programOf(command: AnyCommand): AnyCommand {
  return command.parent === null ? command : programOf(command.parent);
}

/** `--format`; the first is the default. */
export function formatOption<const F extends string>(formats: readonly [F, ...F[]], words = 'output format') {
  return new Option('--format <format>', words).choices(formats).default(formats[0]);
}

export const textOrJson = () => formatOption(textOrJsonFormats);

/** `--report FORMAT=FILE`, repeatable. */
export function reportOption<F extends string>(formats: readonly F[]) {
  const words = `also write a report to a file; may be repeated; formats: ${formats.join(', ')}`;
  return new Option('--report <format=file>', words).argParser(reportFile(formats));
}

export const autoApprove = () => new Option('--auto-approve', 'do not ask for confirmation');

/** `--target schedules.fin-* to:*@partner.com`, repeatable. */
export function targeting(verb: string) {
  return new Option('--target <selector...>', `${verb} only what these select: ${selectorForms}`);
}

export const selectors = ['[selectors...]', selectorForms] as const;

/** `--allow behind,http`, repeatable. */
export function allowOption(command: string) {
  const names = allowancesOf(command).map((name) => {
    const { words, of }: Allowance = allowances[name];
    return `${name}${of === undefined ? '' : `=${of}`}: ${words}`;
  });
  const words = ['allow what is otherwise refused, by names between commas:', ...names].join('\n');
  return new Option('--allow <names>', words).argParser(allowedNames(command));
}

/** Adds the options that shape a plan: which changes it contains, and what it compares with. */
export function shapingPlan<A extends unknown[], O extends OptionValues>(command: Command<A, O, GlobalOptions>) {
  return command
    .addOption(targeting('plan'))
    .option('--replace <selector...>', 'replace these schedules even if they did not change')
    .addOption(allowOption(command.name()))
    .addOption(
      new Option(
        '--refresh [depth]',
        'refresh from Omni first; deep fetches the details of every schedule, and the filters of their dashboards',
      )
        .choices(['deep'])
        .argParser(refreshDepth),
    )
    .option('--refresh-only', 'only update the state to match Omni; drift --write keeps a change');
}

export type PlanShape = ReturnType<ReturnType<typeof shapingPlan<[], Record<never, never>>>['opts']>;

/** Online checks send requests, so they are off unless asked for. */
export const online = ['--online', 'also check against Omni'] as const;

/** Empty for a command without `--online`. */
export interface OnlineFlags {
  readonly online?: true | undefined;
}

/** How often a request is sent, and the longest wait in between, in seconds; `http-call.ts` decides which ones. */
export const usualLimits = { maxAttempts: 5, maxWait: 120 };

export function limitingRetries<A extends unknown[], O extends OptionValues>(command: Command<A, O, GlobalOptions>) {
  return command
    .option('--max-attempts <n>', 'maximum attempts per request', wholeNumber(1, 100), usualLimits.maxAttempts)
    .option('--max-wait <seconds>', 'longest wait before a retry', wholeNumber(1), usualLimits.maxWait);
}

/** The one request that --refresh and --refresh-only make together. */
export function refreshOf({ refresh, refreshOnly }: PlanShape): Refresh | undefined {
  if (refresh === undefined && refreshOnly === undefined) return undefined;
  return { depth: refresh === 'deep' ? 'deep' : 'list', only: refreshOnly === true };
}

// The formats of printed results; the first of each list is the default.

export const textOrJsonFormats = ['text', 'json'] as const;

/** Formats for `plan` and `show` on stdout. */
export const planFormats = ['text', 'json', 'markdown', 'html'] as const;

/** Formats for files of `plan`; gitlab is the widget of a merge request. */
export const planReportFormats = [...planFormats, 'gitlab'] as const;
export type PlanReportFormat = (typeof planReportFormats)[number];

/** Formats for `drift`, on stdout and in files. */
export const driftFormats = ['text', 'json', 'markdown'] as const;

export const validateFormats = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit'] as const;
export type ValidateFormat = (typeof validateFormats)[number];

export const statusFormats = ['text', 'json', 'markdown'] as const;

export const proveFormats = ['text', 'markdown', 'json'] as const;
