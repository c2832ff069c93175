// `npm run near` and `npm run mutate` on a small checkout: which tests they run, which changes the second makes, what they
// say, and what they leave.

import { cpSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type RunOptions, runProgram } from './support/program.ts';
import { makeFolder, type WorkspaceFolder } from './support/workspace.ts';

const price = `// A member’s price … is lower.
export function price(count: number, isMember: boolean): number {
  if (isMember) return count * 9;
  return count * 10;
}
`;
const compilerOptions = { module: 'nodenext', allowImportingTsExtensions: true, noEmit: true };
const files = {
  'package.json': { type: 'module' },
  'tsconfig.json': { compilerOptions, include: ['src', 'test'] },
  'vitest.config.ts': `const setupFiles = process.env.ALMANAC_EXECUTED ? ['test/support/runs/executed.ts'] : [];
export default { test: { include: ['test/**/*.test.ts'], setupFiles } };
`,
  'src/shop/price.ts': price,
  'src/shop/words.ts': `import { price } from './price.ts';\nexport const words = () => price(1, false);\n`,
  'test/other/words.test.ts': testOf('words', 'words()', '10'),
};
/** It executes all of the file, and nothing else. */
const near = { 'test/shop/price.test.ts': testOf('price', '[price(1, false), price(2, true)]', '[10, 18]') };

function testOf(name: string, actual: string, expected: string): string {
  return `import { expect, test } from 'vitest';
import { ${name} } from '../../src/shop/${name}.ts';
test('it is right', () => expect(${actual}).toEqual(${expected}));
`;
}

function checkout(more: Readonly<Record<string, string>> = {}) {
  const [folder, temporary] = [makeFolder({ ...files, ...more }), makeFolder()];
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'));
  for (const file of [
    'scripts/mutate.ts',
    'scripts/near.ts',
    'scripts/run.mjs',
    'scripts/tests/executing.ts',
    'test/support/runs/executed.ts',
  ])
    cpSync(file, join(folder.path, file));
  // vitest keeps the results of earlier runs below node_modules, which the copy shares with the checkout.
  const isOwn = (name: string | Buffer) => !/^(?:node_modules\/\.vite|\.cache)/.test(String(name));
  const contents = ({ path }: WorkspaceFolder) => readdirSync(path, { recursive: true }).filter(isOwn).sort();
  const before = contents(folder);
  const run = (script: string) => (argv: readonly string[], during?: RunOptions['during']) =>
    runProgram([`scripts/${script}.ts`, ...argv], {
      cwd: folder.path,
      program: 'scripts/run.mjs',
      environment: { TMPDIR: temporary.path },
      ...(during === undefined ? {} : { during }),
    });
  return {
    folder,
    near: run('near'),
    mutate: run('mutate'),
    expectUntouched: () => {
      expect(contents(folder)).toEqual(before);
      expect(folder.read('src/shop/price.ts')).toBe(price);
      expect(contents(temporary)).toEqual([]);
    },
  };
}

const looking = 'Running all quick tests once, to see what each executes.\n';

test('near runs the tests that execute a file or a function, nearest first, and keeps for a day what executes what', async () => {
  const {
    near: run,
    folder,
    expectUntouched,
  } = checkout({
    ...near,
    'src/shop/other.ts': 'export const other = () => 1;\n',
    'src/shop/table.ts': `import { price } from './price.ts';\nexport const table = [price(1, true)];\n`,
    'src/shop/rows.ts': `import { table } from './table.ts';\nexport const rows = () => table.length;\n`,
    'test/shop/rows.test.ts': testOf('rows', 'rows()', '1'),
  });
  const chosen = async (...argv: readonly string[]) => {
    const { code, stderr } = await run(argv);
    return { code, isNew: stderr.startsWith(looking), tests: stderr.match(/^test\/\S+$/gm) };
  };
  const [price, words, rows] = ['test/shop/price.test.ts', 'test/other/words.test.ts', 'test/shop/rows.test.ts'];
  expect(await chosen('src/shop/price.ts')).toEqual({ code: 0, isNew: true, tests: [price, words] });
  expect(await chosen('src/shop/words.ts:words')).toEqual({ code: 0, isNew: false, tests: [words] });
  expect(await chosen('src/shop/table.ts')).toEqual({ code: 0, isNew: false, tests: [rows] });
  expect(await chosen('src/shop/other.ts')).toEqual({ code: 2, isNew: false, tests: null });
  for (const argv of [[], ['src/shop/none.ts'], ['--few', 'src/shop/price.ts']])
    expect((await chosen(...argv)).code).toBe(2);
  // A test that is newer than what is kept may execute anything.
  folder.write({ 'test/shop/new.test.ts': testOf('price', 'price(1, true)', '10') });
  const added = 'test/shop/new.test.ts';
  expect(await chosen('src/shop/words.ts')).toEqual({ code: 1, isNew: false, tests: [added, words] });
  expect(await chosen('--fresh', 'src/shop/words.ts')).toEqual({ code: 0, isNew: true, tests: [words] });
  const yesterday = Date.now() / 1000 - 25 * 3600;
  utimesSync(join(folder.path, '.cache/executed.json'), yesterday, yesterday);
  expect(await chosen('src/shop/words.ts')).toEqual({ code: 0, isNew: true, tests: [words] });
  rmSync(join(folder.path, 'test/shop/new.test.ts'));
  expectUntouched();
});

test('mutate lists the changes that no test notices, with file and line, and leaves the checkout as it was', async () => {
  const { mutate, expectUntouched } = checkout();
  const { code, stdout, stderr } = await mutate(['src/shop/price.ts', '20']);
  expect(code, stderr).toBe(1);
  expect(stdout.split('\n').sort()).toEqual([
    '',
    '2 of 5 unnoticed.',
    'src/shop/price.ts:3 changed: 9',
    'src/shop/price.ts:3 dropped: return count * 9;',
  ]);
  expectUntouched();
});

test('mutate runs the nearest test files, and exits with 0 if they notice everything', async () => {
  const { mutate } = checkout(near);
  // One file: the nearest.
  const { code, stdout } = await mutate(['src/shop/', '3', '1', '1']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '0 of 3 unnoticed.\n' });
});

test('mutate draws the same changes for the same seed, as many of each kind as there are', async () => {
  // No test executes a change, so none is run for one.
  const elsewhere = "import { expect, test } from 'vitest';\ntest('it is right', () => expect(1).toBe(1));\n";
  const { mutate } = checkout({ 'test/other/words.test.ts': elsewhere });
  const drawn = async (seed: string) =>
    [...(await mutate(['src', '3', seed])).stderr.matchAll(/^\d of 3 \S+ (.*)$/gm)].map(([, words]) => words);
  const [first, again, other] = [await drawn('1'), await drawn('1'), await drawn('2')];
  expect(first.map((words) => /negated|dropped|changed/.exec(words ?? '')?.[0])).toEqual([
    'negated',
    'dropped',
    'changed',
  ]);
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test('mutate changes nothing where the tests fail already, or where there is nothing to change', async () => {
  const failing = checkout({ 'test/shop/price.test.ts': testOf('price', 'price(1, true)', '10') });
  expect(await failing.mutate(['src', '3'])).toMatchObject({ code: 2, stdout: '' });
  const { mutate, expectUntouched } = checkout();
  for (const argv of [[], ['src'], ['src', 'many'], ['elsewhere', '3']]) {
    const { code, stderr } = await mutate(argv);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm run mutate -- PATH COUNT'),
    });
  }
  expectUntouched();
});

test('mutate that is interrupted ends its tests, removes its copy and exits with 130', async () => {
  const hanging = `${testOf('price', 'price(1, false)', '10')}\nif (price(1, true) !== 9) await new Promise((done) => setTimeout(done, 1e6));\n`;
  const { mutate, expectUntouched } = checkout({ 'test/shop/price.test.ts': hanging });
  const begun = performance.now();
  const { code, stdout } = await mutate(['src', '5'], (child) => {
    // The tests have passed without a change, so the first change is on its way.
    let text = '';
    child.stderr?.on('data', (chunk) => {
      text += chunk;
      if (/Duration/.test(text)) setTimeout(() => child.kill('SIGINT'), 300);
    });
  });
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(performance.now() - begun).toBeLessThan(60_000);
  expectUntouched();
});
