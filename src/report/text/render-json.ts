// Any document of the contract as JSON, the same bytes for the same document.

import { visibleText } from './visible-values.ts';

/** Indented by two spaces, with a final newline. Text that terminals or CI runners obey is escaped by equal JSON. */
export function renderJson(document: object): string {
  const text = JSON.stringify(document, null, 2);
  const visible = plain.test(text) ? text : text.split('\n').map(visibleText).join('\n');
  return `${visible.replace(/##(?=(?:vso)?\[)/gi, '#\\u0023')}\n`;
}

/** A published schema, indented by one blank so that the package is smaller. */
export function schemaText(schema: object): string {
  return renderJson(schema).replace(/^ +/gm, (blanks) => blanks.slice(blanks.length / 2));
}

const plain = /^[\n -~]*$/;
