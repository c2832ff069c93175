// Plays every transcript of test/transcripts and compares what is printed. `UPDATE=1 npx vitest run
// test/transcripts.test.ts` writes what is printed now into them; read the difference.

import { describe, expect, test } from 'vitest';
import type { ValidateDocument } from '../src/commands/validate/validate-document.ts';
import { type DocumentName, documentSchemas } from '../src/document-schemas.ts';
import type { Diagnostic } from '../src/model/workspace/diagnostic.ts';
import { readDiagnosticsPage } from './support/diagnostics-page.ts';
import { expectDocument } from './support/schemas.ts';
import { type Beside, expectAsWritten, listTranscripts, readTranscript, transcript } from './support/transcript.ts';

/** What validate says as JSON of the same workspaces. */
const diagnostics: Diagnostic[] = [];

/** The document that a command prints as JSON: that of its name, but for these. */
const documentsOf: Readonly<Record<string, DocumentName | undefined>> = {
  ...Object.fromEntries(Object.keys(documentSchemas).map((name) => [name, name])),
  drift: 'plan',
  'list documents': 'documents',
  'list models': 'names',
  'list people': 'names',
  'list groups': 'names',
  // Of its commands, only these two print a document.
  state: undefined,
  'state history': 'state-history',
  'state check': 'state-check',
  'doctor --probe': 'probe',
};

const asJson: Beside = async (argv, ran, program) => {
  // Findings of validate are its result; any other command says what is wrong beside its result.
  if (argv[0] !== 'validate') expect(ran.stdout).not.toMatch(/^(?:\S+: )?(?:error|warning|note)[:[]/m);
  // So is what is said beside a table for spreadsheets, and the files that fmt lists.
  if (argv.includes('csv')) expect(ran.stdout).toMatch(/^(?:.*\r\n)*$/);
  if (argv[0] === 'fmt') expect(ran.stdout).toMatch(/^(?:\S+\n)*$/);
  const name = /^ {2}"error": \{$/m.test(ran.stdout)
    ? 'error'
    : (documentsOf[argv.slice(0, 2).join(' ')] ?? documentsOf[argv[0] ?? '']);
  if (name !== undefined && argv.includes('json')) expectDocument(name, ran.stdout);
  if (argv[0] !== 'validate' || argv.includes('--format') || argv.includes('--online')) return;
  const json = await program.run(...argv, '--format', 'json');
  expect(json.code).toBe(ran.code);
  // What is wrong with the command line is said on stderr, whatever the format.
  if (json.stdout === '') return;
  const found = (JSON.parse(json.stdout) as ValidateDocument).diagnostics;
  diagnostics.push(...found);
  const shown = found.filter(({ accepted }) => accepted === undefined);
  const places = shown.map(({ code, file, line, column }) =>
    line === undefined ? `[${code}]` : `${file}:${line}:${column}: `,
  );
  for (const place of places) expect(ran.stdout).toContain(place);
};

describe.each(listTranscripts())('the transcript %s', (name) => {
  test.for([...readTranscript(name).entries()].map(([index, { title }]) => [title, index] as const))(
    `in ${name}: %s`,
    ([, index]) => expectAsWritten(transcript(name), index, asJson),
  );
});

describe('the transcripts of validate', () => {
  test('every code that validate finds and no example of the page shows is in a transcript of validate', () => {
    // A file of more than 8 MB and more than 10,000 findings are made by tests of their own.
    const found = new Set<string>(['file-too-large', 'too-many-findings', ...diagnostics.map(({ code }) => code)]);
    const lacking = readDiagnosticsPage().sections.filter(
      ({ by, code, failing }) => by === undefined && failing === undefined && !found.has(code),
    );
    expect(lacking.map(({ code }) => code)).toEqual([]);
  });

  test('every diagnostic in a transcript of validate has a hint', () => {
    expect(diagnostics.filter(({ hint }) => hint === undefined)).toEqual([]);
  });

  test('the diagnostics in the transcripts of validate name line and column wherever a file has them', () => {
    const ofWholeFiles = [
      'unreadable-file',
      'unread-source',
      'not-utf-8',
      'not-fetched',
      'reference-outside',
      'unknown-environment',
    ];
    const placeless = diagnostics.filter(({ file, line, column }) => file !== undefined && !(line && column));
    expect(placeless.filter(({ code }) => !ofWholeFiles.includes(code))).toEqual([]);
  });
});
