// The options of `almanac ai status|result|cancel`.

import { type Bare, type OptionsOf, textOrJson } from '../base/command.ts';
import type { Start } from '../base/run.ts';

export type AiOptions = OptionsOf<typeof jobCommand>;

const actions = [
  {
    action: 'status',
    words: 'show how far the job is',
    next: `
Example: almanac ai status aiJobs.quarter-summary
Next: almanac ai result ADDRESS once it is COMPLETE,
or almanac ai cancel ADDRESS.`,
  },
  {
    action: 'result',
    words: 'show what a completed job did and answered',
    next: `
Example: almanac ai result aiJobs.quarter-summary --format json
Next: change the declaration, and almanac apply runs the job again.`,
  },
  {
    action: 'cancel',
    words: 'cancel the job; a job that has ended stays as it is',
    next: `
Example: almanac ai cancel aiJobs.quarter-summary
Next: almanac ai status ADDRESS shows whether it ended first.`,
  },
] as const;

function jobCommand(command: Bare) {
  return command.argument('<address>', 'such as aiJobs.quarter-summary').addOption(textOrJson());
}

export function equipAi(group: Bare, start: Start): void {
  group.helpCommand('help [command]', 'print the help of a command').addHelpText(
    'after',
    `
Example: almanac ai status aiJobs.quarter-summary
Next: almanac ai result ADDRESS prints what a completed job answered.`,
  );
  for (const { action, words, next } of actions) {
    const command = jobCommand(group.command(action).description(words)).addHelpText('after', next);
    command.action(async (address, _, self) => {
      await start(self, async (run) => (await import('./ai.ts')).ai(run, self.optsWithGlobals(), action, address));
    });
  }
}
