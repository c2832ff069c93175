// Every command that a message of ours names is run by a row of this folder, in the situation that prints it, or by the
// test that is named here.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Messages of ours that name a command: not comments, and not the examples of the help. */
function messages(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.d\.ts$|compiled|code-help|scaffold|completion|emulator/.test(path))
    .filter((path) => !/command\.ts$|commands\.ts$|program\.ts$/.test(path));
  const found = files.flatMap((path) => {
    const lines = readFileSync(join('src', path), 'utf8').split('\n');
    const code = lines.filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)).join('\n');
    const named = code.matchAll(/almanac ((?:state |ai )?[a-z]+(?: --[a-z-]+(?:=[a-z]+)?)*)/g);
    return [...named].map(([, command]) => `${path}: ${command}`);
  });
  return [...new Set(found)].sort();
}

/** Words after the name of the program. */
const notCommands = /: (?:reads|does|from|with|for|in)$/;

/** What the rows of this folder run, as they name it. */
const covered = readdirSync('test/cli/advised')
  .flatMap((file) => [
    ...readFileSync(join('test/cli/advised', file), 'utf8').matchAll(/'([a-z0-9/-]+\.ts: [a-z][^']*)'/g),
  ])
  .map(([, message]) => message);

it('every command that a message names is run by a row, or its entry here says where else', () => {
  const rest = messages().filter((message) => !notCommands.test(message) && !covered.includes(message));
  expect(rest.join('\n')).toBe('');
});
it('rows', () => expect(covered.filter((m) => !messages().includes(m ?? '')).join('\n')).toBe(''));
void existsSync;
