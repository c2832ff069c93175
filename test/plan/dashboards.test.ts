// What an update of a dashboard sends: the entries that changed and nothing else. Entries that are no longer declared
// stay on the dashboard, and the plan says so.

import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { pickPatch } from '../../src/plan/patch.ts';
import { declare, inBrief, plan, stateOf } from '../support/plan/planning.ts';
import { dashboard } from '../support/vocabulary.ts';

const d = 'dashboards.d';
const filters = { status: { values: ['shipped'] }, region: { values: ['EU'], hidden: true } };
const controls = { metric: { label: 'Metric' }, grain: { hidden: false } };
const whole = dashboard({ filters, controls, filterOrder: ['status', 'region', 'metric'] });
const { identifier: _, ...everything } = whole;
const { filterOrder: __, ...unordered } = whole;
const order = (...filterOrder: string[]) => ({ ...whole, filterOrder });

/** The plan of an update, and the fields that its PATCH would hold. */
function update(before: JsonObject | undefined, after: JsonObject, unresolved = false) {
  const open = { address: d, action: 'update', since: '2026-03-01T00:00:00.000Z' } as const;
  const state = before && stateOf({ [d]: structuredClone(before) }, { unresolved: unresolved ? [open] : [] });
  const { steps, changes, findings } = plan(declare({ [d]: after }), state);
  const [step] = steps;
  const { identifier: _, ...sent } =
    step?.patch === undefined || step.change.requests === 0 ? { identifier: '' } : pickPatch(after, step.patch);
  return {
    made: changes.map(inBrief)[0]?.replace(`update ${d} `, ''),
    diff: changes[0]?.diff.map(({ op, path }) => `${op} ${path}`) ?? [],
    sent,
    left: findings.map(({ message }) => message),
  };
}

const staying = (path: string) => `\`${path}\` is no longer declared; it stays on the dashboard as it is.`;

it.each<[string, JsonObject | undefined, JsonObject, Partial<ReturnType<typeof update>>]>([
  ['every entry when it is first declared', undefined, whole, { sent: everything }],
  [
    'the whole entry of a filter that changed, and no others',
    whole,
    { ...whole, filters: { ...filters, status: { values: ['shipped', 'lost'] } } },
    {
      sent: { filters: { status: { values: ['shipped', 'lost'] } } },
      diff: ['add /filters/status/values/1'],
      left: [],
    },
  ],
  [
    'only the new entries',
    whole,
    { ...whole, controls: { ...controls, top: { label: 'Top' } } },
    { sent: { controls: { top: { label: 'Top' } } } },
  ],
  [
    'only the order if only the order changed',
    whole,
    order('region', 'metric'),
    { sent: { filterOrder: ['region', 'metric'] }, left: [] },
  ],
  [
    'an entry that gained a key',
    whole,
    { ...whole, filters: { ...filters, status: { values: ['shipped'], label: 'Status' } } },
    { sent: { filters: { status: { values: ['shipped'], label: 'Status' } } } },
  ],
  [
    'the options of the request together with what changed, and no lifecycle fields',
    whole,
    { ...order('region'), clearExistingDraft: true, userId: 'someone', lifecycle: { preventDestroy: true } },
    { sent: { clearExistingDraft: true, userId: 'someone', filterOrder: ['region'] } },
  ],
  [
    'everything if its identifier changed',
    whole,
    { ...whole, identifier: '3f9c2b71' },
    { made: '(identifier-changed), 1', sent: everything },
  ],
  [
    'all entries with a changed extra, because a PATCH of extra alone would omit them',
    whole,
    { ...whole, extra: { theme: 'dark' } },
    { made: '(changed), 1', diff: ['add /extra'], sent: { ...everything, extra: { theme: 'dark' } } },
  ],
  [
    'nothing for entries that are no longer declared: each is reported, and leaves the state',
    whole,
    {
      ...unordered,
      filters: { status: { values: ['shipped'] } },
      controls: { metric: { label: 'Metric' }, grain: {} },
    },
    {
      made: '(state-only), 0',
      sent: {},
      left: [staying('filters.region'), staying('controls.grain.hidden'), staying('filterOrder')],
    },
  ],
  [
    'its other changes without an entry that is no longer declared',
    whole,
    { ...whole, filters: { status: { values: [] } } },
    { sent: { filters: { status: { values: [] } } }, left: [staying('filters.region')] },
  ],
  [
    'a list as a whole, of which nothing is reported as no longer declared',
    whole,
    { ...order('status'), filters: { ...filters, status: { values: [] } } },
    { left: [] },
  ],
  [
    'no report of what is on the dashboard that the declaration has left',
    whole,
    { ...unordered, identifier: '3f9c2b71' },
    { left: [] },
  ],
])('an update of a dashboard sends %s', (_, before, after, expected) => {
  const found = update(before, after);
  // Whole, so that nothing else is sent.
  expect({ ...found, ...expected }).toEqual(found);
});

it('an update of a dashboard sends everything again if an earlier outcome is unknown', () => {
  expect(update(whole, whole, true)).toMatchObject({ made: '(unresolved), 1', sent: everything });
});
