// Entries of adopt and removed, and what lifecycle prevents a plan from doing.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { declare, inBrief, plan, schedule, stateOf } from '../support/plan/planning.ts';
import { slack } from '../support/vocabulary.ts';

const s = 'schedules.s';

describe('an entry of adopt', () => {
  const desired = declare({ [s]: schedule() }, { adopt: [[s, 'an-id']] });

  it('an adopt entry blocks nothing after its schedule was made again: the note names both ids', () => {
    const { changes, findings } = plan(desired, stateOf({ [s]: schedule() }));
    expect(changes).toEqual([]);
    expect(findings).toMatchObject([
      {
        code: 'finished-entry',
        message: `\`${s}\` is tracked with the id id of ${s}, so the entry with the id an-id has no effect.`,
        hint: expect.stringContaining('almanac fmt --prune'),
      },
    ]);
  });

  it('an adopt entry whose id is tracked elsewhere is a note that says how to move it', () => {
    const { findings } = plan(
      desired,
      stateOf({ 'schedules.other': { id: 'an-id', attributes: schedule({ name: 'x' }) } }),
    );
    expect(findings).toMatchObject([
      { code: 'finished-entry', hint: expect.stringContaining(`add a moved entry from schedules.other to ${s}`) },
    ]);
  });

  it('an adopt entry that was edited after a rename does not stop the move', () => {
    const renamed = declare(
      { 'schedules.new': schedule() },
      { adopt: [['schedules.new', 'an-id']], moved: [[s, 'schedules.new']] },
    );
    const { changes, codes } = plan(renamed, stateOf({ [s]: { id: 'an-id', attributes: schedule() } }));
    expect(changes.map(inBrief)).toEqual([`move schedules.new from ${s} (moved-entry), 0`]);
    expect(codes).toEqual(['finished-entry']);
  });

  it('an adopt entry whose schedule became an orphan is not followed again: the new schedule moves instead', () => {
    const renamed = declare({ 'schedules.new': schedule() }, { adopt: [['schedules.new', 'an-id']] });
    const orphan = { id: 'an-id', address: s, identifier: '12db1a0a', name: 'S', since: '2026-01-01T00:00:00Z' };
    const { changes, findings } = plan(renamed, stateOf({ [s]: schedule() }, { orphans: [orphan] }));
    expect(changes.map(inBrief)).toEqual([`move schedules.new from ${s} (equal-content), 0`]);
    expect(findings).toMatchObject([
      { code: 'finished-entry', hint: expect.stringContaining('almanac state orphans --clear an-id') },
    ]);
  });
});

describe('preventDestroy', () => {
  const protect: JsonObject = { lifecycle: { preventDestroy: true } };

  it.each([
    ['replacing', declare({ [s]: schedule({ name: 'x', ...protect }) }), 'core', 'from being replaced'],
    ['replacing on request', declare({ [s]: schedule(protect) }), 'core', 'from being replaced'],
    ['forgetting', declare({}), 'core', 'from being forgotten'],
    ['deleting', declare({}), 'full', 'from being deleted'],
    ['releasing', declare({}, { removed: [s] }), 'core', 'from being forgotten'],
  ] as const)('preventDestroy blocks %s', (_, desired, operations, words) => {
    const { changes } = plan(desired, stateOf({ [s]: schedule(protect) }), {
      operations,
      replace: desired.resources.map(({ address }) => address),
    });
    expect(changes).toHaveLength(1);
    expect(changes[0]?.blocked).toContain(`lifecycle.preventDestroy protects it ${words}`);
  });

  it('preventDestroy blocks no update and no move', () => {
    const state = stateOf({ [s]: schedule(protect) });
    const full = plan(declare({ [s]: schedule({ name: 'x', ...protect }) }), state, { operations: 'full' });
    expect(full.changes.map(inBrief)).toEqual([`update ${s} (changed), 1`]);
    const moved = plan(declare({ 'schedules.t': schedule(protect) }), state);
    expect(moved.changes.map(inBrief)).toEqual([`move schedules.t from ${s} (equal-content), 0`]);
  });
});

describe('ignoreChanges', () => {
  const ignoring = (...names: string[]): JsonObject => ({ lifecycle: { ignoreChanges: names } });
  const planned = (before: JsonObject, after: JsonObject) => {
    const { changes, steps } = plan(declare({ [s]: after }), stateOf({ [s]: before }));
    return {
      inBrief: changes.map(inBrief),
      paths: changes[0]?.diff.map(({ path }) => path) ?? [],
      after: steps[0]?.after,
    };
  };

  it('ignoreChanges plans nothing if only its fields changed', () => {
    const names = ignoring('name', 'textBody');
    const after = schedule({ ...names, name: 'x', textBody: 'new' });
    expect(planned(schedule(names), after).inBrief).toEqual([]);
    expect(planned(schedule({ ...names, textBody: 'old' }), schedule(names)).inBrief).toEqual([]);
  });

  it('ignoreChanges keeps the last applied value in requests and in the state when other fields change', () => {
    const names = ignoring('subject');
    const {
      inBrief: made,
      paths,
      after,
    } = planned(schedule({ ...names, subject: 'Old' }), schedule({ ...names, subject: 'New', name: 'x' }));
    expect(made).toEqual([`replace ${s} (cannot-update), 1`]);
    expect(paths).toEqual(['/name']);
    expect(after).toMatchObject({ name: 'x', subject: 'Old' });
  });

  it('ignoreChanges does not apply if the destination or format changed, because the old value would not fit', () => {
    const names = ignoring('textBody');
    const after = slack({ ...names, textBody: '*New*' });
    expect(planned(schedule({ ...names, textBody: 'Old' }), after).after).toMatchObject({ textBody: '*New*' });
  });

  it('ignoreChanges takes effect when it is declared', () => {
    const { inBrief: made } = planned(schedule(), schedule({ ...ignoring('subject'), subject: 'x' }));
    expect(made).toEqual([`update ${s} (state-only), 0`]);
  });
});
