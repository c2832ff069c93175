// Every command that a message of ours names is run by a row of this folder, in the situation that prints it, or it has an
// entry here that says why not.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = 'test/cli/advised';

/** Messages of ours that name a command: not comments, the examples of the help and the titles of schemas. */
function messages(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        /\.ts$/.test(path) && !/\.d\.ts$|compiled|code-help|document-schemas|scaffold|completion|emulator/.test(path),
    )
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

/** Text that names a command and advises nothing. */
const mentions = {
  'commands/documents/documents.ts: documents': 'a comment says what wrote the file',
  'commands/import/draft-sources.ts: import': 'a comment says what wrote the file',
  'model/fields/config-fields.ts: drift --untracked': 'an editor shows it: where a name comes from',
  'model/fields/schedule-fields.ts: apply': 'an editor shows it: where a variable is needed',
  'model/plan/plan.ts: apply --refresh': 'a published schema says what a field holds',
  'model/plan/plan.ts: drift': 'a published schema says what a field holds',
  'model/plan/plan.ts: drift --untracked': 'a published schema says what a field holds',
  'model/plan/plan.ts: drift --write': 'a published schema says what a field holds',
  'model/plan/plan.ts: import --identifier': 'a published schema says what a field holds',
  'model/documents.ts: apply': 'a published schema says what a field holds',
  'model/plan/plan.ts: apply': 'a published schema says what a field holds',
  'model/plan/plan.ts: apply --expect-changes': 'a published schema says what a field holds',
  'report/diagnostics/diagnostics-github.ts: validate': 'the title of a notice',
  'report/diagnostics/diagnostics-junit.ts: validate': 'the name of a suite',
  'commands/next/next-calendar.ts: next': 'what wrote a calendar',
} as const;

/** What no row runs: the test that builds the situation, or what it would take. */
const elsewhere = {
  'service/http/api-failure.ts: plan':
    'test/service/guarded-requests.test.ts: a lock that runs out as a request goes out',
  'service/http/operations.ts: ai status': 'test/cli/ai-jobs.test.ts: a job that goes on delivering',
  'state/s3/s3-client.ts: state check': 'test/state/s3-log.slow.test.ts: needs S3',
  'state/log/log-reader.ts: state history': 'test/state/log-store.test.ts: a log that somebody edited',
  'state/log/log-store.ts: state check': 'test/state/log-store.test.ts: a place that hides what was written',
  'commands/base/details/name-variables.ts: apply':
    'test/cli/import-secrets.test.ts: a comment in the file that is written',
  'state/format/fold-log.ts: state migrate': 'test/state/log-store.test.ts: a log that somebody edited',
  'commands/base/import-text.ts: doctor': 'test/cli/import-large.test.ts: an import of 300 schedules',
  'commands/drift/drift-report.ts: drift --untracked':
    'test/report/drift-markdown.property.test.ts: drift that is too long for an issue',
} as const;

/** What the rows of this folder run, as they name it. */
const run = readdirSync(folder)
  .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/'([a-z0-9/-]+\.ts: [a-z][^']*)'(?!:)/g)])
  .flatMap(([, message = '']) => (message.startsWith('test/') ? [] : message));
const named = messages().filter((message) => !notCommands.test(message));

it('every command that a message names is run by a row, or has an entry that says why not', () => {
  const listed = new Set<string>([...run, ...Object.keys(mentions), ...Object.keys(elsewhere)]);
  expect(named.filter((message) => !listed.has(message))).toEqual([]);
});

it('every row and every entry is about a command that a message names, and none is listed twice', () => {
  const entries = [...Object.keys(mentions), ...Object.keys(elsewhere)];
  expect([...run, ...entries].filter((message) => !named.includes(message))).toEqual([]);
  expect(entries.filter((message) => run.includes(message))).toEqual([]);
});

it('the tests that the entries name exist', () => {
  const tests = Object.values(elsewhere).flatMap((where) => /^test\S+(?=:)/.exec(where) ?? []);
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
});
