// Commands in sentences are written by `command`, so that a printer finds them. This goes over the sources for those that
// are written as text.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { World } from '../../src/commands/base/world.ts';
import { advisableIn, makeProgram } from '../../src/commands/program.ts';
import { startNothing } from '../support/program.ts';

const quiet = { write: () => undefined, data: () => undefined, isTerminal: false, width: 80 };
const program = makeProgram({ version: '0.0.0', stdout: quiet, stderr: quiet } as unknown as World, startNothing);
const names = advisableIn(program).map(({ name }) => name);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.startsWith('src/emulator/'))
  .map((path) => [path, withoutComments(readFileSync(path, 'utf8'))] as const);

/** What is the same in every run, so that no option of one belongs to it. */
const isStatic = [
  // The help of a command, what it says to the words of other tools, and what `completion` prints.
  /-command\.ts$/,
  /^src\/commands\/(?:program|foreign-words|completion\/scripts)\.ts$/,
  // What `init` writes into files, and its steps, which name the environment themselves.
  /^src\/commands\/init\/scaffold\//,
  // Descriptions in schemas. What a finding says of one is marked where it is read (`withCommands`).
  /^src\/model\/(?:fields\/[\w-]+|plan\/(?:apply-outcome|drift-document|plan))\.ts$/,
  /^src\/(?:document-schemas|commands\/import\/import-document)\.ts$/,
  // What diagnostics.md says of each code; generated.
  /^src\/report\/diagnostics\/code-help\.ts$/,
];

/** Comments in files that `import` and `list` write, and the titles of reports: they mention a command. */
const mentions =
  /(?:as almanac import read|what almanac import found|Stubs by almanac list documents|set \$\{variable\} where almanac apply runs|title=almanac validate::|renderTests\('almanac validate')/g;

it('no sentence holds a command that is written as text', () => {
  const groups = [...new Set(names.map((name) => name.split(' ', 1)[0]))];
  const written = new RegExp(
    `(?<![\\w/'-])almanac (?:${groups.join('|')})(?![\\w-])[^\\n]{0,30}|'almanac (?:${groups.join('|')})(?![\\w-])[^\\n]{0,30}`,
    'g',
  );
  const found = sources
    .filter(([path]) => !isStatic.some((each) => each.test(path)))
    .flatMap(([path, text]) =>
      (text.replaceAll(mentions, '').match(written) ?? []).map((words) => `${path}: ${words}`),
    );
  expect(found).toEqual([]);
});

it('every command that a sentence advises is one that the help lists', () => {
  const used = sources.flatMap(([path, text]) =>
    [...text.matchAll(/(?<![\w.])command\(\s*'([^']*)'/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(used.length).toBeGreaterThan(150);
  expect(used.filter(({ name, path }) => !names.includes(name) && !isStatic.some((each) => each.test(path)))).toEqual(
    [],
  );
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
