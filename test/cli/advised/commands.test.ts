// Every command that a message names exists, with its options. What each does where the message is printed, the other
// tests of this folder show.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AnyCommand } from '../../../src/commands/base/command.ts';
import { withOptions } from '../../../src/commands/base/define-command.ts';
import type { World } from '../../../src/commands/base/world.ts';
import { makeProgram } from '../../../src/commands/program.ts';
import { startNothing } from '../../support/program.ts';

const quiet = { write: () => undefined, data: () => undefined, isTerminal: false, width: 80 };
const world = { version: '0.0.0', stdout: quiet, stderr: quiet } as unknown as World;

/** Words that follow the name of the program and are no commands: `almanac reads versions up to`. */
const words = new Set(['reads', 'does', 'from', 'for', 'on', '-f']);

/** Each `almanac …` outside of comments, up to what the code puts in. */
function named(): readonly (readonly [file: string, line: string])[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return files.flatMap((path) => {
    const lines = readFileSync(join('src', path), 'utf8').split('\n');
    const code = lines.filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)).join('\n');
    return [...code.matchAll(/\balmanac ((?:[a-z-]+|[A-Z]{2,})(?: (?:[a-z-]+|[A-Z]{2,}))*)/g)].map(
      ([, line = '']) => [path, line] as const,
    );
  });
}

/** What is wrong with a command line, as far as its words are a command and its options. */
function faultOf(line: string): string | undefined {
  const program: AnyCommand = makeProgram(world, startNothing);
  const [first = '', second = '', ...rest] = line.split(' ');
  const command = program.commands.find((each) => each.name() === first);
  if (command === undefined) return words.has(first) ? undefined : 'no such command';
  const inner = command.commands.find((each) => each.name() === second);
  if (command.commands.length > 0 && /^[a-z]/.test(second) && inner === undefined)
    return 'no such command of the group';
  const known = [program, withOptions(inner ?? command)].flatMap(({ options }) =>
    options.flatMap(({ long, short }) => [long, short]),
  );
  return [second, ...rest].find((word) => word.startsWith('-') && !known.includes(word));
}

it('every command that a message names is one of the program and has the options that are named', () => {
  const lines = named();
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter(([, line]) => faultOf(line) !== undefined)).toEqual([]);
});
