// The decision table, row by row: what is declared, what is tracked, and which action a plan takes.

import { describe, expect, it } from 'vitest';
import type { Operations } from '../../src/model/workspace/config.ts';
import { declare, type Entries, inBrief, plan, schedule, stateOf, type Tracked } from '../support/plan/planning.ts';
import { aiJob, dashboard } from '../support/vocabulary.ts';

interface Row {
  readonly declared?: Tracked;
  readonly tracked?: Tracked;
  readonly entries?: Entries;
  readonly replace?: readonly string[];
  readonly address?: string;
  readonly core: string | undefined;
  /** Where it differs. */
  readonly full?: string | undefined;
}

const ran: Tracked = { id: undefined, attributes: schedule({ testNow: true }) };
const s = 'schedules.s';
const d = 'dashboards.d';
const j = 'aiJobs.j';

const rows: Readonly<Record<string, Row>> = {
  'a schedule that is new': { declared: schedule(), core: `create ${s} (not-in-state), 1` },
  'a dashboard that is new': { address: d, declared: dashboard(), core: `create ${d} (not-in-state), 1` },
  'an AI job that is new': { address: j, declared: aiJob(), core: `run ${j} (new-content), 1` },
  'a test delivery that is new': { declared: schedule({ testNow: true }), core: `run ${s} (new-content), 1` },
  'a schedule as it was applied': { declared: schedule(), tracked: schedule(), core: undefined },
  'a dashboard as it was applied': { address: d, declared: dashboard(), tracked: dashboard(), core: undefined },
  'an AI job that ran': { address: j, declared: aiJob(), tracked: aiJob(), core: undefined },
  'a test delivery that ran': { declared: schedule({ testNow: true }), tracked: ran, core: undefined },
  'a schedule that changed': {
    declared: schedule({ subject: 'Sales' }),
    tracked: schedule(),
    core: `replace ${s} (cannot-update), 1`,
    full: `update ${s} (changed), 1`,
  },
  'a dashboard that changed': {
    address: d,
    declared: dashboard({ filterOrder: ['status'] }),
    tracked: dashboard(),
    core: `update ${d} (changed), 1`,
  },
  'a dashboard that is another now': {
    address: d,
    declared: dashboard({ identifier: '3f9c2b71' }),
    tracked: dashboard(),
    core: `update ${d} (identifier-changed), 1`,
  },
  'an AI job with other content': {
    address: j,
    declared: aiJob({ prompt: 'Summarise returns.' }),
    tracked: aiJob(),
    core: `run ${j} (new-content), 1`,
  },
  'a test delivery with other content': {
    declared: schedule({ testNow: true, subject: 'Sales' }),
    tracked: ran,
    core: `run ${s} (new-content), 1`,
  },
  'a test delivery that becomes recurring': {
    declared: schedule(),
    tracked: ran,
    core: `create ${s} (only-ran-before), 1`,
  },
  'a schedule that is no longer declared': {
    tracked: schedule(),
    core: `forget ${s} (not-declared), 0`,
    full: `delete ${s} (not-declared), 1`,
  },
  'a test delivery that is no longer declared': { tracked: ran, core: `forget ${s} (not-declared), 0` },
  'a dashboard that is no longer declared': {
    address: d,
    tracked: dashboard(),
    core: `forget ${d} (not-declared), 0`,
  },
  'an AI job that is no longer declared': { address: j, tracked: aiJob(), core: `forget ${j} (not-declared), 0` },
  'a schedule that is released': {
    tracked: schedule(),
    entries: { removed: [s] },
    core: `forget ${s} (removed), 0`,
  },
  'a schedule to adopt': {
    declared: schedule(),
    entries: { adopt: [[s, 'an-id']] },
    core: `adopt ${s} (adopt-entry), 0`,
  },
  'a schedule to adopt that so far only ran': {
    declared: schedule(),
    tracked: ran,
    entries: { adopt: [[s, 'an-id']] },
    core: `adopt ${s} (adopt-entry), 0`,
  },
  'a schedule that only its lifecycle tells from what was applied': {
    declared: schedule({ lifecycle: { preventDestroy: true } }),
    tracked: schedule(),
    core: `update ${s} (state-only), 0`,
  },
  'a dashboard that only the reason of an acceptance tells from what was applied': {
    address: d,
    declared: dashboard({ accept: { 'discards-draft': 'nobody edits it' } }),
    tracked: dashboard({ accept: { 'discards-draft': 'agreed' } }),
    core: `update ${d} (state-only), 0`,
  },
  'a schedule that only its meta tells from what was applied': {
    declared: schedule({ meta: { owner: '@acme/finance', tags: ['board'] } }),
    tracked: schedule({ meta: { owner: '@acme/sales' } }),
    core: `update ${s} (state-only), 0`,
  },
  'a schedule with its tags in another order': {
    declared: schedule({ meta: { tags: ['board', 'daily'] } }),
    tracked: schedule({ meta: { tags: ['daily', 'board'] } }),
    core: undefined,
  },
  'an AI job that only its meta tells from what ran': {
    address: j,
    declared: aiJob({ meta: { ticket: 'BI-42' } }),
    tracked: aiJob(),
    core: `update ${j} (state-only), 0`,
  },
  'a dashboard that an entry went from': {
    address: d,
    declared: dashboard(),
    tracked: dashboard({ filters: { status: { values: ['shipped'] }, region: { values: [] } } }),
    core: `update ${d} (state-only), 0`,
  },
  'a schedule with other options of the request': {
    declared: schedule({ userId: '987fcdeb-51a2-43d7-9b56-254415f67890' }),
    tracked: schedule(),
    core: undefined,
  },
  'a dashboard with other options of the request': {
    address: d,
    declared: dashboard({ clearExistingDraft: true, userId: 'someone' }),
    tracked: dashboard(),
    core: undefined,
  },
  'a schedule with --replace': {
    declared: schedule(),
    tracked: schedule(),
    replace: [s],
    core: `replace ${s} (requested), 1`,
    full: `replace ${s} (requested), 2`,
  },
};

describe.each(['core', 'full'] as const)('with operations %s', (operations: Operations) => {
  it.each(Object.entries(rows))(
    `with operations ${operations}, the plan has the expected action for %s`,
    (_, { address = s, declared, tracked, entries, replace = [], ...expected }) => {
      const desired = declare(declared === undefined ? {} : { [address]: declared as never }, entries);
      const state = tracked === undefined ? undefined : stateOf({ [address]: tracked });
      const { changes, codes, plan: made } = plan(desired, state, { operations, replace });
      const wanted = operations === 'full' && 'full' in expected ? expected.full : expected.core;
      expect(changes.map(inBrief)).toEqual(wanted === undefined ? [] : [wanted]);
      expect(codes.filter((code) => code !== 'entry-left-as-is')).toEqual([]);
      expect(made.summary.noop).toBe(wanted === undefined ? 1 : 0);
      const counts = Object.values(made.summary).reduce((sum, count) => sum + count, 0);
      expect(counts).toBe(1);
    },
  );
});

it('a plan names the id of each update, replace, forget and adoption', () => {
  const id = `id of ${s}`;
  expect(plan(declare({ [s]: schedule({ name: 'x' }) }), stateOf({ [s]: schedule() })).changes[0]).toMatchObject({
    id,
  });
  expect(plan(declare({}), stateOf({ [s]: schedule() })).changes[0]).toMatchObject({ id, after: null });
  const adopted = plan(declare({ [s]: schedule() }, { adopt: [[s, 'an-id']] }), undefined).changes[0];
  expect(adopted).toMatchObject({ id: 'an-id', before: null });
  expect(plan(declare({ [s]: schedule() }), undefined).changes[0]?.id).toBeUndefined();
});
