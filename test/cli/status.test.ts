// `almanac status` over real HTTP: what the runs of the emulator become in each report, and what it costs to ask.

import { describe, expect, it } from 'vitest';
import type { StatusDocument } from '../../src/commands/status/document.ts';
import { daily } from '../support/cli/open-stage.ts';
import { obeyed } from '../support/report/strip-sgr.ts';
import { expectDocument } from '../support/schemas.ts';
import { openApplied, type World } from '../support/world.ts';

const named = (name: string, more: object = {}) => ({ ...daily, name, ...more });
const alert = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' };
const six = {
  failed: named('Failed'),
  fine: named('Fine'),
  missed: named('Missed'),
  paused: named('Paused', { paused: true }),
  stopped: named('Stopped'),
  unmet: named('Unmet', alert),
};

/** Each schedule ends as its name says. */
async function openSix(more: object = {}): Promise<World> {
  const stage = await openApplied({ schedules: six }, more);
  const { emulator, until } = stage;
  until(3, 10, 30);
  emulator.edit(({ schedules }) => {
    for (const schedule of schedules) {
      const at = '2026-03-03T09:01:00.000Z';
      switch (schedule.fields['name']) {
        case 'Failed':
          schedule.lastRun = { at, status: 'ERROR' };
          break;
        case 'Missed':
          schedule.lastRun = { at: '2026-03-02T09:01:00.000Z', status: 'COMPLETE' };
          // The emulator would make up for it.
          schedule.updatedAt = at;
          break;
        case 'Stopped':
          schedule.systemDisabled = { at, reason: 'noAccess' };
          break;
        case 'Unmet':
          schedule.lastRun = { at, status: 'CONDITION_UNMET' };
          break;
      }
    }
  });
  return stage;
}

async function document(stage: World, ...argv: readonly string[]) {
  const ran = await stage.run('status', '--format', 'json', ...argv);
  const found = expectDocument<StatusDocument>('status', ran.stdout);
  return { code: ran.code, document: found, health: found.schedules.map(({ name, health }) => `${name} ${health}`) };
}

/** Somebody makes a schedule in Omni itself, whose last run failed. */
function makeByHand(stage: World, name: string): void {
  const at = '2026-03-03T09:00:00.000Z';
  const lastRun = { at: '2026-03-03T09:00:30.000Z', status: 'ERROR' } as const;
  stage.makeByHand(named(name), { createdAt: at, updatedAt: at, lastRun });
}

describe('almanac status', () => {
  it('what failed, was missed or was stopped has a line, and the others are counted', async () => {
    const { run } = await openSix();
    const { code, stdout, stderr } = await run('status');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "  FAILED   schedules.failed   ERROR, today 09:01, owner Organization
        MISSED   schedules.missed   due today 09:00, last completed 2026-03-02
                   09:01, owner Organization
        STOPPED  schedules.stopped  its owner lost access to the dashboard
                   (noAccess), owner Organization

      1 fine, 1 paused, 1 condition not met
      Times are in UTC.
      "
    `);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('the JSON has every managed schedule, fits its schema, and takes one request', async () => {
    const stage = await openSix();
    const before = stage.emulator.requests().length;
    const { code, document: found, health } = await document(stage);
    expect(code).toBe(2);
    expect(stage.emulator.requests().length - before).toBe(1);
    expect(health).toEqual(Object.values(six).map(({ name }) => `${name} ${healthOf[name]}`));
    expect(found.schedules[0]).toEqual({
      address: 'schedules.failed',
      id: stage.idOf('schedules.failed'),
      name: 'Failed',
      health: 'failed',
      lastStatus: 'ERROR',
      lastCompletedAt: '2026-03-03T09:01:00.000Z',
      due: '2026-03-03T09:00:00.000Z',
      reason: 'ERROR',
      owner: 'Organization',
      timezone: 'UTC',
      managed: true,
    });
  });

  it('every report says whom to ask about a delivery that failed', async () => {
    const stage = await openApplied(
      { schedules: { a: named('A', { meta: { owner: '@acme/finance' } }), b: named('B') } },
      { faults: [{ fault: 'run-error' }] },
    );
    stage.until(1, 10);
    const { document: found } = await document(stage);
    expect(found.schedules.map(({ metaOwner }) => metaOwner)).toEqual(['@acme/finance', undefined]);
    expect((await stage.run('status')).stdout).toMatch(/schedules\.a .* ask @acme\/finance\n/);
    expect((await stage.run('status', '--format', 'markdown')).stdout).toContain('ask `@acme/finance` |');
  });

  it('all times of a report are in the zone of most schedules, which it names', async () => {
    const stage = await openApplied(
      {
        schedules: {
          tokyo: named('A', { timezone: 'Asia/Tokyo', schedule: '0 18 * * ? *' }),
          paris: named('B', { timezone: 'Europe/Paris', schedule: '0 10 * * ? *' }),
          rome: named('C', { timezone: 'Europe/Paris', schedule: '0 10 * * ? *' }),
        },
      },
      { faults: [1, 2, 3].map((at) => ({ fault: 'run-error', at })) },
    );
    stage.until(1, 10);
    for (const format of ['text', 'markdown']) {
      const { stdout } = await stage.run('status', '--format', format);
      expect(stdout).toContain('Times are in Europe');
      expect(stdout.match(/1[08](?::|&#58;)00/g)?.every((time) => time.startsWith('10'))).toBe(true);
    }
  });

  it('nothing is a false alarm while every run is complete, paused, just created or just changed', async () => {
    const stage = await openApplied({ schedules: { a: named('A'), b: named('B', { paused: true }) } });
    stage.until(1, 8);
    expect((await document(stage)).health).toEqual(['A never-ran', 'B paused']);
    stage.until(4, 9);
    expect(await document(stage)).toMatchObject({ code: 0, health: ['A fine', 'B paused'] });
    stage.until(4, 10);
    stage.write({ 'schedules/all.yaml': { schedules: { a: named('A', { schedule: '0 8 * * ? *' }), b: named('B') } } });
    await stage.apply();
    stage.until(4, 12);
    expect(await document(stage)).toMatchObject({ code: 0, health: ['A fine', 'B never-ran'] });
    stage.until(5, 12);
    expect(await document(stage)).toMatchObject({ code: 0, health: ['A fine', 'B fine'] });
  });

  it('a run is missed once the tolerance and an hour are over', async () => {
    const stage = await openApplied({ schedules: { a: named('A') } }, { faults: [{ fault: 'run-missed', at: 2 }] });
    stage.until(1, 10);
    expect((await document(stage)).health).toEqual(['A fine']);
    stage.until(2, 10, 20);
    expect((await document(stage)).health).toEqual(['A fine']);
    expect((await document(stage, '--tolerance', '15m')).health).toEqual(['A missed']);
  });

  it('a run is missed where Omni lists the zone under another name of the same clocks', async () => {
    const stage = await openApplied(
      { schedules: { a: named('A', { timezone: 'US/Pacific' }) } },
      { faults: [{ fault: 'run-missed', at: 2 }] },
    );
    stage.change('A', (fields) => void Object.assign(fields, { timezone: 'America/Los_Angeles' }));
    stage.until(1, 20);
    expect((await document(stage)).health).toEqual(['A fine']);
    stage.until(2, 20);
    expect((await document(stage)).health).toEqual(['A missed']);
  });

  it('what nobody manages is counted, and listed with --all, without what almanac.yaml ignores', async () => {
    const stage = await openApplied({ schedules: { a: named('A') } }, { config: { ignore: [{ name: 'tmp *' }] } });
    stage.until(3, 10);
    makeByHand(stage, 'Made by hand');
    makeByHand(stage, 'tmp mine');
    const plain = await stage.run('status');
    expect(plain.code).toBe(0);
    expect(plain.stdout).toBe('1 fine, 1 untracked and failing (--all shows them)\n');
    const { code, health, document: found } = await document(stage, '--all');
    expect({ code, health }).toEqual({ code: 2, health: ['A fine', 'Made by hand failed'] });
    expect(found.summary).toMatchObject({ failed: 1, fine: 1, notManaged: { count: 1, failing: 1 } });
    expect((await stage.run('status', '--all')).stdout).toContain('FAILED  "Made by hand"');
  });

  it('names from the service neither control the terminal nor leave their cell', async () => {
    const stage = await openApplied({ schedules: { a: named('A') } });
    stage.until(3, 10);
    makeByHand(stage, '\u001b[2J\u202e| @everyone ##[error]');
    expect((await stage.run('status', '--all')).stdout).not.toMatch(obeyed);
    const { stdout } = await stage.run('status', '--all', '--format', 'markdown');
    expect(stdout).toContain('1 schedule to look at');
    expect(stdout).not.toMatch(/(?<!&#64;|`[^`]*)@everyone/);
    expect(stdout).not.toMatch(obeyed);
    expect((await stage.run('status', '--all', '--format', 'json')).stdout).not.toContain('##[');
  });

  it('with operations core it says why it cannot know, and sends nothing', async () => {
    const stage = await openApplied({ schedules: { a: named('A') } });
    const { baseUrl } = stage.state();
    stage.write({ 'almanac.yaml': { api: { baseUrl, operations: 'core' } } });
    const before = stage.emulator.requests().length;
    const { code, stderr } = await stage.run('status');
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'cannot ask Omni how the last runs ended. hint: Set `api: { operations: full }`',
    );
    expect(stage.emulator.requests()).toHaveLength(before);
  });
});

const healthOf: Readonly<Record<string, string>> = {
  Failed: 'failed',
  Fine: 'fine',
  Missed: 'missed',
  Paused: 'paused',
  Stopped: 'stopped',
  Unmet: 'condition-unmet',
};
