// The options of `almanac completion`, and of the hidden command that its scripts ask for words of the workspace.

import { Argument } from '@commander-js/extra-typings';
import type { Bare, OptionsOf } from '../base/command.ts';
import type { Start } from '../base/run.ts';

function completionCommand(command: Bare) {
  return command.addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'])).addHelpText(
    'after',
    `
Example: source <(almanac completion bash)
Next: add that line to ~/.bashrc;
for zsh and fish, the script says where to put it.`,
  );
}

export function equipCompletion(command: Bare, start: Start): void {
  completionCommand(command).action(async (shell, _, self) => {
    await start(self, async (run) => {
      const { completion, programTree } = await import('./command-tree.ts');
      return completion(run, shell, programTree(self));
    });
  });
}

export type WordsOptions = OptionsOf<typeof wordsCommand>;

function wordsCommand(command: Bare) {
  const asked = ['addresses', 'selectors', 'schedules', 'aiJobs', 'environments', 'schemas'] as const;
  return command
    .addArgument(new Argument('<what>', 'what to complete').choices(asked))
    .option('--described', 'behind a tab, say what each word is');
}

export function equipCompleteWords(command: Bare, start: Start): void {
  wordsCommand(command).action(async (asked, _, self) => {
    await start(self, async (run) =>
      (await import('./complete-words.ts')).completeWords(run, self.optsWithGlobals(), asked),
    );
  });
}
