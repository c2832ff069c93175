// Text in an XML report of tests, which programs of CI read and print into their logs.

import { safeText } from '../text/terminal-text.ts';

/** The content of an element. */
export function xmlText(text: string): string {
  return withoutCommands(escapeXml(text));
}

/** Each behind a space, without those that are undefined. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', ' ')}"`).join('');
}

/** No line of the text is a command for the runner of GitHub Actions, which reads every line of a log. A `##[` anywhere is one. */
function withoutCommands(xml: string): string {
  return xml.replace(/^(\s*)::/gm, '$1&#58;:');
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
