// `almanac completion`, and the hidden command that its scripts ask for addresses.

import { Argument, type Command } from 'commander';
import { optionsOf } from './option-values.ts';
import type { Run } from './run.ts';

export function addCompletion(program: Command, { world, finish }: Run): void {
  program
    .command('completion')
    .description('print the script that completes commands, options and addresses in a shell')
    .addArgument(new Argument('<shell>', 'which').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const [{ completion }, { commandTree }] = await Promise.all([
        import('../commands/completion.ts'),
        import('./command-tree.ts'),
      ]);
      finish(completion(world, shell, commandTree(program)));
    });
  program.command('complete-addresses', { hidden: true }).action(async (_, command: Command) => {
    const { completeAddresses } = await import('../commands/complete-addresses.ts');
    finish(await completeAddresses(world, optionsOf(command)));
  });
}
