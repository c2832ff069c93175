// The options of `almanac plan`.

import {
  type Bare,
  formatOption,
  type OptionsOf,
  online,
  planFormats,
  planReportFormats,
  refuseArguments,
  reportOption,
  shapingPlan,
} from '../base/command.ts';
import type { Start } from '../base/run.ts';

export type PlanOptions = OptionsOf<typeof planCommand>;

function planCommand(command: Bare) {
  return shapingPlan(command)
    .option(...online)
    .addOption(formatOption(planFormats))
    .addOption(reportOption(planReportFormats))
    .option('--out <file>', 'save the plan, so that apply can carry out exactly that plan')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .addHelpText(
      'after',
      `
Example: almanac plan --target schedules.weekly-sales
Next: almanac apply makes these changes;
almanac apply --expect DIGEST does so only if the plan is still the same.`,
    );
}

export function equipPlan(command: Bare, start: Start): void {
  planCommand(command.allowExcessArguments()).action(async (_, self) => {
    refuseArguments(
      self,
      () =>
        'It plans what all source files declare; `--target ADDRESS` chooses from that, and `-C DIR` another folder.',
    );
    await start(self, async (run) => (await import('./plan.ts')).plan(run, self.optsWithGlobals()));
  });
}
