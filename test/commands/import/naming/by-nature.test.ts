// The order of names.

import { expect, test } from 'vitest';
import { byNature } from '../../../../src/commands/import/naming/choose-keys.ts';

test('names are sorted as people would: by letters, whatever their case, and by numbers', () => {
  const sorted = ['apples', 'Übersicht', 'Report 10', 'report 9', 'Report', 'Bananas', 'report 09', '2 a', '10 a'];
  expect([...sorted].sort(byNature)).toEqual([
    '2 a',
    '10 a',
    'apples',
    'Bananas',
    'Report',
    'report 09',
    'report 9',
    'Report 10',
    'Übersicht',
  ]);
});
