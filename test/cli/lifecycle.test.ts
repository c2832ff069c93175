// The life of a schedule in chains: each step is planned, applied, and followed by an empty plan; at the end the
// service holds what is declared.

import { describe, expect, it } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { openWorld } from '../support/world.ts';

const common = { identifier: '12db1a0a', schedule: '0 9 ? * MON *', timezone: 'Europe/London', format: 'pdf' };
const mail: JsonObject = {
  ...common,
  name: 'Weekly',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Hi',
};
const hook: JsonObject = { ...common, name: 'Weekly', destinationType: 'webhook', url: 'https://hooks.example.com/in' };
const others: JsonObject = { ...hook, name: 'Another', identifier: '3f9c2b71' };

async function stage(operations: 'core' | 'full', options: EmulatorOptions = {}) {
  const config = { safety: { maxDeletePercent: 100, allowOrphans: true } };
  const workspace = await openWorld({}, { operations, config, ...options });
  const { emulator } = workspace;
  const inBrief = ({ changes }: PlanDocument) =>
    changes.map(({ address, previousAddress, action, reason }) =>
      `${action} ${previousAddress === undefined ? '' : `${previousAddress} -> `}${address} (${reason})`.replaceAll(
        'schedules.',
        '',
      ),
    );
  /** What is planned and sent; the plan after that must be empty. */
  const step = async (declared: JsonObject, flags: readonly string[] = []) => {
    workspace.write({ 'schedules/all.yaml': declared });
    const planned = inBrief(await workspace.plan('--allow-empty', ...flags));
    workspace.sent();
    await workspace.apply('--allow-empty', ...flags);
    const sent = workspace.sent().map((line) =>
      line
        .replace('/api/v1/schedules', '')
        .replace(/\/?[0-9a-f-]{36}/, '')
        .trim(),
    );
    expect((await workspace.plan('--allow-empty')).changes).toEqual([]);
    return { planned, sent };
  };
  const held = () =>
    emulator
      .data()
      .schedules.map(
        ({ fields, disabledAt }) => `${fields['name']} ${fields['destinationType']}${disabledAt ? ' paused' : ''}`,
      )
      .sort();
  return { emulator, workspace, step, held };
}

describe('with operations full', () => {
  it('with operations full, a schedule is created, changed, paused, moved, removed and added again in place', async () => {
    const { step, held, workspace } = await stage('full');
    const weekly = (fields: JsonObject) => ({ schedules: { weekly: fields } });
    const changed = 'update weekly (changed)';
    const monday = {
      schedules: { monday: { ...hook, timezone: 'UTC' } },
      moved: [{ from: 'schedules.weekly', to: 'schedules.monday' }],
    };
    const steps: readonly [JsonObject, string, readonly string[], readonly string[]][] = [
      [weekly(mail), 'create weekly (not-in-state)', ['POST'], ['Weekly email']],
      [weekly({ ...mail, subject: 'Hello' }), changed, ['PUT'], ['Weekly email']],
      [weekly({ ...mail, name: 'Renamed' }), changed, ['PUT'], ['Renamed email']],
      [weekly({ ...mail, paused: true }), changed, ['PUT /pause', 'PUT'], ['Weekly email paused']],
      [weekly({ ...hook, paused: true }), changed, ['PUT'], ['Weekly webhook paused']],
      [weekly(hook), changed, ['PUT /resume'], ['Weekly webhook']],
      [monday, 'update weekly -> monday (changed)', ['PUT'], ['Weekly webhook']],
      [{ schedules: {} }, 'delete monday (not-declared)', ['DELETE'], []],
      [{ schedules: { monday: hook } }, 'create monday (not-in-state)', ['POST'], ['Weekly webhook']],
    ];
    const ids = new Set<string | undefined>();
    for (const [declared, planned, sent, there] of steps) {
      expect(await step(declared)).toEqual({ planned: [planned], sent });
      expect(held()).toEqual(there);
      for (const { id } of Object.values(workspace.state().resources)) ids.add(id);
    }
    // The first, and the one that was made again.
    expect(ids.size).toBe(2);
    expect(workspace.state().orphans).toEqual([]);
  });

  it('with operations full, a move between files, a split and a chain send nothing', async () => {
    const { step, workspace } = await stage('full');
    await step({ schedules: { a: mail, b: others } });
    const ids = (...keys: string[]) => keys.map((key) => workspace.state().resources[`schedules.${key}`]?.id);
    const [a, b] = ids('a', 'b');
    workspace.write({ 'schedules/more.yaml': { schedules: { b: others } } });
    expect(await step({ schedules: { a: mail } })).toEqual({ planned: [], sent: [] });
    workspace.write({ 'schedules/more.yaml': {} });
    const chain = [
      { from: 'schedules.a', to: 'schedules.c' },
      { from: 'schedules.c', to: 'schedules.d' },
    ];
    expect((await step({ schedules: { d: mail, b: others }, moved: chain })).sent).toEqual([]);
    expect(ids('d', 'b')).toEqual([a, b]);
    // Moved once; the entries that are left are a note.
    const { diagnostics, changes } = await workspace.plan();
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'stale-moved' }, { code: 'stale-moved' }]);
  });

  it('with operations full, a removed entry releases without deleting, and adopt takes the schedule back', async () => {
    const { step, held, workspace } = await stage('full');
    await step({ schedules: { weekly: mail } });
    const { id = '' } = workspace.state().resources['schedules.weekly'] ?? {};
    expect(await step({ removed: [{ from: 'schedules.weekly', keep: true }] })).toEqual({
      planned: ['forget weekly (removed)'],
      sent: [],
    });
    expect(held()).toEqual(['Weekly email']);
    expect(workspace.state().orphans).toEqual([]);
    expect(await step({ schedules: { weekly: mail }, adopt: [{ to: 'schedules.weekly', id }] })).toEqual({
      planned: ['adopt weekly (adopt-entry)'],
      sent: [],
    });
    expect(workspace.state().resources['schedules.weekly']?.id).toBe(id);
  });

  it('with operations full, an id in capitals is the same id, so no schedule is tracked twice', async () => {
    const { step, workspace } = await stage('full');
    await step({ schedules: { weekly: mail } });
    const { id = '' } = workspace.state().resources['schedules.weekly'] ?? {};
    const adopt = [{ to: 'schedules.again', id: id.toUpperCase() }];
    workspace.write({
      'schedules/all.yaml': { schedules: { weekly: mail, again: { ...mail, name: 'Again' } }, adopt },
    });
    const applied = await workspace.run('apply', '--auto-approve');
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('is already tracked as') });
    const { resources } = workspace.state();
    expect(resources['schedules.weekly']?.id).toBe(id);
    expect(resources['schedules.again']?.id).not.toBe(id);
  });
});

describe('with operations core', () => {
  it('with operations core, a change creates a second schedule, a removal leaves one running, and both stay listed', async () => {
    const { step, held, workspace } = await stage('core');
    expect(await step({ schedules: { weekly: mail } })).toEqual({
      planned: ['create weekly (not-in-state)'],
      sent: ['POST'],
    });
    expect(await step({ schedules: { weekly: { ...mail, name: 'Renamed' } } })).toEqual({
      planned: ['replace weekly (cannot-update)'],
      sent: ['POST'],
    });
    expect(await step({ schedules: {} })).toEqual({ planned: ['forget weekly (not-declared)'], sent: [] });
    expect(held()).toEqual(['Renamed email', 'Weekly email']);
    expect(workspace.state().orphans).toHaveLength(2);
    const { stdout } = await workspace.run('plan', '--allow-empty');
    for (const { id } of workspace.state().orphans) expect(stdout).toContain(id);
  });
});
