// The options of `almanac ai status|result|cancel`.

import { type EmptyCommand, type OptionsOf, textOrJson } from '../base/command.ts';
import { type DefineCommand, defining, grouping } from '../base/define-command.ts';

export type AiOptions = OptionsOf<typeof jobCommand>;

function jobCommand(command: EmptyCommand) {
  return command.argument('<address>', 'such as aiJobs.quarter-summary').addOption(textOrJson());
}

function defineAction(action: 'status' | 'result' | 'cancel', words: string, next: string): DefineCommand {
  return defining(
    (command) => jobCommand(command.description(words)).withExample(next),
    async () => {
      const { ai } = await import('./ai.ts');
      return (run, options, address) => ai(run, options, action, address);
    },
  );
}

export const defineAi = grouping(
  `
Example: almanac ai status aiJobs.quarter-summary
Next: almanac ai result ADDRESS prints what a completed job answered.`,
  {
    status: defineAction(
      'status',
      'show how far the job is',
      `
Example: almanac ai status aiJobs.quarter-summary
Next: almanac ai result ADDRESS once it is COMPLETE,
or almanac ai cancel ADDRESS.`,
    ),
    result: defineAction(
      'result',
      'show what a completed job did and answered',
      `
Example: almanac ai result aiJobs.quarter-summary --format json
Next: change the declaration, and almanac apply runs the job again.`,
    ),
    cancel: defineAction(
      'cancel',
      'cancel the job; a job that has ended stays as it is',
      `
Example: almanac ai cancel aiJobs.quarter-summary
Next: almanac ai status ADDRESS shows whether it ended first.`,
    ),
  },
);
