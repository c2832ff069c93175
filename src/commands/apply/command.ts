// The options of `almanac apply`.

import {
  autoApprove,
  type Bare,
  limitingRetries,
  type OptionsOf,
  type Run,
  shapingPlan,
  textOrJson,
} from '../base/command.ts';
import { wholeNumber } from '../base/option-values.ts';

export type ApplyOptions = OptionsOf<typeof applyCommand>;

function applyCommand(command: Bare) {
  const shaped = shapingPlan(command)
    .argument('[planfile]', 'what plan --out saved')
    .addOption(textOrJson())
    .addOption(autoApprove())
    .option('--expect <digest>', 'apply only a plan with this digest')
    .option('--allow-orphans', 'leave schedules running that can not be removed')
    .option('--allow-duplicates', 'create schedules beside untracked ones of the same name')
    .option('--allow-http', 'send the token over plain HTTP')
    .option('--force', 'go on though many resources are given up')
    .option('--fail-fast', 'begin nothing more after a failure')
    .option('--max-duration <seconds>', 'refuse a plan that takes longer', wholeNumber(1));
  return limitingRetries(shaped)
    .option('--wait', 'follow the AI jobs that were run to their end')
    .option('--wait-timeout <seconds>', 'with --wait: the longest time to follow them', wholeNumber(1), 900)
    .option('--lock-timeout <seconds>', 'wait so long for a lock that is held', wholeNumber(0), 0)
    .addHelpText(
      'after',
      `
Example: almanac apply --target schedules.weekly-sales
Next: commit the state. almanac plan is empty now,
and almanac next says when things run.`,
    );
}

export function equipApply(command: Bare, { world, finish }: Run): void {
  applyCommand(command).action(async (planFile, _, self) => {
    const { apply } = await import('./apply.ts');
    finish(await apply(world, self.optsWithGlobals(), planFile));
  });
}
