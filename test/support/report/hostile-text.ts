// Texts that would have an effect on a terminal, and generators of such texts.

import fc from 'fast-check';

export const hostileTexts: readonly string[] = [
  '\u001b[2J\u001b[Hgone',
  '\u001b]0;title\u0007name',
  '\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u009b31mred',
  'two\nlines',
  'back\rover',
  '\u202egnp.exe',
  'a\u2028b',
  'tab\there',
  '\u{e0041}tag',
  'half \ud800 pair',
  '\u001b',
  '\u001b[',
  '\u001bPunended',
];

const pieces = fc.constantFrom(
  ...['\u001b', '[', ']', '2J', '\u009b', '\u009d', '\u0007', '\\', '\n', '\r', '\u202e'],
  ...['日本', '👩‍💻', 'e\u0301', 'word', ' ', '"', ';'],
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.array(pieces, { maxLength: 40 }).map((each) => each.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 200 }),
);
