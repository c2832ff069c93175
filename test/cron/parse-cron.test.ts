import { describe, expect, it } from 'vitest';
import { parseCron } from '../../src/cron/parse-cron.ts';
import { secondOpinionAccepts } from '../../src/cron/second-opinion.ts';
import { cronShape } from '../../src/model/fields/patterns.ts';

/** What an editor knows of the rules. */
const hasShape = (text: string) => new RegExp(cronShape, 'u').test(text);

/** Each problem as `code field «the text under the caret»`. */
function problemsOf(text: string): string[] {
  return parseCron(text).problems.map(
    ({ code, field, start, end }) => `${code} ${field ?? 'whole'} «${text.slice(start, end)}»`,
  );
}

describe('accepted with a warning', () => {
  it.each([
    ['0 9 ? * 5,SAT-SUN *', ['cron-undocumented day-of-week «SAT-SUN»']],
    [
      '50-10 9 28-3 NOV-FEB ? *',
      [
        'cron-undocumented minutes «50-10»',
        'cron-undocumented day-of-month «28-3»',
        'cron-undocumented month «NOV-FEB»',
      ],
    ],
    ['0 9 ? * */2 *', ['cron-undocumented day-of-week «*/2»']],
    ['0 9 ? * 6-2/2 *', ['cron-undocumented day-of-week «6-2/2»', 'cron-undocumented day-of-week «6-2/2»']],
  ])('the expression %s is accepted with a warning', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
    expect(parseCron(text).cron).toBeDefined();
    expect(hasShape(text)).toBe(true);
  });

  it('a warning suggests the same values in a documented form', () => {
    expect(parseCron('0 9 ? * SAT-SUN *').problems[0]?.hint).toBe('Write `SUN,SAT`.');
    expect(parseCron('50-10 9 * * ? *').problems[0]?.hint).toBe('Write `0-10,50-59`.');
  });
});

describe('invalid expressions', () => {
  const whole = (text: string): [string, string[]] => [text, [`invalid-cron whole «${text}»`]];
  it.each<[string, string[]]>([
    whole(''),
    whole('daily'),
    ['cron(0 99 ? * MON *)', ['invalid-cron whole «cron(0 99 ? * MON *)»', 'invalid-cron hours «99»']],
    [' 0 9 ? * MON *', ['invalid-cron whole « »']],
    ['0  9 ? *\tMON *', ['invalid-cron whole «  »', 'invalid-cron whole «\t»']],
    [
      '60 24 32 13 ? 1969',
      [
        'invalid-cron minutes «60»',
        'invalid-cron hours «24»',
        'invalid-cron day-of-month «32»',
        'invalid-cron month «13»',
        'invalid-cron year «1969»',
      ],
    ],
    ['0 9 1 1 ? 02027', ['invalid-cron year «02027»']],
    ['1,,2 9 * * ? *', ['invalid-cron minutes «,»']],
    [
      '*/60 */24 */32 */13 ? */2200',
      [
        'invalid-cron minutes «60»',
        'invalid-cron hours «24»',
        'invalid-cron day-of-month «32»',
        'invalid-cron month «13»',
        'invalid-cron year «2200»',
      ],
    ],
    ['5/ 9 * * ? *', ['invalid-cron minutes «/»']],
    ['/5 9 * * ? *', ['invalid-cron minutes «/5»']],
    ['1-2-3 9 * * ? *', ['invalid-cron minutes «1-2-3»']],
    ['*5 1-* * * ? *', ['invalid-cron minutes «*5»', 'invalid-cron hours «1-*»']],
    ['٣ ９ * * ? *', ['invalid-cron minutes «٣»', 'invalid-cron hours «９»']],
    ['? 9 * ? ? *', ['invalid-cron minutes «?»', 'invalid-cron month «?»']],
    ['0 9 ?,1 * ? *', ['invalid-cron day-of-month «?»']],
    ['0 9 * * * *', ['invalid-cron day-of-week «*»']],
    ['0 9 * * 2 *', ['invalid-cron day-of-month «*»']],
    [
      '0 9 1,L,15W,40 * ? *',
      ['invalid-cron day-of-month «L»', 'invalid-cron day-of-month «15W»', 'invalid-cron day-of-month «40»'],
    ],
    ['0 9 32W * ? *', ['invalid-cron day-of-month «32»']],
    ['0 9 6L * ? *', ['invalid-cron day-of-month «6L»']],
    ['0 9 WED * ? *', ['invalid-cron day-of-month «WED»']],
    ['0 9 ? * 6l *', ['invalid-cron day-of-week «6l»']],
    ['0 9 ? * 6L,2#1 *', ['invalid-cron day-of-week «6L»', 'invalid-cron day-of-week «2#1»']],
    ['0 9 ? * #1 *', ['invalid-cron day-of-week «#1»']],
    ['0 9 ? * 2-6L *', ['invalid-cron day-of-week «6L»']],
    ['0 9 ? * MONDAY *', ['invalid-cron day-of-week «MONDAY»']],
    ['0 9 ? L MO *', ['invalid-cron month «L»', 'invalid-cron day-of-week «MO»']],
    ['0 9 1 1 ? 2030-2027', ['invalid-cron year «2030-2027»']],
    ['0 0 9 ? * MON', ['invalid-cron minutes «0»']],
  ])('the expression %j is invalid', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
    expect(parseCron(text).cron).toBeUndefined();
    // A pattern cannot compare two years.
    expect(hasShape(text)).toBe(text.endsWith(' 2030-2027'));
  });

  it('an expression may have 256 characters and no more', () => {
    const fits = `${'0,'.repeat(121)}0 9 ? * MON *`.padStart(256, '0,');
    expect(fits).toHaveLength(256);
    expect(parseCron(fits).problems).toEqual([]);
    expect(problemsOf(`0,${fits}`)).toEqual(['invalid-cron whole « *»']);
  });

  it('a text of a megabyte is refused by its length alone', () => {
    expect(problemsOf('(rate cron( '.repeat(100_000))).toHaveLength(1);
  });
});

describe('what to write instead', () => {
  it.each([
    ['0 9 * * *', '`0 9 * * ? *`'],
    ['0 9 * * 1-5', '`0 9 ? * MON-FRI *`'],
    ['0 9 * * 0', '`0 9 ? * SUN *`'],
    ['0 9 * * 5-7', '`0 9 ? * SUN,FRI,SAT *`'],
    ['0 9 * * */2', '`0 9 ? * SUN,TUE,THU,SAT *`'],
    ['0 9 ? * 2', '`0 9 ? * 2 *`'],
    ['0 0 9 ? * MON', '`0 9 ? * MON *`'],
    ['0 0 9 * * 1', '`0 9 ? * MON *`'],
    ['CRON( 0 9 * * 1 )', '`0 9 ? * MON *`'],
    ['rate(5 minutes)', '`*/5 * * * ? *`'],
    ['rate(6 hours)', '`0 */6 * * ? *`'],
    ['@weekly', '`0 0 ? * SUN *`'],
    ['99 9 * * * *', '`?` in day-of-week'],
    ['0 9 ? JANUARY MON *', '`JAN`'],
    ['0 9 1 1 ? 2030-2027', '`2027-2030`'],
  ])('the suggestion for %j is %s', (text, words) => {
    expect(
      parseCron(text)
        .problems.map((problem) => problem.hint)
        .join(' '),
    ).toContain(words);
  });

  it.each(['0 9 * * 8', '61 9 * * 1', '0 9 * *', '@reboot', 'rate(7 minutes)', 'cron(0 99 ? * MON *)', 'constructor'])(
    'the invalid expression %j gets no suggestion',
    (text) => {
      expect(parseCron(text).problems[0]?.hint).toMatch(/^Write (six fields|only the text)/);
    },
  );
});

describe('the second opinion', () => {
  it.each(['0 9 ? * FRI-MON *', '0 20-2/2 L NOV-FEB ? *', '60 9 ? * MON *', '*/0 9 * * ? *', '0 9 ? * ? *'])(
    'the second opinion says of %s what our own reader says',
    (text) => expect(secondOpinionAccepts(text.split(' '))).toBe(parseCron(text).cron !== undefined),
  );
});
