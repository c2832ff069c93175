// The options of `almanac next`.

import { type Bare, formatOption, type OptionsOf, type Run } from '../base/command.ts';
import { instant, wholeNumber } from '../base/option-values.ts';

export type NextOptions = OptionsOf<typeof nextCommand>;

function nextCommand(command: Bare) {
  return command
    .argument('[addresses...]', 'such as schedules.weekly-sales')
    .addOption(formatOption(['text', 'json', 'ics']))
    .option('--count <n>', 'number of runs per schedule (default: 5)', wholeNumber(1))
    .option(
      '--days <n>',
      'the runs of this many days, the end not included, with a heat map for up to a month',
      wholeNumber(1, 3660),
    )
    .option('--from <instant>', 'start at this instant, ISO 8601 (default: now)', instant)
    .option('--max-per-minute <n>', 'report minutes with more deliveries than this', wholeNumber(0), 10)
    .addHelpText(
      'after',
      `
Example: almanac next --days 7
Next: almanac next --days 30 --format ics > deliveries.ics makes a calendar.`,
    );
}

export function equipNext(command: Bare, { world, finish }: Run): void {
  nextCommand(command).action(async (addresses, _, self) => {
    const { next } = await import('./next.ts');
    finish(await next(world, self.optsWithGlobals(), addresses));
  });
}
