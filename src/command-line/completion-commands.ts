// `almanac completion`, and the hidden command that its scripts ask for words of the workspace.

import { Argument, type Command } from 'commander';
import type { AskedWords } from '../commands/completion/completion.ts';
import { optionsOf } from './option-values.ts';
import type { Run } from './run.ts';

export function addCompletion(program: Command, { world, finish }: Run): void {
  program
    .command('completion')
    .description('print the script that completes commands, options and addresses in a shell')
    .addArgument(new Argument('<shell>', 'which').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const [{ completion }, { commandTree }] = await Promise.all([
        import('../commands/completion/completion.ts'),
        import('./command-tree.ts'),
      ]);
      finish(completion(world, shell, commandTree(program)));
    });
  program
    .command('complete-words', { hidden: true })
    .addArgument(
      new Argument('<what>', 'which').choices(['addresses', 'schedules', 'aiJobs', 'environments', 'schemas']),
    )
    .action(async (what: AskedWords, _, command: Command) => {
      const { completeWords } = await import('../commands/completion/complete-words.ts');
      finish(await completeWords(world, optionsOf(command), what));
    });
}
