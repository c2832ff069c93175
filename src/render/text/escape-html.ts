// Text inside HTML, in elements and in quoted attributes. Invisible characters are escaped.

import { type CodeSpan, codeSpans } from './code-spans.ts';
import { visibleText } from './visible-text.ts';

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

export function htmlSpans(spans: readonly CodeSpan[]): string {
  return spans.map(({ isCode, text }) => (isCode ? htmlCode(text) : escapeHtml(text))).join('');
}

/** A sentence of ours, in which backticks enclose names from files. */
export function htmlProse(text: string): string {
  return htmlSpans(codeSpans(text));
}
