// Makes small wrong changes to the sources, and lists those that no test notices. `npm run mutate -- src/plan 40` makes
// 40 below a path, one at a time in a copy of the checkout, and runs the tests that execute the function.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { argumentsFor, chooseTests, type Executing, executedFor, openExecuting, runTests } from './tests/executing.ts';

type Kind = 'negated' | 'dropped' | 'changed';
/** `name` is that of the function around it. */
type Edit = readonly [kind: Kind, node: Node, after: (text: string) => string, name?: string | undefined];
type Change = ReturnType<typeof readChanges>[number];

const [below = '', ...numbers] = process.argv.slice(2);
const [count = Number.NaN, seed = 1, most = 8] = numbers.map(Number);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopped.abort());
const end = (words: string, code: number) => {
  process[code === 2 ? 'stderr' : 'stdout'].write(`${words}\n`);
  return code;
};
process.exitCode = await mutate();

async function mutate(): Promise<number> {
  const meant = new Set(globSync(below));
  const sources = globSync('src/**/*.ts', { ignore: '**/*.d.ts' })
    .sort()
    .filter((file) => meant.has(file));
  const changes = [count, seed, most].every(Number.isInteger) ? draw(readChanges(sources)) : [];
  if (changes.length === 0) return end('Nothing to change. npm run mutate -- PATH COUNT [SEED [TEST-FILES]]', 2);
  const executing = await openExecuting(false, stopped.signal);
  if (executing === undefined) return 130;
  const survivors: string[] = [];
  const copy = mkdtempSync(join(tmpdir(), 'mut-'));
  try {
    cpSync('.', copy, {
      recursive: true,
      filter: (path) => !/^(?:node_modules|dist|executable|\.git|\.cache)$/.test(basename(path)),
    });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    const isSound = await passes(copy, [...new Set(changes.flatMap((change) => testsOf(change, executing)))], 2);
    if (!isSound && !stopped.signal.aborted) return end('These tests fail without any change.', 2);
    for (const [index, change] of changes.entries()) {
      const { file, text, line, kind, from, to, after } = change;
      writeFileSync(join(copy, file), text.slice(0, from) + after(text.slice(from, to)) + text.slice(to));
      const isUnnoticed = await passes(copy, testsOf(change, executing));
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
    return (source === undefined ? [] : editsIn(source)).map(([kind, node, after, name]) => {
      const from = node.getStart(source);
      return { file, name, text, line: text.slice(0, from).split('\n').length, kind, from, to: node.end, after };
    });
  });
  api.close();
  return found;
}

function editsIn(node: Node, around?: string): readonly Edit[] {
  if (is.isTypeNode(node) || is.isImportDeclaration(node) || is.isExportDeclaration(node)) return [];
  const edits: Edit[] = [];
  if (is.isIfStatement(node)) edits.push(['negated', node.expression, (text) => `!(${text})`]);
  if (is.isConditionalExpression(node)) edits.push(['negated', node.condition, (text) => `!(${text})`]);
  if (is.isExpressionStatement(node) || is.isReturnStatement(node)) edits.push(['dropped', node, () => ';']);
  if (is.isNumericLiteral(node)) edits.push(['changed', node, (text) => `(${text} + 1)`]);
  if (is.isStringLiteral(node)) edits.push(['changed', node, (text) => `${text.slice(0, -1)}~${text.at(-1)}`]);
  if (node.kind === SyntaxKind.TrueKeyword) edits.push(['changed', node, () => 'false']);
  if (node.kind === SyntaxKind.FalseKeyword) edits.push(['changed', node, () => 'true']);
  const inner = functionName(node) ?? around;
  node.forEachChild((child) => void edits.push(...editsIn(child, inner)));
  return edits.map(([kind, at, after, name = inner]) => [kind, at, after, name]);
}

/** As V8 calls it. */
function functionName(node: Node): string | undefined {
  if (is.isFunctionDeclaration(node) || is.isMethodDeclaration(node)) return node.name?.getText();
  if (!is.isVariableDeclaration(node) && !is.isPropertyAssignment(node)) return undefined;
  return node.initializer !== undefined && is.isArrowFunction(node.initializer) ? node.name.getText() : undefined;
}

/** As many of each kind as there are, in an order that only the seed decides. */
function draw(changes: ReturnType<typeof readChanges>) {
  const order = changes.map((_, index) => createHash('sha256').update(`${seed} ${index}`).digest('hex'));
  const mixed = order.toSorted().flatMap((digest) => changes[order.indexOf(digest)] ?? []);
  const kinds = ['negated', 'dropped', 'changed'].map((name) => mixed.filter(({ kind }) => kind === name));
  return mixed.flatMap((_, round) => kinds.flatMap((kind) => kind[round] ?? [])).slice(0, count);
}

/** Those that execute the function around the change; where none does, those that execute the file. */
function testsOf({ file, name }: Change, executing: Executing): readonly string[] {
  const own = name === undefined ? [] : chooseTests(executing, [{ file, name }], most).tests;
  return own.length > 0 ? own : chooseTests(executing, executedFor(executing, [{ file }]), most).tests;
}

/** Whether the tests pass; where there are none, nothing notices. Tests that hang are killed, and have noticed the change. */
async function passes(copy: string, tests: readonly string[], output: 2 | 'ignore' = 'ignore'): Promise<boolean> {
  if (tests.length === 0 || stopped.signal.aborted) return !stopped.signal.aborted;
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(300_000)]);
  return runTests(['--bail=1', ...argumentsFor(tests)], { cwd: copy, environment: { TMPDIR: copy }, output, signal });
}
