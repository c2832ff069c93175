// The options of `almanac plan`.

import {
  type Bare,
  checkingOnline,
  formatOption,
  type OptionsOf,
  type Run,
  reportOption,
  shapingPlan,
} from '../base/command.ts';
import { planFormats, planReportFormats } from '../base/formats.ts';

export type PlanOptions = OptionsOf<typeof planCommand>;

function planCommand(command: Bare) {
  return checkingOnline(shapingPlan(command))
    .addOption(formatOption(planFormats))
    .addOption(reportOption(planReportFormats))
    .option('--out <file>', 'save the plan, to be applied as it is')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .addHelpText(
      'after',
      `
Example: almanac plan --target schedules.weekly-sales
Next: almanac apply carries it out;
almanac apply --expect DIGEST only if it is still this plan.`,
    );
}

export function equipPlan(command: Bare, { world, finish }: Run): void {
  planCommand(command).action(async (_, self) => {
    const { plan } = await import('./plan.ts');
    finish(await plan(world, self.optsWithGlobals()));
  });
}
