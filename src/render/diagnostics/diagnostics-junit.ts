// Diagnostics as JUnit XML: a failed test for each fault, a passed one for each file that has none. A warning is a
// passed test that says something, unless warnings fail.

import type { DiagnosticReport, ReportedDiagnostic } from '../../model/workspace/diagnostic.ts';
import { renderTests, type TestCase } from '../junit/junit.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { messageWithPlaces } from '../text/message-with-hint.ts';

/** Ends with a newline. */
export function renderJunit(report: DiagnosticReport): string {
  const { diagnostics, files, home } = report;
  const faulty = new Set(diagnostics.map(({ file }) => file ?? home));
  const clean = files.filter((file) => !faulty.has(file));
  const names = distinctNames(diagnostics, home);
  return renderTests('almanac validate', [
    ...diagnostics.map((diagnostic, index) => testOf(diagnostic, names[index] ?? '', report)),
    ...clean.map((file) => ({ test: { classname: file, name: 'no findings', file } })),
  ]);
}

function testOf(diagnostic: ReportedDiagnostic, name: string, { home, strict }: DiagnosticReport): TestCase {
  const { code, summary, file = home, line } = diagnostic;
  const text = `${fileAndLine({ ...diagnostic, file })}\n${messageWithPlaces(diagnostic)}`;
  const test = { classname: file, name, file, line };
  if (!fails(diagnostic, strict)) return { test, kind: 'system-out', text };
  return { test, kind: 'failure', result: { message: summary, type: code }, text };
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
