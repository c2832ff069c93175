// Any document of the contract as JSON, the same bytes for the same document.

import { visibleText } from './terminal-text.ts';

/** Two spaces, a newline at the end; what a terminal or a runner of CI would obey is escaped, which leaves the value the same. */
export function renderJson(document: object): string {
  return `${jsonText(document)}\n`;
}

/** The same in parts, each item of a list of the document on its own: as one text, a long document would not fit. */
export function* renderJsonParts(document: object): Iterable<string> {
  const entries = Object.entries(document).filter(([, value]) => value !== undefined);
  let before = '{\n';
  for (const [name, value] of entries) {
    const field = `${before}  ${jsonText(name)}: `;
    before = ',\n';
    if (!Array.isArray(value) || value.length === 0) {
      yield `${field}${jsonText(value).replaceAll('\n', '\n  ')}`;
      continue;
    }
    for (const [index, item] of value.entries())
      yield `${index === 0 ? `${field}[` : ','}\n    ${jsonText(item ?? null).replaceAll('\n', '\n    ')}`;
    yield '\n  ]';
  }
  yield entries.length === 0 ? '{}\n' : '\n}\n';
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const visible = plain.test(text) ? text : text.split('\n').map(visibleText).join('\n');
  return visible.replaceAll('##[', '#\\u0023[');
}

const plain = /^[\n -~]*$/;
