// Which filter values count as changed by others. Omni's answers for schedules and dashboards decide.

import { describe, expect, it } from 'vitest';
import type { RemoteFilters } from '../../src/model/service/remote.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { type FilterLook, type FilterReading, isDoubtful, judgeFilters } from '../../src/observe/filters.ts';

const region = { kind: 'EQUALS', type: 'string', values: [], label: 'Region', required: false, hidden: false };
const dates = { kind: 'TIME_FOR_INTERVAL_DURATION', type: 'date', left_side: '7 days ago', right_side: '7 days' };
const read = (filters: JsonObject = { region }, controls: JsonObject = {}): RemoteFilters => ({
  identifier: 'd',
  filters,
  controls,
  filterOrder: [],
});
const look = (applied: JsonObject | undefined, answer: JsonObject, more: Partial<FilterLook> = {}): FilterLook => ({
  applied,
  answer,
  knownValues: [],
  notCompared: new Set(),
  ...more,
});

/** Of one schedule. */
function judge(of: FilterLook, before: FilterReading = read(), after: FilterReading = before) {
  const { filtersSeen, spellings } = judgeFilters([of], before, isDoubtful(of, before) ? after : 'not-asked');
  return { ...filtersSeen[0], spellings };
}

describe('an applied id', () => {
  it.each<[string, Json, Json]>([
    ['values in another order', { values: ['a', 'b'] }, { values: ['b', 'a'] }],
    ['a number as text', { values: [2026], left_side: 5 }, { values: ['2026'], left_side: '5' }],
    ['a flag as text', { values: [true], is_negative: false }, { values: ['true'], is_negative: 'false' }],
    ['a kind in other letters', { kind: 'EQUALS', values: ['a'] }, { kind: 'equals', values: ['a'] }],
    ['what was empty and is left out', { values: [], is_negative: false, left_side: null }, {}],
    ['what was an empty text and is left out', { values: [''] }, { values: [] }],
    ['what nobody applied', { values: ['a'] }, { ...region, values: ['a'], is_inclusive: true, fieldName: 'x' }],
    ['keys of the page', { values: ['a'], label: 'Mine', required: true }, { values: ['a'], label: 'Region' }],
    [
      'conditions inside',
      { conjunction: 'AND', filters: [{ kind: 'EQUALS', values: [1] }] },
      { conjunction: 'and', filters: [{ kind: 'equals', values: ['1'], label: 'x' }] },
    ],
    ['a list for values', ['a', 'b'], ['b', 'a']],
  ])('does not differ by %s', (_, applied, answer) => {
    const seen = judge(look({ region: applied }, { region: answer }));
    expect(seen).toEqual({ filterConfig: { region: applied }, isIncomplete: false, spellings: [] });
  });

  it.each<[string, JsonObject, Json, JsonObject]>([
    ['other values', { values: ['a', 'b'] }, { values: ['c', 'b'] }, { values: ['b', 'c'] }],
    ['one more value, beside a number as text', { values: [1] }, { values: ['2', '1'] }, { values: [1, '2'] }],
    [
      'values that are gone',
      { kind: 'EQUALS', values: ['a'] },
      { kind: 'EQUALS', values: [] },
      { kind: 'EQUALS', values: [] },
    ],
    ['values that the answer lacks', { values: ['a'] }, { kind: 'EQUALS' }, {}],
    ['null for a filter', { values: ['a'] }, null, {}],
    ['false and an empty list as values', { values: [false] }, { values: [] }, { values: [] }],
    [
      'another kind',
      { kind: 'EQUALS', values: ['a'] },
      { kind: 'CONTAINS', values: ['a'] },
      { kind: 'CONTAINS', values: ['a'] },
    ],
    [
      'what does not match passes',
      { values: ['a'], is_negative: false },
      { values: ['a'], is_negative: true },
      { values: ['a'], is_negative: true },
    ],
    ['a bound of zero', { left_side: 0, kind: 'LESS' }, { kind: 'LESS' }, { kind: 'LESS' }],
    [
      'a condition inside',
      { filters: [{ kind: 'EQUALS', values: [1] }] },
      { filters: [{ kind: 'EQUALS' }] },
      { filters: [{ kind: 'EQUALS' }] },
    ],
  ])('differs by %s', (_, applied, answer, now) => {
    expect(judge(look({ region: applied }, { region: answer })).filterConfig).toEqual({ region: now });
  });

  it('an applied id is as it was applied where the form of the answer cannot be compared, and that is counted', () => {
    expect(judge(look({ region: { values: ['a'] } }, { region: ['b'] }))).toMatchObject({
      filterConfig: { region: { values: ['a'] } },
      isIncomplete: true,
    });
  });

  it('differs where it is turned around, unless the dashboard is so too', () => {
    const turned = look({ region: { values: ['a'] } }, { region: { ...region, values: ['a'], is_negative: true } });
    expect(judge(turned).filterConfig).toEqual({ region: { values: ['a'], is_negative: true } });
    const ofDashboard = read({ region: { ...region, is_negative: true } });
    for (const [before, after] of [
      [ofDashboard, ofDashboard],
      [read(), ofDashboard],
      ['not-asked', 'not-asked'],
    ] as const)
      expect(judge(turned, before, after).filterConfig).toEqual(turned.applied);
  });

  it('an applied id is spelled as it is declared by now if it has that meaning', () => {
    const seen = judge(
      look(
        { region: { values: [1], kind: 'EQUALS' } },
        { region: { values: ['2'], kind: 'EQUALS' } },
        { knownValues: [{ region: { values: [2] } }] },
      ),
    );
    expect(seen.filterConfig).toEqual({ region: { values: [2], kind: 'EQUALS' } });
  });

  it.each<[string, FilterReading, object]>([
    ['gone if the dashboard lacks it as well', read({}), { filterConfig: {}, isIncomplete: false }],
    [
      'not gone while the dashboard has it',
      read(),
      { filterConfig: { region: { values: ['a'] } }, isIncomplete: true },
    ],
    [
      'not gone if the dashboard was not read',
      'refused',
      { filterConfig: { region: { values: ['a'] } }, isIncomplete: true },
    ],
    [
      'not gone if it is a control',
      read({}, { region: {} }),
      { filterConfig: { region: { values: ['a'] } }, isIncomplete: false },
    ],
  ])('that the answer lacks is %s', (_, after, seen) => {
    expect(judge(look({ region: { values: ['a'] } }, {}), read(), after)).toMatchObject(seen);
    if (after === 'refused') expect(judge(look({ region: { values: ['a'] } }, {}), 'not-asked')).toMatchObject(seen);
  });
});

describe('any other id', () => {
  it('any other id is the dashboard’s as long as they agree in what both have', () => {
    const answer = { region: { kind: 'equals', values: [''], extra: 1, left_side: 'x' }, unknown: { values: ['a'] } };
    expect(judge(look(undefined, answer))).toEqual({ filterConfig: undefined, isIncomplete: false, spellings: [] });
  });

  it('that differs from both readings is the schedule’s own, with the keys that people write', () => {
    const answer = { region: { ...region, values: ['US'] }, date: { ...dates, left_side: '1 day ago', viewName: 'v' } };
    expect(judge(look({}, answer), read({ region, date: dates })).filterConfig).toEqual({
      region: { kind: 'EQUALS', type: 'string', values: ['US'] },
      date: { ...dates, left_side: '1 day ago' },
    });
  });

  it.each([
    ['before the schedule was read', read(), read({ region: { ...region, values: ['US'] } })],
    ['after it was read', read({ region: { ...region, values: ['US'] } }), read()],
    ['and took the filter away', read(), read({})],
  ])('is the dashboard’s if somebody edited that %s', (_, before, after) => {
    const answer = { region: { ...region, values: ['US'] } };
    expect(judge(look({}, answer), before, after)).toEqual({ filterConfig: {}, isIncomplete: false, spellings: [] });
  });

  it('any other id is not compared where the dashboard was not read, and that is counted where it was refused', () => {
    const own = look({ date: dates }, { date: dates, region: { ...region, values: ['US'] } });
    expect(judge(own, 'refused')).toMatchObject({ filterConfig: { date: dates }, isIncomplete: true });
    expect(judge(own, read(), 'refused')).toMatchObject({ filterConfig: { date: dates }, isIncomplete: true });
    expect(judge(own, 'not-asked')).toMatchObject({ filterConfig: { date: dates }, isIncomplete: false });
    expect(judge(look({ date: dates }, { date: dates }), undefined)).toMatchObject({ isIncomplete: false });
  });

  it('any other id is not compared if it is a control or was never sent', () => {
    const answer = { metric: { values: ['US'] }, region: { ...region, values: ['US'] } };
    const seen = judge(
      look({}, answer, { notCompared: new Set(['region']) }),
      read({ region }, { metric: { values: ['x'] } }),
    );
    expect(seen).toMatchObject({ filterConfig: {}, isIncomplete: false });
  });

  it('any other id is as it is declared by now if it has that meaning, with what somebody set beside that', () => {
    const answer = { region: { ...region, values: ['7'], is_negative: true } };
    const seen = judge(
      look({}, answer, { knownValues: [{ region: { values: [7] } }] }),
      read({ region: { ...region, is_negative: false } }),
    );
    expect(seen.filterConfig).toEqual({ region: { values: [7], is_negative: true } });
  });
});

describe('what differs in every schedule of a dashboard', () => {
  const own = (values: Json) => look({}, { region: { ...region, values } });
  const judged = (...looks: readonly FilterLook[]) => {
    const { filtersSeen, spellings } = judgeFilters(looks, read(), read());
    return [spellings, filtersSeen.map(({ filterConfig = {} }) => Object.keys(filterConfig).length)];
  };

  it('what differs in every schedule of a dashboard is a spelling of Omni if it is alike in two or more', () => {
    expect(judged(own(['ALL']), own(['ALL']))).toEqual([['region'], [0, 0]]);
  });

  it.each<[string, readonly FilterLook[], readonly number[]]>([
    ['it is the only one', [own(['ALL'])], [1]],
    ['they differ from each other', [own(['US']), own(['EU'])], [1, 1]],
    ['one agrees with the dashboard', [own(['US']), own(['US']), own([])], [1, 1, 0]],
    [
      'one has a filter that was applied',
      [own(['US']), own(['US']), look({ region: { values: ['US'] } }, { region: { values: ['US'] } })],
      [1, 1, 1],
    ],
  ])('is no spelling if %s', (_, looks, given) => {
    expect(judged(...looks)).toEqual([[], given]);
  });
});
