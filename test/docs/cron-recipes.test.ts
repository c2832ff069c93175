// The cron recipes of docs/status.md: each means what its row says.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadCronWords } from '../../src/cron/describe-cron.ts';
import { parseCron } from '../../src/cron/parse-cron.ts';

const words = await loadCronWords();
const [, section = ''] = readFileSync('docs/status.md', 'utf8').split(/^### Cron recipes$/m);
const recipes = [...section.matchAll(/^\| [^|]+ \| `([^`]+)` \| (.+) \|$/gm)]
  .map(([, expression = '', meaning = '']) => [expression, meaning] as const)
  .filter(([expression]) => expression !== 'schedule');

describe('the cron recipes', () => {
  test('the table of cron recipes has rows', () => {
    expect(recipes.length).toBeGreaterThan(5);
  });

  test.each(recipes)('the cron recipe `%s` is valid and runs %s', (expression, meaning) => {
    expect(parseCron(expression).cron).toBeDefined();
    expect(words(expression)).toBe(meaning);
  });
});
