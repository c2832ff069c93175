// A command that must fail and say why.

import { expect } from 'vitest';
import { inOneLine } from '../vocabulary.ts';
import type { Ran, Workspace } from '../workspace.ts';

/** `command`: its words, or a line with blanks between them. What it says holds all of these words, wherever lines break. */
export async function expectRefused(
  { run }: Pick<Workspace, 'run'>,
  command: string | readonly string[],
  ...words: readonly string[]
): Promise<Ran> {
  const ran = await run(...(typeof command === 'string' ? command.split(' ') : command));
  const said = inOneLine(ran.stdout + ran.stderr);
  expect(ran.code, `${command}: ${said}`).toBe(1);
  for (const each of words) expect(said, `${command}`).toContain(each);
  return ran;
}
