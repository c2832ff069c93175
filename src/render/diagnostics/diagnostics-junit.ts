// Diagnostics as JUnit XML: a failed test for each fault, a passed one for each file that has none. A warning is a
// passed test that says something, unless warnings fail.

import type { DiagnosticReport, ReportedDiagnostic } from '../../model/workspace/diagnostic.ts';
import { xmlAttributes, xmlText } from '../junit/xml-text.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { messageWithPlaces } from '../text/message-with-hint.ts';

/** Ends with a newline. */
export function renderJunit(report: DiagnosticReport): string {
  const { diagnostics, files, home, strict } = report;
  const faulty = new Set(diagnostics.map(({ file }) => file ?? home));
  const clean = files.filter((file) => !faulty.has(file));
  const names = distinctNames(diagnostics, home);
  const tests = [
    ...diagnostics.map((diagnostic, index) => testOf(diagnostic, names[index] ?? '', report)),
    ...clean.map((file) => `    <testcase${xmlAttributes({ classname: file, name: 'no findings', file })}/>`),
  ];
  const failures = diagnostics.filter((diagnostic) => fails(diagnostic, strict)).length;
  const counts = { name: 'almanac validate', tests: tests.length, failures, errors: 0 };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(counts)}>`,
    `  <testsuite${xmlAttributes({ ...counts, skipped: 0 })}>`,
    ...tests,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`;
}

function testOf(diagnostic: ReportedDiagnostic, name: string, { home, strict }: DiagnosticReport): string {
  const { code, summary, file = home, line } = diagnostic;
  const place = fileAndLine({ ...diagnostic, file });
  const text = xmlText(`${place}\n${messageWithPlaces(diagnostic)}`);
  const said = fails(diagnostic, strict)
    ? `<failure${xmlAttributes({ message: summary, type: code })}>${text}</failure>`
    : `<system-out>${text}</system-out>`;
  return `    <testcase${xmlAttributes({ classname: file, name, file, line })}>\n      ${said}\n    </testcase>`;
}

function fails({ severity }: ReportedDiagnostic, strict: boolean): boolean {
  return severity === 'error' || (strict && severity === 'warning');
}

/** By code and place in the document: a test that moves to another line stays the same test. */
function distinctNames(diagnostics: readonly ReportedDiagnostic[], home: string): readonly string[] {
  const turns = new Map<string, number>();
  return diagnostics.map(({ code, file = home, path, address }) => {
    const name = [code, path ?? address].filter((part) => part !== undefined && part !== '').join(' ');
    const key = `${file}\n${name}`;
    const turn = (turns.get(key) ?? 0) + 1;
    turns.set(key, turn);
    return turn === 1 ? name : `${name} (${turn})`;
  });
}
