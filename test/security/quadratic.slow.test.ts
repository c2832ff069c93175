// Small files whose check must not take minutes. The threat: the work of a fork's pull request grows with the square of
// its entries or letters. Four times the entries may take four times the work, and only noise beside that.

import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { processorTime } from '../support/processor-time.ts';
import { openWorld } from '../support/world.ts';

type Entries = Readonly<Record<string, unknown>>;

const each = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, index) => of(index));
const named = (count: number, key: string, of: (index: number) => unknown): Entries =>
  Object.fromEntries(each(count, (index) => [`${key}${index}`, of(index)]));
const schedules = (count: number, more: (index: number) => object = () => ({})) =>
  named(count, 's', (index) => ({ ...weekly, name: `n${index}`, ...more(index) }));
const loop = { ...weekly, name: '${each.key}', forEach: { x: {} } };
const chain = (count: number, end: string) =>
  each(count, (at) => ({ from: `schedules.m${at}`, to: at === count - 1 ? end : `schedules.m${at + 1}` }));
const config = { safety: { internalDomains: ['example.com'] }, checks: { 'recipient-not-inside': 'warning' } };
const idOf = (index: number) => `2abba91d-9bec-41a0-8a8d-${String(index).padStart(12, '0')}`;

it.each<[what: string, count: number, of: (count: number) => Entries]>([
  [
    'unknown fields of one schedule',
    2000,
    (count) => ({ schedules: { a: { ...weekly, ...named(count, 'zz', () => 1) } } }),
  ],
  ['unknown sections', 2000, (count) => named(count, 'zz', () => 1)],
  ['a chain of moved entries', 1000, (count) => ({ schedules: { a: weekly }, moved: chain(count, 'schedules.a') })],
  ['a chain that ends at a loop', 1000, (count) => ({ schedules: { a: loop }, moved: chain(count, 'schedules.a') })],
  ['a circle of moved entries', 1000, (count) => ({ schedules: { a: weekly }, moved: chain(count, 'schedules.m0') })],
  [
    'adopt entries with misspelt addresses',
    500,
    (count) => ({
      schedules: schedules(count),
      adopt: each(count, (at) => ({ to: `schedules.z${at}zz`, id: idOf(at) })),
    }),
  ],
  [
    'misspelt audiences',
    500,
    (count) => ({
      audiences: named(count, 'team-', () => ({ emails: ['ana@example.com'] })),
      schedules: schedules(count, (at) => ({ recipients: `\${audience.taem-${at}xx}` })),
    }),
  ],
  [
    'misspelt values of an item',
    500,
    (count) => ({
      schedules: {
        a: {
          ...loop,
          textBody: each(count, (at) => `\${each.w${at}ww}`).join(' '),
          forEach: { x: named(count, 'v', () => 'x') },
        },
      },
    }),
  ],
  ['schedules of one name', 500, (count) => ({ schedules: schedules(count, () => ({ name: 'One' })) })],
  ['a text of line breaks', 100_000, (count) => ({ schedules: { a: { ...weekly, textBody: '\n'.repeat(count) } } })],
  [
    'addresses in a key under extra',
    10_000,
    (count) => ({ schedules: { a: { ...weekly, extra: { ['eve@evil.example '.repeat(count)]: 1 } } } }),
  ],
  ['a text of zero width', 50_000, (count) => ({ schedules: { a: { ...weekly, textBody: '\u200b'.repeat(count) } } })],
])(
  'the work of validate and plan grows with the number of %s, and not with its square',
  async (_, count, of) => {
    /** The least of two times; the first alone if it is at most `enough`. */
    const workFor = async (size: number, enough = 0) => {
      const world = await openWorld({ 'schedules/all.yaml': of(size) }, { config });
      const times: number[] = [];
      while (times.length < 2 && Math.min(...times) > enough) {
        const before = processorTime();
        await world.run('validate');
        await world.run('plan');
        times.push(processorTime() - before);
      }
      return Math.min(...times);
    };
    // The first of the two warms up.
    const small = await workFor(count);
    const large = await workFor(4 * count, 7 * small);
    expect(large / small, `${small} ms, ${large} ms`).toBeLessThan(8);
  },
  120_000,
);

const pages = ['page --out page.html', 'page --mask-recipients --out page.html'];
const million = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length));

/** The least of three times; the first that is at most `enough`. */
async function workOfPages(note: string, enough = 0): Promise<number> {
  const world = await openWorld({ schedules: { weekly: { ...weekly, meta: { note: `${note}x` } } } });
  const times: number[] = [];
  while (times.length < 3 && Math.min(...times) > enough) {
    const before = processorTime();
    for (const line of pages) expect((await world.run(line)).code).toBe(0);
    times.push(processorTime() - before);
  }
  return Math.min(...times);
}

const workOfWords = () => workOfPages(million('Sales of the last week, by region and product. '));
let words: number | undefined;

it.each([
  ['a', 'a letter'],
  ['B', 'a letter that begins ids of Slack'],
  ['B1', 'a letter and a digit'],
  ['@', 'signs of an address'],
  ['a@', 'letters and signs of an address'],
  ['://', 'what follows the scheme of a URL'],
  ['https://', 'beginnings of URLs'],
  ['`', 'backticks'],
  [' ', 'spaces'],
])(
  'a page with a note of one megabyte of %j, %s, takes at most twice as long as with one of words',
  async (text) => {
    words ??= await workOfWords();
    const letters = await workOfPages(million(text), 2 * words);
    // The processor may be slower than when words were measured.
    if (letters > 2 * words) words = await workOfWords();
    expect(letters / words, `${words} ms, ${letters} ms`).toBeLessThanOrEqual(2);
  },
  120_000,
);
