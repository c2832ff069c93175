// docs/diagnostics.md and the table of codes say the same, and its examples are what they are said to be: the first
// gives exactly that diagnostic, the second gives none.

import { describe, expect, test } from 'vitest';
import { codes } from '../../src/model/codes.ts';
import type { ValidateDocument } from '../../src/model/validate-document.ts';
import { type ExampleFiles, readDiagnosticsPage } from '../support/diagnostics-page.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const { workspace, sections } = readDiagnosticsPage();
const environment = { SFTP_PASSWORD: 'for the examples', SIGNING_SECRET: 'for the examples' };

async function codesOf(files: ExampleFiles): Promise<readonly string[]> {
  const ran = await workspaceIn(makeFolder({ ...workspace, 'schedules/empty.yaml': '', ...files }), environment).run(
    'validate',
    '--format',
    'json',
  );
  const { diagnostics } = JSON.parse(ran.stdout) as ValidateDocument;
  return [...new Set(diagnostics.map(({ code }) => code))];
}

test('every code has a section, and every section a code', () => {
  expect(sections.map(({ code }) => code).sort()).toEqual(Object.keys(codes).sort());
});

describe.each(sections)('$code', ({ code, severity, summary, by, words, failing, mended }) => {
  test('has the severity and the words of the table', () => {
    expect({ severity, summary }).toEqual(codes[code as keyof typeof codes]);
    expect(words).toMatch(/\.$/);
  });

  test.skipIf(failing === undefined || by !== undefined)('is what the first example gives', async () => {
    expect(await codesOf(failing ?? {})).toEqual([code]);
  });

  // An example that only plan finds fault with gives nothing here either way.
  test.skipIf(mended === undefined || by !== undefined)('is not what the second example gives', async () => {
    expect(await codesOf(mended ?? {})).toEqual([]);
  });
});
