// The options of `almanac completion`, and of the hidden command that its scripts ask for words of the workspace.

import { Argument } from '@commander-js/extra-typings';
import type { Bare, OptionsOf, Run } from '../base/command.ts';

function completionCommand(command: Bare) {
  return command.addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'])).addHelpText(
    'after',
    `
Example: source <(almanac completion bash)
Next: add that line to ~/.bashrc;
for zsh and fish, the script says where to put it.`,
  );
}

export function equipCompletion(command: Bare, { world, finish, load }: Run): void {
  completionCommand(command).action(async (shell, _, self) => {
    const [{ completion }, { programTree }] = await Promise.all([
      import('./completion.ts'),
      import('./command-tree.ts'),
    ]);
    finish(completion(world, shell, await programTree(self, load)));
  });
}

export type WordsOptions = OptionsOf<typeof wordsCommand>;

function wordsCommand(command: Bare) {
  const asked = ['addresses', 'selectors', 'schedules', 'aiJobs', 'environments', 'schemas'] as const;
  return command
    .addArgument(new Argument('<what>', 'what to complete').choices(asked))
    .option('--described', 'behind a tab, say what each word is');
}

export function equipCompleteWords(command: Bare, { world, finish }: Run): void {
  wordsCommand(command).action(async (asked, _, self) => {
    const { completeWords } = await import('./complete-words.ts');
    finish(await completeWords(world, self.optsWithGlobals(), asked));
  });
}
