// The golden cases: runs every folder of test/cases and compares what it prints. `UPDATE_CASES=1 npx vitest run
// test/cases.test.ts` writes the current output into the folders; read the difference.

import { describe, expect, test } from 'vitest';
import type { ValidateDocument } from '../src/model/documents.ts';
import { listCases, readExpectations, runCase, writeExpectations } from './support/case-folder.ts';
import { readDiagnosticsPage } from './support/diagnostics-page.ts';

const update = process.env['UPDATE_CASES'] === '1';

describe('the case', () => {
  test.each(listCases())('the case %s prints what its folder expects', async (name) => {
    const printed = await runCase(name);
    if (update) writeExpectations(name, printed);
    expect(printed).toEqual(readExpectations(name));
  });
});

describe('the cases of validate', () => {
  const diagnostics = () =>
    listCases()
      .filter((name) => name.startsWith('validate/'))
      .flatMap(
        (name) => (JSON.parse(readExpectations(name)['diagnostics.json'] ?? '') as ValidateDocument).diagnostics,
      );

  test('the cases of validate show every code that validate finds', () => {
    // A file of more than 8 MB and more than 10,000 findings are made by tests of their own.
    const found = new Set<string>(['file-too-large', 'too-many-findings', ...diagnostics().map(({ code }) => code)]);
    const { sections } = readDiagnosticsPage();
    expect(sections.filter(({ by, code }) => by === undefined && !found.has(code)).map(({ code }) => code)).toEqual([]);
  });

  test('the cases of validate have a hint in every diagnostic', () => {
    expect(diagnostics().filter(({ hint }) => hint === undefined)).toEqual([]);
  });

  test('the cases of validate name line and column wherever a file has them', () => {
    const ofWholeFiles = ['unreadable-file', 'unread-source', 'not-utf-8', 'reference-outside', 'unknown-environment'];
    const placeless = diagnostics().filter(({ file, line, column }) => file !== undefined && !(line && column));
    expect(placeless.filter(({ code }) => !ofWholeFiles.includes(code))).toEqual([]);
  });
});
