// Writes down what the program prints for `--version` and for the `--help` of every command, where no terminal decides
// about the width.

import { writeFile } from 'node:fs/promises';
import { answerKey, answersFile } from '../src/adapters/files/known-answer.ts';
import type { World } from '../src/commands/base/world.ts';
import { programTree } from '../src/commands/completion/command-tree.ts';
import { makeProgram } from '../src/commands/program.ts';
import { pathsOf } from '../src/render/completion/command-tree.ts';
import { version } from '../src/version.ts';

let printed = '';
const output = {
  write: (text: string) => {
    printed += text;
  },
  isTerminal: false,
  width: 80,
};
const world = { version, stdout: output, stderr: output } as unknown as World;
const newProgram = () => makeProgram({ world, finish: () => undefined });

const { command, load } = newProgram();
const commands = pathsOf(await programTree(command, load)).map(({ path }) => path.split(' ').filter(Boolean));
const answers: Record<string, string> = {};
for (const argv of [['--version'], ...commands.map((path) => [...path, '--help'])]) {
  printed = '';
  // It ends with an error that says that the help was printed.
  await newProgram()
    .command.parseAsync(argv, { from: 'user' })
    .catch((error: { readonly exitCode?: number }) => {
      if (error.exitCode !== 0) throw error;
    });
  answers[answerKey(argv)] = printed;
}
await writeFile(`dist/${answersFile}`, JSON.stringify(answers));
