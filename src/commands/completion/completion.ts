// `almanac completion SHELL`: the script that completes the command line in a shell.

import { bashCompletion } from '../../render/completion/bash.ts';
import type { CommandNode } from '../../render/completion/command-tree.ts';
import { fishCompletion } from '../../render/completion/fish.ts';
import { zshCompletion } from '../../render/completion/zsh.ts';
import type { Run } from '../base/run.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

type Shell = keyof typeof scripts;

export function completion(run: Run, shell: Shell, program: CommandNode): number {
  run.stdout.data(scripts[shell](program));
  return 0;
}
