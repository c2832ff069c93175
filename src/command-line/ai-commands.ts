// `almanac ai …`: AI jobs that were run.

import type { Command } from 'commander';
import { optionsOf, textOrJson } from './option-values.ts';
import type { Run } from './run.ts';

const descriptions = {
  status: 'how far it is',
  result: 'what a complete one did and answered',
  cancel: 'end it; one that has ended stays as it is',
} as const;

export function addAiCommands(program: Command, { world, finish }: Run): void {
  const group = program.command('ai').description('look at an AI job that was run, or cancel it (operations full)');
  for (const action of ['status', 'result', 'cancel'] as const) {
    group
      .command(action)
      .description(descriptions[action])
      .argument('<address>', 'such as aiJobs.quarter-summary')
      .addOption(textOrJson())
      .action(async (address: string, _, command: Command) => {
        const { ai } = await import('../commands/ai/ai.ts');
        finish(await ai(world, optionsOf(command), action, address));
      });
  }
}
