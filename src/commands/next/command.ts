// The options of `almanac next`.

import { type Bare, formatOption, type OptionsOf, type Run } from '../base/command.ts';
import { instant, wholeNumber } from '../base/option-values.ts';

export type NextOptions = OptionsOf<typeof nextCommand>;

function nextCommand(command: Bare) {
  return command
    .argument('[addresses...]', 'such as schedules.weekly-sales')
    .addOption(formatOption(['text', 'json', 'ics']))
    .option('--count <n>', 'how many runs of each (5)', wholeNumber(1))
    .option('--days <n>', 'the runs of so many days, with a heat map up to a month', wholeNumber(1, 3660))
    .option('--from <instant>', 'runs after this instant, ISO 8601 (now)', instant)
    .option('--max-per-minute <n>', 'say where more deliveries fall into one minute', wholeNumber(0), 10)
    .addHelpText(
      'after',
      `
Example: almanac next --days 7
Next: almanac next --days 30 --format ics > deliveries.ics, for a calendar.`,
    );
}

export function equipNext(command: Bare, { world, finish }: Run): void {
  nextCommand(command).action(async (addresses, _, self) => {
    const { next } = await import('./next.ts');
    finish(await next(world, self.optsWithGlobals(), addresses));
  });
}
