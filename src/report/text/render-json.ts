// Any document of the contract as JSON, the same bytes for the same document.

import { visibleText } from './visible-values.ts';

/** Two spaces, a newline at the end; what a terminal or a runner of CI would obey is escaped, which leaves the value the same. */
export function renderJson(document: object): string {
  const text = JSON.stringify(document, null, 2);
  const visible = plain.test(text) ? text : text.split('\n').map(visibleText).join('\n');
  return `${visible.replace(/##(?=(?:vso)?\[)/gi, '#\\u0023')}\n`;
}

const plain = /^[\n -~]*$/;
