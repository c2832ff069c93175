// The options of `almanac apply`.

import { Option } from '@commander-js/extra-typings';
import {
  autoApprove,
  type EmptyCommand,
  limitingRetries,
  type OptionsOf,
  shapingPlan,
  textOrJson,
} from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { digest, once, wholeNumber } from '../base/option-values.ts';

export type ApplyOptions = OptionsOf<typeof applyCommand>;

/** The value follows an equals sign, so that a plan file cannot be mistaken for it. */
function waiting() {
  const words = 'wait until the AI jobs that were started have ended, at most this long (default: 900)';
  const option = new Option('--wait [seconds]', words).argParser(wholeNumber(1)).preset('900');
  option.flags = '--wait[=seconds]';
  return option;
}

function applyCommand(command: EmptyCommand) {
  const shaped = shapingPlan(command)
    .argument('[planfile]', 'a plan that plan --out saved')
    .addOption(textOrJson())
    .addOption(autoApprove())
    .option('--expect <digest>', 'apply only if the plan has this digest', (text, before?: string) =>
      once(digest(text), before),
    )
    .addOption(
      new Option('--expect-changes <file>', 'apply only changes whose digests this file lists').conflicts('expect'),
    )
    .option(
      '--first-apply',
      'apply with a personal token though the state tracks no schedule: it was never applied before',
    )
    .option('--force', 'apply even if the plan removes many resources')
    .option('--fail-fast', 'start no more changes after a failure');
  return limitingRetries(shaped)
    .addOption(waiting())
    .option('--lock-timeout <seconds>', 'how long to wait for the state lock', wholeNumber(0), 0)
    .withExample(`
Example: almanac apply --target schedules.weekly-sales
Next: commit the state. almanac plan is now empty,
and almanac next shows when each schedule runs.`);
}

export const defineApply = defining(applyCommand, async () => (await import('./apply.ts')).apply);
