// Texts that one reader of YAML or another takes for something else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

export const oddTexts = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../yaml/format/odd-texts.json'), 'utf8'),
) as readonly string[];

const pieces = [
  ...[
    '?',
    ':',
    '-',
    '#',
    ',',
    '[',
    ']',
    '{',
    '}',
    '&',
    '*',
    '!',
    '|',
    '>',
    '%',
    '@',
    '`',
    '"',
    "'",
    '\\',
    '=',
    '<',
    '~',
  ],
  ...[' ', '.', '_', '+', '0', '1', '7', '9', '12', '60', 'e', 'E', 'x', 'o', 'b', 'T', 't', 'Z', 'a', 'F', 'é', '日'],
  ...['no', 'On', 'null', 'true', 'inf', 'NaN', '2026', '-1-', '-11-28', ':30', '0x', '0o', '${', '---', '...', '<<'],
];

/** What is syntax or another type somewhere, in any order, and any characters. */
export const arbitraryOddText = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')) },
  fc.string({ unit: 'binary', maxLength: 12 }),
);
