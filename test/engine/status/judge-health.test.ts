// Failed, missed and stopped are told from fine without a false alarm: the runs of a made-up service decide.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns } from '../../../src/cron/coming-runs.ts';
import { judgeHealth, type RunFacts } from '../../../src/engine/status/judge-health.ts';
import { needsAttention } from '../../../src/model/plan/status-document.ts';
import { expressions } from '../../support/cron/expressions.ts';
import { firstOf } from '../../support/cron/first-of.ts';
import { read } from '../../support/cron/read.ts';

const minute = 60_000;
const zone = fc.constantFrom('UTC', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana');
const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) });
const text = expressions({ unusual: true, years: [2026, 2030] });

/** A schedule whose runs all end within the tolerance, looked at some time after one of them began. */
const working = fc
  .record({
    text,
    zone,
    created: start,
    runs: fc.integer({ min: 1, max: 5 }),
    lasts: fc.integer({ min: 1, max: 30 }),
    later: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ text, zone, created, runs, lasts, later }) => {
    const cron = read(text);
    const coming = firstOf(comingRuns(cron, zone, created), runs + 1);
    const [last, next] = [coming[runs - 1], coming[runs]];
    if (last === undefined) return undefined;
    const until = next?.at ?? last.at + 7 * 24 * 60 * minute;
    const now = last.at + Math.floor((until - 1 - last.at) * later);
    const ended = (at: number) => at + lasts * minute;
    const completed = coming.filter((run) => ended(run.at) <= now).at(-1)?.at;
    const facts: RunFacts = {
      timing: { cron, zone },
      paused: false,
      changedAt: created,
      ...(completed === undefined ? {} : { lastCompletedAt: ended(completed), lastStatus: 'COMPLETE' }),
    };
    return { facts, now, last: last.at, tolerance: lasts * minute };
  })
  .filter((world) => world !== undefined);

describe('judgeHealth', () => {
  it('nothing needs attention while every run ends within the tolerance', () => {
    fc.assert(
      fc.property(working, ({ facts, now, tolerance }) => {
        const { health } = judgeHealth(facts, now, tolerance);
        expect(needsAttention(health)).toBe(false);
        expect(health).toBe(facts.lastCompletedAt === undefined ? 'never-ran' : 'fine');
      }),
      { numRuns: 300 },
    );
  });

  it('a run that does not end within the tolerance is missed, unless the schedule was changed after it was due', () => {
    fc.assert(
      fc.property(working, fc.boolean(), ({ facts, last, tolerance }, isChanged) => {
        const { lastCompletedAt: _, lastStatus: __, ...never } = facts;
        const now = last + tolerance;
        const judged = judgeHealth({ ...never, ...(isChanged ? { changedAt: last } : {}) }, now, tolerance);
        expect(judged.health).toBe(isChanged ? 'never-ran' : 'missed');
      }),
      { numRuns: 200 },
    );
  });

  const daily = { timing: { cron: read('0 9 * * ? *'), zone: 'UTC' }, paused: false };
  const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);
  const now = at('22T12:00');

  it.each<readonly [string, Partial<RunFacts>, string]>([
    ['a run that ended with an error has failed', { lastStatus: 'ERROR', lastCompletedAt: at('22T09:01') }, 'failed'],
    ['a run that was killed has failed', { lastStatus: 'KILLED', lastCompletedAt: at('22T09:01') }, 'failed'],
    [
      'a run that was due after a failed one is missed',
      { lastStatus: 'ERROR', lastCompletedAt: at('21T09:01') },
      'missed',
    ],
    ['a run before yesterday is missed', { lastStatus: 'COMPLETE', lastCompletedAt: at('20T09:01') }, 'missed'],
    [
      'an alert whose condition was not met is not missed',
      { lastStatus: 'CONDITION_UNMET', lastCompletedAt: at('20T09:01') },
      'condition-unmet',
    ],
    ['a paused schedule is not missed', { paused: true, lastCompletedAt: at('01T09:01') }, 'paused'],
    [
      'a schedule that Omni stopped is stopped, whatever its last run was',
      { stopped: 'noAccess', lastStatus: 'ERROR' },
      'stopped',
    ],
    ['a schedule of unknown age that never ran is not missed', {}, 'never-ran'],
    [
      'a schedule that was changed after the run was due is not missed',
      { changedAt: at('22T10:00'), lastCompletedAt: at('20T09:01') },
      'fine',
    ],
    [
      'a schedule that cannot be read is judged by its last run alone',
      { timing: undefined, lastStatus: 'COMPLETE', lastCompletedAt: at('01T09:00') },
      'fine',
    ],
  ])('%s', (_, facts, health) => {
    expect(judgeHealth({ ...daily, ...facts }, now, 30 * minute).health).toBe(health);
  });
});
