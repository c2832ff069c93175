// Text inside HTML, in elements and in quoted attributes. Invisible characters are escaped.

import { codeSpans, visibleText } from './terminal-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** On one line. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

export function htmlCode(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** A sentence of ours, in which backticks enclose names from files. */
export function htmlProse(text: string): string {
  return codeSpans(text)
    .map((span) => (span.isCode ? htmlCode(span.text) : escapeHtml(span.text)))
    .join('');
}
