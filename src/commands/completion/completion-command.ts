// The options of `almanac completion`, and of the hidden `complete-line` that its scripts call.

import { Argument } from '@commander-js/extra-typings';
import { type EmptyCommand, programOf } from '../base/command.ts';
import type { RunCommand } from '../base/define-command.ts';

function completionCommand(command: EmptyCommand) {
  return command.addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'])).withExample(`
Example: source <(almanac completion bash)
Next: add that line to ~/.bashrc;
for zsh and fish, the script says where to put it.`);
}

export function defineCompletion(command: EmptyCommand, start: RunCommand): void {
  completionCommand(command).action(async (shell, _, self) => {
    await start(self, async (run) => {
      run.stdout.data((await import('./scripts.ts')).scripts[shell]);
      return 0;
    });
  });
}

export function defineCompleteLine(command: EmptyCommand, start: RunCommand): void {
  command.argument('[words...]', 'the command line so far').action(async (words, _, self) => {
    const { completeLine, readLine } = await import('./complete-line.ts');
    const program = programOf(self);
    const line = readLine(program, words);
    for (const [name, value] of Object.entries(line.workspace)) program.setOptionValue(name, value);
    await start(self, (run) => completeLine(run, line));
  });
}
