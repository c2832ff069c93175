// A report of tests as JUnit XML, which programs of CI read and print into their logs.

import { safeText } from '../text/terminal-text.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Without a kind, a test that passed and says nothing. */
export interface TestCase {
  readonly test: Attributes;
  readonly kind?: 'failure' | 'skipped' | 'system-out';
  readonly result?: Attributes;
  readonly text?: string;
}

/** Ends with a newline. */
export function renderTests(name: string, tests: readonly TestCase[]): string {
  const count = (kind: TestCase['kind']) => tests.filter((each) => each.kind === kind).length;
  const counts = { name, tests: tests.length, failures: count('failure'), errors: 0 };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(counts)}>`,
    `  <testsuite${xmlAttributes({ ...counts, skipped: count('skipped') })}>`,
    ...tests.map(testText),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`;
}

function testText({ test, kind, result = {}, text }: TestCase): string {
  const open = `    <testcase${xmlAttributes(test)}`;
  if (kind === undefined) return `${open}/>`;
  const element = kind + xmlAttributes(result);
  if (text === undefined) return `${open}><${element}/></testcase>`;
  return `${open}>\n      <${element}>${xmlText(text)}</${kind}>\n    </testcase>`;
}

/**
 * The content of an element. No line of it is a command for the runner of GitHub Actions, which reads every line of a log.
 * A `##[` anywhere is one.
 */
function xmlText(text: string): string {
  return escapeXml(text).replace(/^(\s*)::/gm, '$1&#58;:');
}

/** Each behind a space, without those that are undefined. */
function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', ' ')}"`).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Text in elements and in quoted attributes, without what XML 1.0 cannot hold even escaped. Line ends are kept; a parser
 * makes spaces of those in an attribute.
 */
function escapeXml(text: string): string {
  return safeText(text, { keepNewlines: true })
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replaceAll('##[', '#&#35;[');
}
