// Failed, missed and stopped are told from fine without a false alarm: the runs of a made-up service decide.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import { judgeHealth, lastDue, type RunFacts } from '../../src/deliveries/read-status.ts';
import { needsAttention } from '../../src/model/service/health.ts';
import { expressions } from '../support/cron/expressions.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

const minute = 60_000;
const hour = 60 * minute;
const judge = (facts: RunFacts, now: number, tolerance: number) =>
  judgeHealth(facts, (timing) => lastDue(timing, now - tolerance));
const skew = 10 * minute;
// Clocks that change by half an hour, at midnight, on other days than elsewhere, and for Ramadan; and a day that Apia skipped.
const zone = fc.constantFrom(
  ...['UTC', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Beirut'],
  ...['Africa/Casablanca', 'Pacific/Apia', 'Pacific/Chatham'],
);
const start = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }),
  fc.integer({ min: Date.UTC(2011, 11, 20), max: Date.UTC(2012, 0, 5) }),
);
const often = fc.constantFrom('* * * * ? *', '*/5 * * * ? *', '0/20 1-3 * * ? *', '30 2 * * ? *', '0 0 * * ? *');
const text = fc.oneof(expressions({ unusual: true, years: [2011, 2030] }), often);

/** A schedule whose runs all end within the tolerance, looked at some time after it was created or one of them began. */
const working = fc
  .record({
    text,
    zone,
    created: start,
    runs: fc.integer({ min: 0, max: 5 }),
    lasts: fc.integer({ min: 1, max: 30 }),
    spare: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 48 * 60 })),
    later: fc.integer({ min: 0, max: 1000 }).map((share) => share / 1000),
    machine: fc.integer({ min: -skew, max: skew }),
  })
  .map(({ text, zone, created, runs, lasts, spare, later, machine }) => {
    const cron = read(text);
    const coming = firstOf(comingRuns(cron, zone, created), runs + 1);
    const begun = coming.slice(0, runs);
    if (begun.length < runs) return undefined;
    const last = begun.at(-1)?.at ?? created;
    const until = coming[runs]?.at ?? last + 7 * 24 * hour;
    const now = last + Math.floor((until - 1 - last) * later);
    const ended = (at: number) => at + lasts * minute;
    const completed = begun.filter((run) => ended(run.at) <= now).at(-1)?.at;
    const facts: RunFacts = {
      timing: { cron, zone },
      paused: false,
      createdAt: created + machine,
      ...(completed === undefined ? {} : { lastCompletedAt: ended(completed), lastStatus: 'COMPLETE' }),
    };
    return { facts, now, last: begun.at(-1)?.at, tolerance: (lasts + spare) * minute };
  })
  .filter((world) => world !== undefined);

describe('judgeHealth', () => {
  it('nothing needs attention while every run ends within the tolerance', () => {
    fc.assert(
      fc.property(working, ({ facts, now, tolerance }) => {
        const { health } = judge(facts, now, tolerance);
        expect(needsAttention(health)).toBe(false);
        expect(health).toBe(facts.lastCompletedAt === undefined ? 'never-ran' : 'fine');
      }),
      { numRuns: runs(200) },
    );
  });

  it('whatever the service says of the last run, a schedule of which it is not certain needs no attention', () => {
    const unsure = fc.constantFrom<Partial<RunFacts>>(
      { lastCompletedAt: Number.NaN },
      { lastCompletedAt: Number.NaN, lastStatus: 'COMPLETE' },
      { lastCompletedAt: Date.UTC(2099, 0, 1), lastStatus: 'COMPLETE' },
      { lastStatus: 'COMPLETE' },
      { lastStatus: 'A word that Omni adds' },
      { timing: undefined },
      { paused: true },
      { lastStatus: 'CONDITION_UNMET' },
    );
    fc.assert(
      fc.property(working, unsure, fc.integer({ min: 0, max: 1000 }), ({ facts, now, tolerance }, changes, days) => {
        const { lastCompletedAt: _, lastStatus: __, ...bare } = facts;
        const { health } = judge({ ...bare, ...changes }, now + days * 24 * hour, tolerance);
        expect(needsAttention(health), `${JSON.stringify(changes)} ${health}`).toBe(false);
      }),
      { numRuns: runs(200) },
    );
  });

  /** How long before it is due a run may have ended, and how much longer it is waited for. */
  function allowanceFor({ timing }: RunFacts, at: number): number {
    if (timing === undefined) return 0;
    for (const run of comingRuns(timing.cron, timing.zone, at - 2 * hour))
      if (run.at !== at) return run.at < at + 2 * hour ? 0 : hour;
    return hour;
  }

  it('a run that does not end within the tolerance is missed, unless the schedule was changed after it was due', () => {
    fc.assert(
      fc.property(working, fc.boolean(), ({ facts, last, tolerance }, isChanged) => {
        fc.pre(last !== undefined);
        const { lastCompletedAt: _, lastStatus: __, ...never } = facts;
        const allowance = allowanceFor(facts, last);
        const now = last + tolerance + allowance;
        const createdAt = last - allowance - skew - (isChanged ? 0 : 1);
        const judged = judge({ ...never, createdAt }, now, tolerance);
        expect(judged.health).toBe(isChanged ? 'never-ran' : 'missed');
      }),
      { numRuns: runs(200) },
    );
  });

  // Zones whose clocks the service knows before Node does, and the offset that they really have.
  const ahead = ['America/Winnipeg', -5 * hour] as const;
  const behind = ['Africa/Casablanca', 0] as const;
  const sundays = Date.UTC(2026, 11, 6);

  /** What the service says at an instant of a schedule that was made at another. */
  function toldBy(offset: number, local: number, lasts: number, { made, now }: { made: number; now: number }) {
    const first = Math.floor((now - lasts + offset - local) / (24 * hour));
    const due = first * 24 * hour + local - offset;
    return due > made ? { lastCompletedAt: due + lasts, lastStatus: 'COMPLETE' } : {};
  }

  it.each([ahead, behind])('no run is missed at any minute of a day where the clocks of %s have changed', (...row) => {
    const [zone, offset] = row;
    for (const local of [0, 6 * hour, 13 * hour + 29 * minute, 23 * hour + 59 * minute]) {
      const timing = { cron: read(`${(local / minute) % 60} ${Math.floor(local / hour)} * * ? *`), zone };
      for (let now = sundays; now < sundays + 24 * hour; now += minute) {
        for (const [lasts, age] of [
          [20_000, 300 * hour],
          [30 * minute, 300 * hour],
          [20_000, ((now / minute) % 97) * 15 * minute],
        ] as const) {
          const made = now - age;
          const facts = { timing, paused: false, createdAt: made, ...toldBy(offset, local, lasts, { made, now }) };
          const { health } = judge(facts, now, 30 * minute);
          if (needsAttention(health)) expect.fail(JSON.stringify({ local, now, lasts, age }));
        }
      }
    }
  });

  it('no run of a schedule that runs every hour of some is missed where the clocks are known to have changed', () => {
    const cron = read('0 8-17 * * ? *');
    for (let now = sundays; now < sundays + 24 * hour; now += minute) {
      const [zone, offset] = ahead;
      const started = Array.from({ length: 40 }, (_, back) => now - (now % hour) - back * hour).filter((at) => {
        const local = new Date(at + offset).getUTCHours();
        return local >= 8 && local <= 17 && at + 20_000 <= now;
      });
      const facts = {
        paused: false,
        createdAt: 0,
        lastStatus: 'COMPLETE',
        lastCompletedAt: (started[0] ?? 0) + 20_000,
      };
      const { health } = judge({ ...facts, timing: { cron, zone, isOutdated: true } }, now, 30 * minute);
      expect(health, new Date(now).toISOString()).toBe('fine');
    }
  });

  const daily = { timing: { cron: read('0 9 * * ? *'), zone: 'UTC' }, paused: false };
  const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);
  const now = at('22T12:00');

  const twice = { timing: { cron: read('0 8,9 * * ? *'), zone: 'UTC' } };
  const made = (time: string) => ({ createdAt: at(time) });
  const moved = (time: string) => ({ retimedAt: at(time) });
  const due = (time: string) => ({ timing: { cron: read(`${time} * * ? *`), zone: 'UTC' } });

  it.each<[string, string, (string | undefined)?, (string | undefined)?, Partial<RunFacts>?]>([
    ['a run that ended with an error has failed', 'failed', 'ERROR', '22T09:01'],
    ['a run that was killed has failed', 'failed', 'KILLED', '22T09:01'],
    ['a run that was due after a failed one is missed', 'missed', 'ERROR', '21T09:01'],
    ['a run that ended more than an hour before it was due is missed', 'missed', 'COMPLETE', '22T07:59'],
    [
      'a run that ended an hour before it was due is not missed, as clocks may have changed',
      'fine',
      'COMPLETE',
      '22T08:00',
    ],
    [
      'a run that ended an hour before it was due is missed if another runs within two hours',
      'missed',
      'COMPLETE',
      '22T08:01',
      twice,
    ],
    ['a run is looked for only an hour after its tolerance', 'fine', 'COMPLETE', '21T10:32', due('31 10')],
    ['a run is missed when its tolerance and an hour are over', 'missed', 'COMPLETE', '21T10:31', due('30 10')],
    ['a run before yesterday is missed', 'missed', 'COMPLETE', '20T09:01'],
    ['an alert whose condition was not met is not missed', 'condition-unmet', 'CONDITION_UNMET', '20T09:01'],
    ['a paused schedule is not missed', 'paused', undefined, '01T09:01', { paused: true }],
    ['what Omni stopped is stopped, whatever its last run was', 'stopped', 'ERROR', undefined, { stopped: 'noAccess' }],
    ['a schedule of unknown age that never ran is not missed', 'never-ran'],
    [
      'a schedule that was made after the run was due has nothing to miss',
      'never-ran',
      undefined,
      undefined,
      made('22T10:00'),
    ],
    ['a run that was due before somebody tracked the schedule is missed', 'missed', 'COMPLETE', '20T09:01'],
    ['a run that was due before its time was moved is unknown', 'unknown', 'COMPLETE', '20T09:01', moved('22T10:00')],
    ['a run that was due after its time was moved is missed', 'missed', 'COMPLETE', '20T09:01', moved('21T10:00')],
    [
      'a run that completed since it was due is fine, whatever was moved',
      'fine',
      undefined,
      '22T09:01',
      moved('22T10:00'),
    ],
    ['a run that failed has failed, whatever was moved since', 'failed', 'ERROR', '20T09:01', moved('22T10:00')],
    [
      'what never ran and was moved after it was due is unknown',
      'unknown',
      undefined,
      undefined,
      { ...made('20T10:00'), ...moved('22T10:00') },
    ],
    [
      'what was made and moved after it was due has nothing to miss',
      'never-ran',
      undefined,
      undefined,
      { ...made('22T10:00'), ...moved('22T11:00') },
    ],
    ['what somebody moved in Omni is unknown', 'unknown', 'COMPLETE', '22T09:01', { isRetimedInOmni: true }],
    ['a schedule whose times cannot be read is unknown', 'unknown', 'COMPLETE', '01T09:00', { timing: undefined }],
    ['a run that ended nobody knows when is unknown', 'unknown', 'COMPLETE'],
    ['a first run that is under way is fine', 'fine', 'EXECUTING'],
    ['a run that ended at a time that cannot be read is unknown', 'unknown', 'COMPLETE', '?'],
    [
      'a paused schedule is paused, whatever was moved',
      'paused',
      undefined,
      '20T09:01',
      { paused: true, ...moved('22T10:00') },
    ],
  ])('%s', (_, health, lastStatus, ended, more) => {
    const lastRun = { lastStatus, lastCompletedAt: ended === undefined ? undefined : at(ended) };
    const known = Object.fromEntries(Object.entries(lastRun).filter(([, value]) => value !== undefined));
    expect(judge({ ...daily, ...known, ...more }, now, 30 * minute).health).toBe(health);
  });
});
