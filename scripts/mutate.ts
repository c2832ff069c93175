// `npm run mutate -- src/plan 40` makes 40 small wrong changes below a path, one at a time in a copy of the checkout, and
// lists those that the tests nearest to the changed file do not notice. test/README.md says more.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

type Edit = readonly [kind: 'negated' | 'dropped' | 'changed', node: Node, after: (text: string) => string];

const [below = '', ...numbers] = process.argv.slice(2);
const [count = Number.NaN, seed = 1, most = 8] = numbers.map(Number);
const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { ignore: '**/*.d.ts' }).sort();
const imports = files.flatMap((file) => {
  const paths = [...readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()'(\.[^'?]*)/g)];
  return paths.map(([, path = '']) => ({ file, path: join(dirname(file), path) }));
});
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopped.abort());
const end = (words: string, code: number) => {
  process[code === 2 ? 'stderr' : 'stdout'].write(`${words}\n`);
  return code;
};
process.exitCode = await mutate();

async function mutate(): Promise<number> {
  const meant = new Set(globSync(below));
  const sources = files.filter((file) => file.startsWith('src/') && meant.has(file));
  const changes = [count, seed, most].every(Number.isInteger) ? draw(readChanges(sources)) : [];
  if (changes.length === 0) return end('Nothing to change. npm run mutate -- PATH COUNT [SEED [TEST-FILES]]', 2);
  const survivors: string[] = [];
  const copy = mkdtempSync(join(tmpdir(), 'mut-'));
  try {
    cpSync('.', copy, { recursive: true, filter: (path) => !/^(?:node_modules|dist|\.git)$/.test(basename(path)) });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    const isSound = await passes(copy, [...new Set(changes.flatMap(({ file }) => testsOf(file)))], 2);
    if (!isSound && !stopped.signal.aborted) return end('These tests fail without any change.', 2);
    for (const [index, { file, text, line, kind, from, to, after }] of changes.entries()) {
      writeFileSync(join(copy, file), text.slice(0, from) + after(text.slice(from, to)) + text.slice(to));
      const tests = testsOf(file);
      const isUnnoticed = (await passes(copy, tests.slice(0, 8))) && (await passes(copy, tests.slice(8)));
      writeFileSync(join(copy, file), text);
      if (stopped.signal.aborted) return 130;
      const words = `${file}:${line} ${kind}: ${text.slice(from, to).replace(/\s+/g, ' ').slice(0, 80)}`;
      if (isUnnoticed) survivors.push(`${words}\n`);
      process.stderr.write(`${index + 1} of ${changes.length} ${isUnnoticed ? 'UNNOTICED' : 'noticed'} ${words}\n`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
  return end(`${survivors.join('')}${survivors.length} of ${changes.length} unnoticed.`, Math.min(survivors.length, 1));
}

function readChanges(sources: readonly string[]) {
  const api = new API({});
  const [project] = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects();
  const found = sources.flatMap((file) => {
    const source = project?.program.getSourceFile(resolve(file));
    const text = source?.text ?? '';
    return (source === undefined ? [] : editsIn(source)).map(([kind, node, after]) => {
      const from = node.getStart(source);
      return { file, text, line: text.slice(0, from).split('\n').length, kind, from, to: node.end, after };
    });
  });
  api.close();
  return found;
}

function editsIn(node: Node): readonly Edit[] {
  if (is.isTypeNode(node) || is.isImportDeclaration(node) || is.isExportDeclaration(node)) return [];
  const edits: Edit[] = [];
  if (is.isIfStatement(node)) edits.push(['negated', node.expression, (text) => `!(${text})`]);
  if (is.isConditionalExpression(node)) edits.push(['negated', node.condition, (text) => `!(${text})`]);
  if (is.isExpressionStatement(node) || is.isReturnStatement(node)) edits.push(['dropped', node, () => ';']);
  if (is.isNumericLiteral(node)) edits.push(['changed', node, (text) => `(${text} + 1)`]);
  if (is.isStringLiteral(node)) edits.push(['changed', node, (text) => `${text.slice(0, -1)}~${text.at(-1)}`]);
  if (node.kind === SyntaxKind.TrueKeyword) edits.push(['changed', node, () => 'false']);
  if (node.kind === SyntaxKind.FalseKeyword) edits.push(['changed', node, () => 'true']);
  node.forEachChild((child) => void edits.push(...editsIn(child)));
  return edits;
}

/** As many of each kind as there are, in an order that only the seed decides. */
function draw(changes: ReturnType<typeof readChanges>) {
  const order = changes.map((_, index) => createHash('sha256').update(`${seed} ${index}`).digest('hex'));
  const mixed = order.toSorted().flatMap((digest) => changes[order.indexOf(digest)] ?? []);
  const kinds = ['negated', 'dropped', 'changed'].map((name) => mixed.filter(({ kind }) => kind === name));
  return mixed.flatMap((_, round) => kinds.flatMap((kind) => kind[round] ?? [])).slice(0, count);
}

/** The transcripts, and the quick tests that reach the file over the fewest imports; those of its own room come first. */
function testsOf(changed: string): readonly string[] {
  const found: string[] = files.filter((file) => file === 'test/transcripts.test.ts');
  const [seen, own] = [new Set([changed]), `test/${changed.split('/')[1]}/`];
  for (let level = [changed]; level.length > 0 && found.length < most; ) {
    const [reached, next] = [new Set(level), imports.filter(({ file }) => !seen.has(file))];
    level = [...new Set(next.filter(({ path }) => reached.has(path)).map(({ file }) => file))];
    for (const file of level) seen.add(file);
    const tests = level.filter((file) => /(?<!\.slow)\.test\.ts$/.test(file));
    found.push(...tests.toSorted((a, b) => Number(b.startsWith(own)) - Number(a.startsWith(own))));
  }
  return found.slice(0, most);
}

/** Whether the tests pass; where there are none, nothing notices. Tests that hang are killed, and have noticed the change. */
async function passes(copy: string, tests: readonly string[], output: 2 | 'ignore' = 'ignore'): Promise<boolean> {
  if (tests.length === 0 || stopped.signal.aborted) return !stopped.signal.aborted;
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...tests];
  const [env, stdio] = [{ ...process.env, TMPDIR: copy }, ['ignore' as const, output, output]];
  const child = spawn(process.execPath, command, { cwd: copy, env, stdio, detached: true });
  const isOver = AbortSignal.any([stopped.signal, AbortSignal.timeout(300_000)]);
  isOver.onabort = () => child.exitCode === null && process.kill(-(child.pid ?? 0), 'SIGKILL');
  return (await once(child, 'close'))[0] === 0;
}
