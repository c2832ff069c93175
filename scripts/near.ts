// `npm run near -- src/plan/match.ts` runs the tests that execute most of these files. test/README.md says more.

import { existsSync } from 'node:fs';
import { argumentsFor, chooseTests, executedFor, openExecuting, runTests, type Target } from './tests/executing.ts';

const most = 8;
const words = process.argv.slice(2);
const targets = words.filter((word) => !word.startsWith('--')).map(readTarget);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopped.abort());
process.exitCode = await near();

function readTarget(word: string): Target {
  const [file = '', name] = word.split(':');
  return name === undefined ? { file } : { file, name };
}

async function near(): Promise<number> {
  const unknown = words.filter((word) => word.startsWith('--') && word !== '--fresh' && word !== '--all');
  const missing = targets
    .filter(({ file }) => !/^src\/.*\.ts$/.test(file) || !existsSync(file))
    .map(({ file }) => file);
  if (targets.length === 0 || [...unknown, ...missing].length > 0) {
    const which = [...unknown, ...missing].map((word) => `${word} is no option and no file of src. `).join('');
    return say(`${which}npm run near -- FILE[:FUNCTION]... [--all] [--fresh]`, 2);
  }
  const executing = await openExecuting(words.includes('--fresh'), stopped.signal);
  if (executing === undefined) return 130;
  const executed = executedFor(executing, targets);
  const { tests, others } = chooseTests(executing, executed, words.includes('--all') ? Number.POSITIVE_INFINITY : most);
  for (const { file } of targets.filter((target) => !executed.includes(target)))
    say(`No test executes a function of ${file} once it is loaded; these execute what imports it.`, 0);
  if (tests.length === 0) return say('No quick test executes that.', 2);
  for (const test of tests) say(test, 0);
  if (others > 0) say(`${others} more test files and transcripts execute it: --all runs them, too.`, 0);
  const isGreen = await runTests(argumentsFor(tests), { output: 'inherit', signal: stopped.signal });
  return stopped.signal.aborted ? 130 : isGreen ? 0 : 1;
}

function say(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
