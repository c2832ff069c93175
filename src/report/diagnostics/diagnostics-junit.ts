// Diagnostics as JUnit XML: a failed test for each fault, a passed one for each file without any. A warning is a passed
// test with a text, unless warnings fail.

import type { DiagnosticReport, ReportedDiagnostic } from '../../model/workspace/diagnostic.ts';
import { escapeMarkup } from '../print-html.ts';
import { safeText } from '../text/terminal-text.ts';
import { fileAndLine } from '../text/words.ts';
import { messageWithPlaces } from './findings-doc.ts';

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
  const { code, severity, summary, file = home, line } = diagnostic;
  const fails = severity === 'error' || (strict && severity === 'warning');
  return {
    test: { classname: file, name, file, line },
    failure: fails ? { message: summary, type: code } : undefined,
    text: `${fileAndLine({ ...diagnostic, file })}\n${messageWithPlaces(diagnostic)}`,
  };
}

/** Names by code and place in the document: a test that moves to another line stays the same test. */
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

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Without a text, a test that passed silently. */
interface TestCase {
  readonly test: Attributes;
  /** Present for a test that failed. */
  readonly failure?: Attributes;
  readonly text?: string;
}

function renderTests(name: string, tests: readonly TestCase[]): string {
  const failures = tests.filter(({ failure }) => failure !== undefined).length;
  const counts = { name, tests: tests.length, failures, errors: 0 };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(counts)}>`,
    `  <testsuite${xmlAttributes({ ...counts, skipped: 0 })}>`,
    ...tests.map(testText),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`;
}

function testText({ test, failure, text }: TestCase): string {
  const open = `    <testcase${xmlAttributes(test)}`;
  if (text === undefined) return `${open}/>`;
  const element = failure === undefined ? 'system-out' : 'failure';
  return `${open}>\n      <${element}${xmlAttributes(failure ?? {})}>${xmlText(text)}</${element}>\n    </testcase>`;
}

/**
 * The content of an element. No line of it is a command for the runner of GitHub Actions, which reads every line of a
 * log. A `##[` anywhere is one, and a `##vso[` for Azure DevOps.
 */
function xmlText(text: string): string {
  return escapeXml(text).replace(/^( *)::/gm, '$1&#58;:');
}

/** Each after a space, without those that are undefined. */
function xmlAttributes(values: Attributes): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', ' ')}"`).join('');
}

/**
 * Text in elements and in quoted attributes, without characters that XML 1.0 cannot contain even escaped. Line ends are
 * kept; a parser makes spaces of those in an attribute.
 */
function escapeXml(text: string): string {
  const safe = safeText(text, { keepNewlines: true }).replace(/[\ufffe\uffff]/g, '');
  return escapeMarkup(safe).replace(/##(?=(?:vso)?\[)/gi, '#&#35;');
}
