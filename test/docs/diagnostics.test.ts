// docs/diagnostics.md agrees with the table of codes, and its examples are correct: the first gives exactly that
// diagnostic, with a place and a hint, and the second gives none.

import { describe, expect, test } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/validate-document.ts';
import { codes } from '../../src/model/workspace/codes.ts';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { type ExampleFiles, readDiagnosticsPage } from '../support/diagnostics-page.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const { workspace, sections } = readDiagnosticsPage();
const value = 'for the examples';
const environment = {
  SFTP_PASSWORD: value,
  SIGNING_SECRET: value,
  STORED_WITH_ECHO: `${value}\n`,
  STORED_WITH_PRINTF: value,
};

async function found(files: ExampleFiles): Promise<readonly Diagnostic[]> {
  const ran = await workspaceIn(makeFolder({ ...workspace, 'schedules/empty.yaml': '', ...files }), environment).run(
    'validate',
    '--format',
    'json',
  );
  return (JSON.parse(ran.stdout) as ValidateDocument).diagnostics;
}

test('every code has a section in docs/diagnostics.md, and every section has a code', () => {
  expect(sections.map(({ code }) => code).sort()).toEqual(Object.keys(codes).sort());
});

describe.each(sections)('$code', ({ code, severity, summary, by, words, failing, fixed }) => {
  test(`the section of ${code} has the severity and the words of the table`, () => {
    expect(codes[code as keyof typeof codes]).toMatchObject({ severity, summary });
    expect(words).toMatch(/\.$/);
  });

  // What no file shows (an unreadable one), and what only plan or apply finds fault with, other tests cover.
  if (by !== undefined || failing === undefined || fixed === undefined) return;

  test(`the first example of ${code} causes it, and the second does not`, async () => {
    const caused = await found(failing);
    expect([...new Set(caused.map((each) => each.code))]).toEqual([code]);
    for (const { message, hint, line, column } of caused)
      expect({ message, hint, line, column }).toEqual({
        message: expect.stringMatching(/\w.*[.:]$/s),
        hint: expect.stringMatching(/\w/),
        line: expect.any(Number),
        column: expect.any(Number),
      });
    expect(await found(fixed)).toEqual([]);
  });
});
