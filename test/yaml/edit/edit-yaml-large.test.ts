// The time that edits of a long file take grows with the file and the edits, not with their product.

import { expect, it } from 'vitest';
import { edited, lines } from '../../support/yaml/edited.ts';

it('a file of 10,000 lines with an edit in each of its schedules is edited in a few seconds', () => {
  const schedule = (index: number) => [`  s${index}:`, '    name: S # n', '    recipients:', '      - a', '      - b'];
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  const text = lines('schedules:', ...numbers.flatMap(schedule));
  const after = edited(text, ...numbers.map((index) => [`/schedules/s${index}/recipients/0`, undefined] as const));
  expect(after).toBe(text.replaceAll('      - a\n', ''));
});
