// How counts read.

import { expect, test } from 'vitest';
import { countList, countOf, moreWords, nameSome } from '../../src/model/values/words.ts';

test('a count of a thousand or more has its digits in groups, in every form of words', () => {
  expect(countOf(999, 'schedule')).toBe('999 schedules');
  expect(countOf(5000, 'outside domain')).toBe('5,000 outside domains');
  expect(countList([[10_000, 'to create']])).toBe('10,000 to create');
  expect(moreWords(1234)).toBe('and 1,234 more (-v lists all)');
  expect(nameSome(['a', 'b', 'c', 'd', 'e', 'f'], 2005)).toBe('a, b, c, d, e and 2,000 more');
});
