// The options of `almanac plan`.

import {
  type EmptyCommand,
  formatOption,
  type OptionsOf,
  online,
  planFormats,
  planReportFormats,
  reportOption,
  shapingPlan,
} from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type PlanOptions = OptionsOf<typeof planCommand>;

function planCommand(command: EmptyCommand) {
  return shapingPlan(command)
    .allowExcessArguments()
    .option(...online)
    .addOption(formatOption(planFormats))
    .addOption(reportOption(planReportFormats))
    .option('--out <file>', 'save the plan, so that apply can carry out exactly that plan')
    .option('--base <commit>', 'first show how almanac.yaml and the table of permissions differ from a commit')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .withExample(`
Example: almanac plan --target schedules.weekly-sales
Next: almanac apply makes these changes;
almanac apply --expect DIGEST does so only if the plan is still the same.`);
}

export const definePlan = defining(planCommand, async ({ args }) => {
  const { plan } = await import('./plan.ts');
  return (run, options) => plan(run, options, args);
});
