// Any document of the contract as JSON, the same bytes for the same document.

import { visibleText } from './visible-text.ts';

/** Two spaces, a newline at the end; what a terminal or a runner of CI would obey is escaped, which leaves the value the same. */
export function renderJson(document: object): string {
  const lines = JSON.stringify(document, null, 2).split('\n');
  return `${lines.map(visibleText).join('\n').replaceAll('##[', '#\\u0023[')}\n`;
}
