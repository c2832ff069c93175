// Text inside XML 1.0, in elements and in quoted attributes. What XML can't hold even escaped is left out.

import { safeText } from './terminal-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Line ends are kept; a parser makes spaces of those in an attribute. */
export function escapeXml(text: string): string {
  return safeText(text, { keepNewlines: true })
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
