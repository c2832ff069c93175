// Suggestions for schedules in other notations mean what was written. That holds for every notation that reads the
// text: crontab, Quartz, Spring and EventBridge are written down here, and croner works their runs out.

import { Cron as Croner, type CronOptions } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import { parseCron } from '../../src/cron/parse-cron.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';
import { runs as runsOf } from '../support/runs/runs.ts';

const from = Date.UTC(2026, 10, 26);
const most = 30;
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The first runs, to the minute; `unsure` where it depends on the program, or no expression of EventBridge has these runs. */
type Runs = readonly number[] | 'unsure';
/** Undefined for a text that is not of the notation. */
type Notation = (words: readonly string[]) => Runs | undefined;

interface Grammar {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
  /** `5/15` goes on to the end. */
  readonly stepsFromOne?: boolean;
  /** In Spring and Quartz, Sunday ends a range as well as it begins one. */
  readonly endsOnSunday?: boolean;
}

function isList(text: string, { least, most: highest, names = [], stepsFromOne, endsOnSunday }: Grammar): boolean {
  const numberOf = (word: string) => {
    const index = names.indexOf(word.toUpperCase());
    return index >= 0 ? (names === days ? index : index + 1) : /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN;
  };
  return text.split(',').every((item) => {
    const [, base = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(item) ?? [];
    if (step !== undefined && (Number(step) < 1 || Number(step) > highest)) return false;
    if (base === '*') return true;
    const [first = '', second, ...rest] = base.split('-');
    if (second === undefined && step !== undefined && !stepsFromOne) return false;
    const [start, end] = [numberOf(first), numberOf(second ?? first)];
    const ends = endsOnSunday && second?.toUpperCase() === 'SUN' ? 7 : end;
    return rest.length === 0 && start >= least && end <= highest && start <= ends;
  });
}

const minutes: Grammar = { least: 0, most: 59 };
const hours: Grammar = { least: 0, most: 23 };
const dates: Grammar = { least: 1, most: 31 };
const monthly: Grammar = { least: 1, most: 12, names: months };
const fromZero: Grammar = { least: 0, most: 7, names: days };
const fromOne: Grammar = { least: 1, most: 7, names: days };
const years: Grammar = { least: 1970, most: 2199 };

const isMovingDate = (text: string) => /^(?:LW?|\d{1,2}W)$/.test(text) && Number.parseInt(text, 10) !== 0;
const isMovingDay = (text: string) =>
  /^(?:[0-7]|[A-Z]{3})(?:L|#[1-5])$/i.test(text) && !/^[A-Z]/i.test(text)
    ? true
    : days.some((day) => new RegExp(`^${day}(?:L|#[1-5])$`, 'i').test(text));

const isEvery = (text: string) => text === '*' || text === '?';

function runsBy(pattern: readonly string[], options: CronOptions): Runs | undefined {
  const text = pattern.map((word) => (word === '?' ? '*' : word)).join(' ');
  try {
    const cron = new Croner(text, { paused: true, timezone: 'UTC', sloppyRanges: true, ...options });
    return cron.nextRuns(most, new Date(from)).map((date) => date.getTime());
  } catch {
    return undefined;
  }
}

const stepping = (grammar: Grammar): Grammar => ({ ...grammar, stepsFromOne: true, endsOnSunday: true });

/** 1 is Monday, and 0 and 7 are Sunday. Where both day fields choose days, programs agree only on plain ones. */
const crontab: Notation = (words) => {
  const [minute = '', hour = '', date = '', month = '', day = ''] = words;
  const isIt =
    words.length === 5 &&
    isList(minute, stepping(minutes)) &&
    isList(hour, stepping(hours)) &&
    (isList(date, dates) || isMovingDate(date)) &&
    isList(month, monthly) &&
    (isList(day, fromZero) || isMovingDay(day));
  if (!isIt) return undefined;
  if (isEvery(date) || isEvery(day)) return runsBy(words, { mode: '5-part' });
  // `1-31` and `0-6` are as good as `*` for some programs, and choose every day for others.
  const isChoice = (...fields: readonly string[]) =>
    String(runsBy(['0', '0', ...fields], {})) !== String(runsBy(['0', '0', '*', '*', '*'], {}));
  const isPlain = !/^\*|[LW#]/.test(date) && !/^\*|L|#/i.test(day);
  return isPlain && isChoice('*', '*', day) && isChoice(date, '*', '*') ? runsBy(words, { mode: '5-part' }) : 'unsure';
};

const isSecond = (text: string) => /^\d{1,2}$/.test(text);

/** One `?`, and 1 is Sunday. */
const quartz: Notation = (words) => {
  const [second = '', minute = '', hour = '', date = '', month = '', day = '', year = '*'] = words;
  const isIt =
    (words.length === 6 || words.length === 7) &&
    (date === '?') !== (day === '?') &&
    [second, minute].every((text) => isList(text, stepping(minutes))) &&
    isList(hour, stepping(hours)) &&
    (date === '?' || isList(date, stepping(dates)) || isMovingDate(date)) &&
    isList(month, stepping(monthly)) &&
    (day === '?' || isList(day, stepping(fromOne)) || (isMovingDay(day) && !day.startsWith('0'))) &&
    isList(year, years);
  if (!isIt) return undefined;
  return isSecond(second)
    ? runsBy(['0', minute, hour, date, month, day, year], { mode: '7-part', alternativeWeekdays: true })
    : 'unsure';
};

/** 1 is Monday, and both day fields must match. */
const spring: Notation = (words) => {
  const [second = '', minute = '', hour = '', date = '', month = '', day = ''] = words;
  const isIt =
    words.length === 6 &&
    [second, minute].every((text) => isList(text, stepping(minutes))) &&
    isList(hour, stepping(hours)) &&
    (date === '?' || isList(date, stepping(dates)) || isMovingDate(date)) &&
    isList(month, stepping(monthly)) &&
    (day === '?' || isList(day, { ...fromZero, endsOnSunday: true }) || isMovingDay(day));
  if (!isIt) return undefined;
  if (!isSecond(second) || !(isEvery(date) || isEvery(day))) return 'unsure';
  return runsBy(['0', minute, hour, date, month, day], { mode: '6-part', domAndDow: true });
};

/** As it would be with its `?`, and without a year in every year; 1 is Sunday. */
const eventBridge: Notation = (words) => {
  const [minute = '', hour = '', date = '', month = '', day = '', year = '*'] = words;
  const isIt =
    (words.length === 6 || (words.length === 5 && words.includes('?'))) &&
    isList(minute, stepping(minutes)) &&
    isList(hour, stepping(hours)) &&
    (date === '?' || isList(date, stepping(dates)) || isMovingDate(date)) &&
    isList(month, stepping(monthly)) &&
    (day === '?' || isList(day, stepping(fromOne)) || (isMovingDay(day) && !/^0/.test(day))) &&
    isList(year, stepping(years));
  if (!isIt) return undefined;
  if (!(isEvery(date) || isEvery(day))) return 'unsure';
  return runsBy(['0', minute, hour, date, month, day, year], { mode: '7-part', alternativeWeekdays: true });
};

const notations = { crontab, quartz, spring, eventBridge };

/** The alternatives of a hint, each with the expressions that belong together. */
function suggested(text: string): readonly (readonly string[])[] {
  const hints = parseCron(text).problems.map(({ hint = '' }) => hint);
  return hints
    .filter((hint) => !hint.startsWith('Write six fields, such as'))
    .flatMap((hint) => hint.split(', or, if '))
    .map((part) =>
      [...part.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => (code.split(' ').length === 6 ? [code] : [])),
    )
    .filter((expressions) => expressions.length > 0);
}

function runsOfAll(expressions: readonly string[]): readonly number[] {
  const all = expressions.flatMap((text) => firstOf(comingRuns(read(text), 'UTC', from), most).map(({ at }) => at));
  return [...new Set(all)].sort((a, b) => a - b).slice(0, most);
}

/** Why the hint for a text is wrong; undefined for one that is right, or for none. */
function faultOf(text: string): string | undefined {
  const alternatives = suggested(text);
  if (alternatives.length === 0) return undefined;
  const found = alternatives.map((expressions) => String(runsOfAll(expressions)));
  const readings = Object.entries(notations).flatMap(([name, notation]) => {
    const runs = notation(text.trim().split(/\s+/));
    return runs === undefined ? [] : [[name, String(runs)] as const];
  });
  const missed = readings.find(([, runs]) => !found.includes(runs));
  if (missed !== undefined) return `${text}: ${missed[0]} reads it otherwise than ${JSON.stringify(alternatives)}`;
  const read = readings.map(([, runs]) => runs);
  const odd = readings.length === 0 ? -1 : found.findIndex((runs) => !read.includes(runs));
  return odd < 0 ? undefined : `${text}: nothing reads it as ${alternatives[odd]}`;
}

describe('a hint for a schedule', () => {
  it.each([
    // Days by number before `#` and `L` count from Sunday = 0 where no field is `?`.
    ['0 9 * * 1#1', 'Write `0 9 ? * MON#1 *`.'],
    ['0 9 * * 5L', 'Write `0 9 ? * FRIL *`.'],
    ['0 9 * * 7L', 'Write `0 9 ? * SUNL *`.'],
    ['0 9 * * fri#2', 'Write `0 9 ? * FRI#2 *`.'],
    ['0 0 9 * * 1#1', 'Write `0 9 ? * MON#1 *`.'],
    ['0 0 9 * * 5L', 'Write `0 9 ? * FRIL *`.'],
    ['0 0 9 ? * 2#1', 'Write `0 9 ? * 2#1 *`, or, if it is an expression of Spring, `0 9 ? * TUE#1 *`.'],
    ['0 0 12 ? 1/1 MON#2 *', 'Write `0 12 ? 1/1 MON#2 *`.'],
    [
      '0 9 * * 1#1,1#3',
      'One expression cannot say this. Write a schedule for each: `0 9 ? * MON#1 *` and `0 9 ? * MON#3 *`.',
    ],
    // Six fields that may begin with seconds.
    ['0 0 9 * * *', 'Write `0 0 9 * ? *`, or, if it begins with seconds, `0 9 * * ? *`.'],
    ['0 0 9 1 * *', 'Write `0 0 9 1 ? *`, or, if it begins with seconds, `0 9 1 * ? *`.'],
    ['0 10 7 * * *', 'Write `0 10 7 * ? *`, or, if it begins with seconds, `10 7 * * ? *`.'],
    ['0 0 * * * *', 'Write `0 0 * * ? *`, or, if it begins with seconds, `0 * * * ? *`.'],
    ['0 */5 * * * *', 'Write `0 */5 * * ? *`, or, if it begins with seconds, `*/5 * * * ? *`.'],
    ['0 9 * * * *', 'Write `0 9 * * ? *`, or, if it begins with seconds, `9 * * * ? *`.'],
    ['0 30 6 * * *', 'Write `30 6 * * ? *`.'],
    ['0 0 8 1W * *', 'Write `0 8 1W * ? *`.'],
    ['0 0 8 1 1,4,7,10 *', 'Write `0 8 1 1,4,7,10 ? *`.'],
    ['0 0 9 * * MON-FRI', 'Write `0 9 ? * MON-FRI *`.'],
    ['0 0 9 ? * *', 'Write `0 9 ? * * *`.'],
    ['0 0 9 ? * 2-6', 'Write `0 9 ? * 2-6 *`, or, if it is an expression of Spring, `0 9 ? * TUE-SAT *`.'],
    ['0 9 * * MON *', 'Write `0 9 ? * MON *`.'],
    // Days in both fields.
    ['0 9 15 * 1', 'One expression cannot say this. Write a schedule for each: `0 9 15 * ? *` and `0 9 ? * MON *`.'],
    [
      '0 10 1-7 * 1',
      'One expression cannot say this. Write a schedule for each: `0 10 1-7 * ? *` and `0 10 ? * MON *`.',
    ],
  ])('for %s it is: %s', (text, hint) => {
    expect(parseCron(text).problems.map((problem) => problem.hint)).toEqual([hint]);
    expect(faultOf(text)).toBeUndefined();
  });

  it.each([
    ['the first Monday by a trick that not every program understands', '5 12 */100,1-7 * 1'],
    ['odd working days, of which programs differ', '0 9 */2 * 1-5'],
    ['a list of all days beside a date', '0 9 15 * 0-6'],
    ['a step in the seconds', '*/5 * * * * *'],
    ['a date and a day of the week', '0 9 1 1 2 *'],
    ['a date and a day of the week behind seconds', '0 0 9 15 * MON'],
    ['a lonely L', '0 9 * * L'],
    ['seven fields without a question mark', '0 0 9 * * 1 *'],
  ])('is none for %s', (_, text) => {
    expect(parseCron(text).cron).toBeUndefined();
    expect(suggested(text)).toEqual([]);
  });

  const pick = fc.constantFrom;
  const minute = pick('0', '5', '30', '*', '*/15', '0,30', '5-20', '0/20');
  const hour = pick('9', '0', '*', '8-17', '9,17', '*/6');
  const date = pick('*', '*', '?', '?', '1', '15', '1-7', '1,15', '*/2', 'L', '15W', '1-31', 'LW');
  const month = pick('*', '*', '1', '1,4,7,10', 'JAN', 'JUN-AUG', '*/3');
  const day = pick(
    ...[
      '*',
      '*',
      '?',
      '?',
      '?',
      '1',
      '5',
      '7',
      '0',
      'MON',
      'mon-fri',
      '1-5',
      '2-6',
      '0,6',
      '6,7',
      '5-7',
      'FRI-SUN',
      'SUN-TUE',
    ],
    ...['*/2', '0-6', '1#1', '2#3', 'FRI#2', '5L', 'FRIL', '0L', 'L', '1#1,3#2', '1-5/2', '5/2'],
  );
  const year = pick('*', '*', '2027', '2026-2028');
  const written = fc.oneof(
    fc.tuple(minute, hour, date, month, day),
    fc.tuple(minute, hour, date, month, day, year),
    fc.tuple(pick('0', '0', '0', '30', '*', '*/10'), minute, hour, date, month, day),
    fc.tuple(pick('0', '0', '15', '*'), minute, hour, date, month, day, year),
  );

  it('a hint for a schedule means what was written by every notation that reads the text, or there is none', () => {
    fc.assert(
      fc.property(written, (words) => {
        expect(faultOf(words.join(' '))).toBeUndefined();
      }),
      { numRuns: Math.max(500, runsOf(2000)) },
    );
  });

  it('a hint for a schedule is there wherever every notation that reads the text is sure', () => {
    const texts = fc.sample(written, { numRuns: 500, seed: 1 }).map((words) => words.join(' '));
    const without = texts.filter((text) => {
      const readings = Object.values(notations).map((notation) => notation(text.split(' ')));
      const isSure = readings.some((runs) => runs !== undefined) && !readings.includes('unsure');
      return isSure && parseCron(text).cron === undefined && suggested(text).length === 0;
    });
    expect(without).toEqual([]);
  });
});
