// How a plan uses an observation of the service: who caused each difference, and what the state records.

import { describe, expect, it } from 'vitest';
import { withDigests } from '../../src/plan/digest.ts';
import { at, declare, inBrief, plan, schedule, seen, stateOf } from '../support/plan/planning.ts';
import { dashboard } from '../support/vocabulary.ts';

const s = 'schedules.s';
const full = { operations: 'full' } as const;

it('a move whose declaration and drift agree is one update with the previous address', () => {
  const { changes, steps } = plan(
    declare({ 'schedules.t': schedule({ timezone: 'UTC' }) }, { moved: [[s, 'schedules.t']] }),
    stateOf({ [s]: schedule() }),
    full,
    seen({ [s]: { timezone: 'UTC' } }),
  );
  expect(changes.map(inBrief)).toEqual([`update schedules.t from ${s} (as-declared), 0`]);
  expect(steps[0]?.after).toEqual(schedule({ timezone: 'UTC' }));
});

describe('a change in Omni that is declared by now', () => {
  const applied = stateOf({ [s]: schedule() });

  it('what Omni and the declaration agree on is no drift, and needs no review', () => {
    const { plan: made, agreed } = plan(
      declare({ [s]: schedule({ timezone: 'UTC' }) }),
      applied,
      full,
      seen({ [s]: { timezone: 'UTC' } }),
    );
    expect(made.drift).toEqual([]);
    expect(made.changes.map(inBrief)).toEqual([`update ${s} (as-declared), 0`]);
    expect(agreed).toEqual([s]);
    expect(withDigests(made).map(({ digest }) => digest)).toEqual([undefined]);
  });

  it('another field that differs from the declaration is drift, and the only one', () => {
    const { plan: made, agreed } = plan(
      declare({ [s]: schedule({ timezone: 'UTC' }) }),
      applied,
      full,
      seen({ [s]: { timezone: 'UTC', name: 'Renamed', recipients: ['ana@example.com'] } }),
    );
    expect(made.drift.map(({ diff }) => diff.map(({ path }) => path))).toEqual([['/name', '/recipients/1']]);
    expect(made.changes.map(inBrief)).toEqual([`update ${s} (changed-and-drifted), 1`]);
    expect(agreed).toEqual([s]);
  });

  it('a third value, which neither the state nor the declaration has, is drift', () => {
    const { plan: made, agreed } = plan(
      declare({ [s]: schedule({ recipients: ['ana@example.com', 'cy@example.com'] }) }),
      applied,
      full,
      seen({ [s]: { recipients: ['ana@example.com', 'bo@example.com', 'cy@example.com'] } }),
    );
    expect(made.drift).toMatchObject([{ address: s, diff: [{ path: '/recipients/2', after: 'cy@example.com' }] }]);
    expect(agreed).toEqual([]);
  });

  it('the filters of a dashboard are judged one by one', () => {
    const d = 'dashboards.d';
    const filters = (status: string, region: string) => ({
      status: { values: [status] },
      region: { values: [region] },
    });
    const { plan: made, agreed } = plan(
      declare({ [d]: dashboard({ filters: filters('open', 'EU') }) }),
      stateOf({ [d]: dashboard({ filters: filters('shipped', 'EU') }) }),
      full,
      seen({ [d]: { filters: filters('open', 'US') } }),
    );
    expect(made.drift.map(({ diff }) => diff.map(({ path }) => path.split('/')[2]))).toEqual([['region', 'region']]);
    expect(agreed).toEqual([d]);
  });

  it('what is gone from Omni and from the files is no drift; what is only gone from Omni is', () => {
    const gone = seen({ [s]: undefined });
    const { plan: made, agreed } = plan(declare({}), applied, full, gone);
    expect(made.drift).toEqual([]);
    expect(agreed).toEqual([s]);
    expect(made.changes.map(inBrief)).toEqual([`forget ${s} (missing), 0`]);
    expect(plan(declare({ [s]: schedule() }), applied, full, gone).plan.drift).toMatchObject([{ address: s }]);
  });
});

describe('drift in a field under ignoreChanges', () => {
  const lifecycle = { ignoreChanges: ['subject'] };
  const declared = schedule({ lifecycle });
  const observed = seen({ [s]: { subject: 'Theirs' } });

  it('a change in Omni of a field under ignoreChanges is not drift', () => {
    const { plan: made, changes } = plan(declare({ [s]: declared }), stateOf({ [s]: declared }), full, observed);
    expect({ drift: made.drift, changes }).toEqual({ drift: [], changes: [] });
  });

  it('--refresh-only records a change of a field under ignoreChanges, so that a later update sends it', () => {
    const { plan: made, steps } = plan(
      declare({ [s]: declared }),
      stateOf({ [s]: declared }),
      { ...full, refreshOnly: true },
      observed,
    );
    expect(made.drift).toEqual([]);
    expect(made.changes.map(inBrief)).toEqual([`update ${s} (refreshed), 0`]);
    expect(steps[0]?.after).toMatchObject({ subject: 'Theirs' });
  });

  it('an update sends the value that a field under ignoreChanges has in Omni, which alone causes no update', () => {
    const { changes, steps, codes } = plan(
      declare({ [s]: { ...declared, name: 'x' } }),
      stateOf({ [s]: declared }),
      full,
      observed,
    );
    expect(changes.map(inBrief)).toEqual([`update ${s} (changed), 1`]);
    expect(steps[0]?.after).toMatchObject({ name: 'x', subject: 'Theirs' });
    expect(codes).toEqual([]);
  });

  it('an update with an unknown outcome does not reset what a field under ignoreChanges has in Omni', () => {
    const open = {
      address: s,
      action: 'update',
      since: at,
      attributes: schedule({ lifecycle, name: 'New' }),
    } as const;
    const { steps } = plan(
      declare({ [s]: schedule({ lifecycle, name: 'New', subject: 'Theirs' }) }),
      stateOf({ [s]: schedule({ lifecycle }) }, { unresolved: [open] }),
      full,
      seen({ [s]: { subject: 'Theirs' } }),
    );
    expect(steps).toMatchObject([{ ignored: {}, after: { subject: 'Theirs' } }]);
  });

  it('a change of a field under ignoreChanges does not hide drift in another field', () => {
    const both = seen({ [s]: { subject: 'Theirs', timezone: 'UTC' } });
    const { plan: made } = plan(declare({ [s]: declared }), stateOf({ [s]: declared }), full, both);
    expect(made.drift.map(({ diff }) => diff.map(({ path }) => path))).toEqual([['/timezone']]);
    expect(made.changes.map(inBrief)).toEqual([`update ${s} (drifted), 1`]);
  });
});

describe('a request that holds all of a schedule', () => {
  const lifecycle = { ignoreChanges: ['paperFormat', 'subject', 'name'] };
  const paperFormat = 'a4';
  const before = schedule({ lifecycle, paperFormat });
  const after = schedule({ lifecycle, paperFormat, timezone: 'UTC' });
  const findings = (observed?: ReturnType<typeof seen>, policy: object = full) =>
    plan(declare({ [s]: after }), stateOf({ [s]: before }), policy, observed).findings;

  it('an update of a whole schedule warns that it resets a field under ignoreChanges that was not refreshed', () => {
    expect(findings()).toMatchObject([
      { code: 'ignored-is-sent', address: s, message: expect.stringContaining('`paperFormat`, `subject`, `name`') },
    ]);
    expect(findings(undefined, { operations: 'core' })).toMatchObject([{ code: 'ignored-is-sent' }]);
    expect(findings(seen({ [s]: { paperFormat, name: 'x' } }))).toMatchObject([
      { code: 'ignored-is-sent', message: expect.stringMatching(/`subject`[^`]*$/) },
    ]);
  });

  it('a plan does not warn about resetting an ignored field of another format', () => {
    const ignoring = { format: 'csv', lifecycle: { ignoreChanges: ['hideTitle', 'name'] } };
    const { findings: found } = plan(
      declare({ [s]: schedule({ ...ignoring, timezone: 'UTC' }) }),
      stateOf({ [s]: schedule(ignoring) }),
      full,
    );
    expect(found).toMatchObject([
      { code: 'ignored-is-sent', message: expect.stringMatching(/last applied values: `name`\.$/) },
    ]);
  });

  it('a plan that sends nothing, or only a pause, does not warn about resetting ignored fields', () => {
    const quiet = (fields: object) =>
      plan(declare({ [s]: { ...before, ...fields } }), stateOf({ [s]: before }), full).codes;
    expect([quiet({}), quiet({ subject: 'x' }), quiet({ paused: true })]).toEqual([[], [], []]);
  });
});

describe('preventDestroy', () => {
  const lifecycle = { preventDestroy: true };
  const state = stateOf({ [s]: schedule({ lifecycle }) });

  it.each([
    ['with --refresh-only', declare({ [s]: schedule({ lifecycle }) }), true],
    ['where it is no longer declared', declare({}), false],
  ])(
    'preventDestroy blocks forgetting a missing resource, %s, and names the alternatives',
    (_, desired, refreshOnly) => {
      const { changes } = plan(desired, state, { ...full, refreshOnly }, seen({ [s]: undefined }));
      expect(changes.map(inBrief)).toEqual([`forget ${s} (missing), 0, blocked`]);
      expect(changes[0]?.blocked).toContain(`almanac state rm ${s}`);
    },
  );

  it('preventDestroy does not block creating a missing resource again', () => {
    const { changes } = plan(declare({ [s]: schedule({ lifecycle }) }), state, full, seen({ [s]: undefined }));
    expect(changes.map(inBrief)).toEqual([`create ${s} (missing), 1`]);
  });
});
