// Resources that are as they were applied take no part in the decision table. Whatever is declared, tracked, observed and
// asked for, the plan is the one in which the table decides about each of them.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openChanges, type State, type StateResource } from '../../src/model/plan/state.ts';
import type { Observed } from '../../src/model/service/observed.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Desired, SealedResource } from '../../src/model/workspace/resource.ts';
import { withObserved } from '../../src/plan/drift.ts';
import { makePlan, type PlanPolicy } from '../../src/plan/make-plan.ts';
import { lostStep, makeStep, refreshStep } from '../../src/plan/make-step.ts';
import { match } from '../../src/plan/match.ts';
import { openIntents } from '../../src/plan/open-intents.ts';
import { targeted, trackedAs } from '../../src/plan/targeted.ts';
import { aiJob, at, dashboard, declare, schedule, secret, seen, slack, stateOf } from '../support/plan/planning.ts';
import { runs } from '../support/runs/runs.ts';

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);

/** A secret with a fingerprint, another, none, the one that equals all, and as a state of version 1 has it. */
const password = oneOf(
  secret('one', '${env.KEY}'),
  secret('two', '${env.KEY}'),
  secret(null, '${env.KEY}'),
  secret('', '${env.KEY}'),
  secret('one'),
);

const meta: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  extra: oneOf<JsonObject>({ note: 'a' }, {}),
  meta: oneOf<JsonObject>({ owner: 'sales' }),
  lifecycle: oneOf<JsonObject>({ ignoreChanges: ['subject', 'url'] }, { preventDestroy: true }),
};
const flag = (name: string) => fc.boolean().map((isSet): JsonObject => (isSet ? { [name]: true } : {}));
const below = (of: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(of, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;

const attributes = {
  schedules: fc
    .tuple(
      fc.oneof(
        oneOf(schedule(), slack(['U1']), slack('C1', { slackRecipientType: 'channel' })),
        password.map((url) => ({ ...slack([]), destinationType: 'webhook', url }) as JsonObject),
      ),
      flag('testNow'),
      flag('paused'),
      below({ ...meta, owner: oneOf('ana@example.com', 'Ana@example.com'), subject: oneOf('Sales', 'Returns') }),
    )
    .map((parts): JsonObject => Object.assign({}, ...parts)),
  dashboards: below({ ...meta, filterOrder: oneOf(['a'], ['b']) }).map((fields) => dashboard(fields)),
  aiJobs: below({ ...meta, webhookSigningSecret: password }).map((fields) => aiJob(fields)),
};

/** What sets a resource apart from one that is declared as it was applied. */
const twists = [
  'undeclared',
  'untracked',
  'changed',
  'without an id',
  'sunk',
  'through the sink',
  'unread',
  'gone',
  'seen as applied',
  'seen as changed',
  'open create',
  'open update',
  'open replace',
  'replaced',
  'moved',
  'adopted',
  'removed',
] as const;
type Twist = (typeof twists)[number];

const resource = fc.constantFrom('schedules', 'dashboards', 'aiJobs').chain((section) =>
  fc.record({
    section: fc.constant(section),
    declared: attributes[section as keyof typeof attributes],
    other: attributes[section as keyof typeof attributes],
    twists: fc.subarray<Twist>([...twists], { maxLength: 2 }),
    isTarget: fc.boolean(),
  }),
);

type Given = typeof resource extends fc.Arbitrary<infer T> ? T : never;

const addressOf = ({ section }: Given, index: number) => `${section}.r${index}`;
const is = (each: Given, twist: Twist) => each.twists.includes(twist);
const addressesOf = (given: readonly Given[], isNamed: (each: Given) => boolean) =>
  given.flatMap((each, index) => (isNamed(each) ? [addressOf(each, index)] : []));
/** Another object with the same values, unless it changed. */
const appliedOf = (each: Given) => structuredClone(is(each, 'changed') ? each.other : each.declared);

function desiredOf(given: readonly Given[]): Desired<SealedResource> {
  const of = (twist: Twist) => addressesOf(given, (each) => is(each, twist));
  const declared = given.flatMap((each, index) =>
    is(each, 'undeclared') ? [] : [[addressOf(each, index), each.declared] as const],
  );
  const desired = declare(Object.fromEntries(declared), {
    moved: of('moved').map((to) => [`${to}-before`, to] as const),
    adopt: of('adopted').map((to) => [to, `id to adopt for ${to}`] as const),
    removed: of('removed'),
  });
  const sunk = new Set(of('sunk'));
  const sink = { environment: 'test', declared: { recipients: ['victim@example.com'] } };
  return {
    ...desired,
    resources: desired.resources.map((each) => (sunk.has(each.address) ? { ...each, sink } : each)),
  };
}

function stateFrom(given: readonly Given[]): State {
  const tracked = given.flatMap((each, index): readonly (readonly [string, StateResource])[] => {
    if (is(each, 'untracked')) return [];
    const address = addressOf(each, index);
    const hasRun = each.section === 'schedules' && each.declared['testNow'] === true;
    const held: StateResource = {
      id: hasRun !== is(each, 'without an id') ? undefined : `id of ${address}`,
      attributes: appliedOf(each),
      unread: is(each, 'unread') ? ['subject'] : undefined,
      throughSink: is(each, 'through the sink') || undefined,
      createdAt: at,
      updatedAt: at,
    };
    return [[is(each, 'moved') ? `${address}-before` : address, held]];
  });
  const unresolved = (['create', 'update', 'replace'] as const).flatMap((action) =>
    given.flatMap((each, index) =>
      is(each, `open ${action}`)
        ? [{ address: addressOf(each, index), action, since: at, attributes: appliedOf(each) }]
        : [],
    ),
  );
  return { ...stateOf({}), resources: Object.fromEntries(tracked), unresolved };
}

function observedOf(given: readonly Given[]): Observed {
  const rows = given.flatMap((each, index) => {
    const { subject = 'Old', name = 'Weekly sales' } = appliedOf(each);
    const fields = [
      ...(is(each, 'gone') ? [undefined] : []),
      ...(is(each, 'seen as applied') ? [{ subject, name }] : []),
      ...(is(each, 'seen as changed') ? [{ subject: 'Old', name: 'By hand' }] : []),
    ];
    return fields.map((found) => [addressOf(each, index), found] as const);
  });
  return seen(Object.fromEntries(rows));
}

/** The table decides about every match. */
function decidedByTable(desired: Desired<SealedResource>, state: State, observed: Observed, policy: PlanPolicy) {
  const { value: matches, findings: fromMatching } = match(desired, state);
  const open = openIntents(openChanges(state), matches);
  const targets = policy.targets && new Set(policy.targets);
  const entries = targeted(matches, targets).map((entry) => withObserved(entry, observed.get(trackedAs(entry))));
  const context = { ...policy, replace: new Set(policy.replace), open };
  const made = entries.map((entry) => (policy.refreshOnly ? refreshStep(entry) : makeStep(entry, context)));
  const lost = policy.refreshOnly ? [] : open.lost.filter(({ address }) => targets?.has(address) ?? true);
  const steps = made.flatMap(({ value }) => value ?? []);
  return {
    steps: inOrder([...steps, ...lost.map((each) => lostStep(each, policy.operations))]),
    noop: entries.length - steps.length,
    findings: [...fromMatching, ...made.flatMap(({ findings }) => findings)],
  };
}

const inOrder = <T>(steps: readonly T[]) => steps.map((step) => JSON.stringify(step)).sort();

it('what is declared as it was applied is planned as if the decision table had decided about it', () => {
  let [settled, changed] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(resource, { minLength: 1, maxLength: 4 }),
      fc.record({
        operations: oneOf('core' as const, 'full' as const),
        limited: fc.boolean(),
        refreshOnly: fc.boolean(),
      }),
      (given, { operations, limited, refreshOnly }) => {
        const policy: PlanPolicy = {
          baseUrl: 'https://acme.omniapp.co/api',
          operations,
          targets: limited ? addressesOf(given, ({ isTarget }) => isTarget) : undefined,
          replace: addressesOf(given, (each) => is(each, 'replaced')),
          refreshOnly,
        };
        const [desired, state, observed] = [desiredOf(given), stateFrom(given), observedOf(given)];
        const { value, findings } = makePlan({ desired, state, observed, policy });
        const expected = decidedByTable(desired, state, observed, policy);
        expect({ steps: inOrder(value.steps), noop: value.plan.summary.noop, findings }).toEqual(expected);
        settled += expected.noop;
        changed += expected.steps.length;
      },
    ),
    { numRuns: runs(400) },
  );
  expect([settled > runs(100), changed > runs(100)]).toEqual([true, true]);
});
