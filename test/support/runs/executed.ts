// Which functions of `src` each test file executes, and each transcript: what `npm run near` and `npm run mutate` choose
// tests by. Only they load this file, with the folder where it writes in ALMANAC_EXECUTED.

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

/** The functions by source file, as `name@offset`. */
type Executed = Record<string, string[]>;

// A worker loads this file before each of its test files, and V8 counts in one session.
const worker = globalThis as { executed?: Session };
const isFirst = worker.executed === undefined;
worker.executed ??= openSession();
take();
// The first file of a worker loads the modules for all that follow it, so what that calls is not its own.
beforeAll(() => void (isFirst && take()));

let transcript: string | undefined;
beforeEach(({ task }) => {
  const [, next] = /^the transcript (\S+)$/.exec(task.suite?.name ?? '') ?? [];
  if (next !== transcript) write(transcript);
  transcript = next;
});
afterAll(() => write(transcript));

function write(name: string | undefined): void {
  const testFile = relative('.', expect.getState().testPath ?? '');
  const test = name === undefined ? testFile : `test/transcripts/${name}.txt`;
  writeFileSync(join(process.env['ALMANAC_EXECUTED'] ?? '.', `${randomUUID()}.json`), JSON.stringify([test, take()]));
}

function openSession(): Session {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return session;
}

/** What was executed since the last call. */
function take(): Executed {
  const executed: Executed = {};
  worker.executed?.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { url, functions } of result) {
      const file = relative('.', url.startsWith('file:') ? fileURLToPath(url) : url);
      // One without a name is a part of another, or Vitest's: the module, and the getters of what it exports.
      const called = functions.filter(
        ({ functionName, ranges: [range] }) => functionName !== '' && range && range.count > 0,
      );
      const names = called.map(({ functionName, ranges }) => `${functionName}@${ranges[0]?.startOffset}`);
      if (file.startsWith('src/') && names.length > 0) executed[file] = names;
    }
  });
  return executed;
}
