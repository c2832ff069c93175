// What no file of src may call, but for those that are listed.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** On the way to the service; to compare, to look for, and to mask them. */
const mayReveal = [
  'src/commands/base/shown-texts.ts',
  'src/commands/drift/write-drift.ts',
  'src/commands/import/import-variables.ts',
  'src/declare/load/shown-sources.ts',
  'src/declare/rules/unique.ts',
  'src/model/workspace/map-leaves.ts',
  'src/omni/operations.ts',
  'src/plan/fingerprints.ts',
];

test('secrets become text only in the files that are listed here', () => {
  expect(filesWith(/\.reveal(?:All)?\(\)/)).toEqual(mayReveal);
});

/** JSON, CSV, HTML, scripts and schemas: for programs, or without a word that somebody else wrote. */
const mayLeaveUnguarded = [
  'src/commands/apply/apply.ts',
  'src/commands/base/publish-plan.ts',
  'src/commands/base/publishing.ts',
  'src/commands/base/report-failure.ts',
  'src/commands/base/show-state.ts',
  'src/commands/completion/complete-line.ts',
  'src/commands/completion/completion-command.ts',
  'src/commands/emulator/emulator.ts',
  'src/commands/list/documents.ts',
  'src/commands/list/names.ts',
  'src/commands/next/next.ts',
  'src/commands/offboard/offboard.ts',
  'src/commands/page/page.ts',
  'src/commands/schema/schema.ts',
  'src/commands/state/read.ts',
  'src/commands/webhook/listen.ts',
  'src/commands/who/who-rows.ts',
  'src/commands/who/who.ts',
];

test('what is printed passes the guard of logs, but for documents for programs in the files that are listed here', () => {
  expect(filesWith(/\.data\((?!\))/)).toEqual(mayLeaveUnguarded);
});

test('no file calls URL.canParse, which Node 20 gets wrong for letters beyond ASCII', () => {
  expect(filesWith(/\bcanParse\(/)).toEqual([]);
});

test('no list is spread into a call, which a hundred thousand items end with a full stack', () => {
  expect(filesWith(/\.(?:push|unshift)\(\s*\.\.\.|Math\.(?:max|min)\((?:[^()[\]]*,)?\s*\.\.\./)).toEqual([]);
});

function filesWith(call: RegExp): readonly string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.startsWith('src/emulator/'))
    .filter((path) => call.test(readFileSync(path, 'utf8')))
    .sort();
}
