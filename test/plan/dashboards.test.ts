// What an update of a dashboard sends: the entries that changed and nothing else. Entries that are no longer declared
// stay on the dashboard, and the plan says so.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { pickPatch } from '../../src/plan/patch.ts';
import { dashboard, declare, inBrief, plan, secret, stateOf } from '../support/plan/planning.ts';

const d = 'dashboards.d';
const whole = dashboard({
  filters: { status: { values: ['shipped'] }, region: { values: ['EU'], hidden: true } },
  controls: { metric: { label: 'Metric' }, grain: { hidden: false } },
  filterOrder: ['status', 'region', 'metric'],
});

/** The plan of an update, and the fields that its PATCH would hold. */
function update(before: JsonObject | undefined, after: JsonObject, unresolved = false) {
  const since = '2026-03-01T00:00:00.000Z';
  const state =
    before === undefined
      ? undefined
      : stateOf(
          { [d]: structuredClone(before) },
          unresolved ? { unresolved: [{ address: d, action: 'update', since }] } : {},
        );
  const { steps, changes, findings } = plan(declare({ [d]: after }), state);
  const [step] = steps;
  const { identifier: _, ...sent } =
    step?.patch === undefined || step.change.requests === 0 ? { identifier: '' } : pickPatch(after, step.patch);
  return {
    inBrief: changes.map(inBrief)[0],
    diff: changes[0]?.diff.map(({ op, path }) => `${op} ${path}`) ?? [],
    sent,
    left: findings.map(({ message }) => message),
  };
}

describe('an update of a dashboard sends', () => {
  it('an update of a dashboard sends every entry when it is first declared', () => {
    const { identifier: _, ...fields } = whole;
    expect(update(undefined, whole).sent).toEqual(fields);
  });

  it('an update of a dashboard sends the whole entry of a filter that changed, and no others', () => {
    const after = {
      ...whole,
      filters: { status: { values: ['shipped', 'lost'] }, region: { values: ['EU'], hidden: true } },
    };
    expect(update(whole, after)).toMatchObject({
      sent: { filters: { status: { values: ['shipped', 'lost'] } } },
      diff: ['add /filters/status/values/1'],
      left: [],
    });
  });

  it('an update of a dashboard sends only the new entries', () => {
    const after = { ...whole, controls: { ...(whole['controls'] as JsonObject), top: { label: 'Top' } } };
    expect(update(whole, after).sent).toEqual({ controls: { top: { label: 'Top' } } });
  });

  it('an update of a dashboard sends only the order if only the order changed', () => {
    const { sent, left, diff } = update(whole, { ...whole, filterOrder: ['region', 'metric'] });
    expect(sent).toEqual({ filterOrder: ['region', 'metric'] });
    expect(diff.length).toBeGreaterThan(0);
    expect(left).toEqual([]);
  });

  it('an update of a dashboard sends an entry that gained a key', () => {
    const after = {
      ...whole,
      filters: { ...(whole['filters'] as JsonObject), status: { values: ['shipped'], label: 'Status' } },
    };
    expect(update(whole, after).sent).toEqual({ filters: { status: { values: ['shipped'], label: 'Status' } } });
  });

  it('an update of a dashboard sends the options of the request together with what changed', () => {
    const after = { ...whole, clearExistingDraft: true, userId: 'someone', filterOrder: ['region'] };
    expect(update(whole, after).sent).toEqual({ clearExistingDraft: true, userId: 'someone', filterOrder: ['region'] });
  });

  it('an update of a dashboard sends no lifecycle fields', () => {
    const after = { ...whole, lifecycle: { preventDestroy: true }, filterOrder: ['region'] };
    expect(update(whole, after).sent).toEqual({ filterOrder: ['region'] });
  });

  it('an update of a dashboard sends everything if its identifier changed', () => {
    const { identifier: _, ...fields } = whole;
    const { sent, inBrief: first } = update(whole, { ...whole, identifier: '3f9c2b71' });
    expect(first).toBe(`update ${d} (identifier-changed), 1`);
    expect(sent).toEqual(fields);
  });

  it('an update of a dashboard sends everything again if an earlier outcome is unknown', () => {
    const { identifier: _, ...fields } = whole;
    expect(update(whole, whole, true)).toMatchObject({ inBrief: `update ${d} (unresolved), 1`, sent: fields });
  });

  it('an update of a dashboard sends all entries with a changed extra, because a PATCH of extra alone would omit them', () => {
    const { identifier: _, ...fields } = whole;
    const after = { ...whole, extra: { theme: 'dark' } };
    expect(update(whole, after)).toMatchObject({ inBrief: `update ${d} (changed), 1`, diff: ['add /extra'] });
    expect(update(whole, after).sent).toEqual({ ...fields, extra: { theme: 'dark' } });
  });

  it('an update of a dashboard sends a secret entry only if it changed', () => {
    const of = (fingerprint: string | null, order: string[]) =>
      dashboard({ filters: { status: { values: ['x'] }, region: secret(fingerprint) }, filterOrder: order });
    expect(update(of('one', ['a']), of('one', ['b'])).sent).toEqual({ filterOrder: ['b'] });
    expect(update(of('one', ['a']), of('two', ['a'])).sent).toEqual({ filters: { region: secret('two') } });
  });

  it('an update of a dashboard whose identifier comes from the environment sends what changed', () => {
    const of = (fingerprint: string | null, order: string[]) => ({
      ...whole,
      identifier: secret(fingerprint),
      filterOrder: order,
    });
    expect(update(of('one', ['region']), of('one', ['status']))).toMatchObject({
      inBrief: `update ${d} (changed), 1`,
      sent: { filterOrder: ['status'] },
    });
    expect(update(of('one', ['region']), of(null, ['status']))).toMatchObject({
      inBrief: `update ${d} (changed), 1`,
      sent: { filterOrder: ['status'] },
    });
    expect(update(of('one', ['region']), of('two', ['region'])).inBrief).toBe(`update ${d} (identifier-changed), 1`);
  });
});

describe('what is no longer declared', () => {
  it('a dashboard entry that is no longer declared stays in Omni, is reported, and leaves the state without a request', () => {
    const { filterOrder: _, ...rest } = whole;
    const after = {
      ...rest,
      filters: { status: { values: ['shipped'] } },
      controls: { metric: { label: 'Metric' }, grain: {} },
    };
    const { inBrief: first, sent, left } = update(whole, after);
    expect(first).toBe(`update ${d} (state-only), 0`);
    expect(sent).toEqual({});
    expect(left).toEqual([
      '`filters.region` is no longer declared; it stays on the dashboard as it is.',
      '`controls.grain.hidden` is no longer declared; it stays on the dashboard as it is.',
      '`filterOrder` is no longer declared; it stays on the dashboard as it is.',
    ]);
  });

  it('a dashboard entry that is no longer declared is not sent with other changes', () => {
    const after = { ...whole, filters: { status: { values: [] } } };
    const { sent, left } = update(whole, after);
    expect(sent).toEqual({ filters: { status: { values: [] } } });
    expect(left).toHaveLength(1);
  });

  it('a value that is sent as a whole is not reported as no longer declared', () => {
    const after = {
      ...whole,
      filters: { ...(whole['filters'] as JsonObject), status: { values: [] } },
      filterOrder: ['status'],
    };
    expect(update(whole, after).left).toEqual([]);
  });

  it('entries are not reported as no longer declared on a dashboard that the declaration has left', () => {
    const { filterOrder: _, ...rest } = whole;
    expect(update(whole, { ...rest, identifier: '3f9c2b71' }).left).toEqual([]);
  });
});

it('a dashboard under ignoreChanges keeps what was applied, and its other changes are sent', () => {
  const after = { ...whole, filters: {}, filterOrder: ['region'], lifecycle: { ignoreChanges: ['filters'] } };
  expect(update({ ...whole, lifecycle: { ignoreChanges: ['filters'] } }, after).sent).toEqual({
    filterOrder: ['region'],
  });
});
