// Short builders of desired states and states, and the plan that follows from them.

import { actions } from '../../../src/model/plan/action.ts';
import type { Observed, ObservedResource } from '../../../src/model/plan/observation.ts';
import type { Change } from '../../../src/model/plan/plan.ts';
import type { State, StateResource } from '../../../src/model/plan/state.ts';
import { noGroups } from '../../../src/model/plan/user-groups.ts';
import { kindOf } from '../../../src/model/values/address.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';
import { sealedSecret } from '../../../src/model/values/secret.ts';
import type { Desired, SealedResource } from '../../../src/model/workspace/resource.ts';
import { makePlan, type PlanPolicy, type PlanResult, type Step, stepOf } from '../../../src/plan/plan.ts';
import { mail } from '../vocabulary.ts';

export const at = '2026-03-01T00:00:00.000Z';

/** A mail to two people. */
export const schedule = (fields: JsonObject = {}): JsonObject =>
  mail({ recipients: ['ana@example.com', 'bo@example.com'], ...fields });

export const secret = (fingerprint: string | null, text?: string) =>
  sealedSecret(fingerprint, text) as unknown as JsonObject;

export interface Entries {
  /** From, to. */
  readonly moved?: readonly (readonly [string, string])[];
  /** To, id. */
  readonly adopt?: readonly (readonly [string, string])[];
  readonly removed?: readonly string[];
}

export function declare(
  resources: Readonly<Record<string, JsonObject>>,
  entries: Entries = {},
): Desired<SealedResource> {
  const origin = { file: 'schedules/all.yaml', document: 0, pointer: '' };
  return {
    resources: Object.entries(resources).map(([address, attributes], index) => ({
      kind: kindOf(address) ?? 'schedule',
      address,
      attributes,
      origin,
      line: index + 1,
    })),
    moves: (entries.moved ?? []).map(([from, to]) => ({ from, to, origin })),
    adoptions: (entries.adopt ?? []).map(([to, id]) => ({ to, id, origin })),
    removals: (entries.removed ?? []).map((from) => ({ from, origin })),
  };
}

/** A tracked resource; its id is `id of ADDRESS` unless it has none. */
export type Tracked = JsonObject | { readonly id: string | undefined; readonly attributes: JsonObject };

export function stateOf(resources: Readonly<Record<string, Tracked>>, rest: Partial<State> = {}): State {
  return {
    version: 2,
    lineage: 'a-lineage',
    serial: 7,
    toolVersion: '0.1.0',
    baseUrl: 'https://acme.omniapp.co/api',
    salt: 'c2FsdA==',
    resources: Object.fromEntries(
      Object.entries(resources).map(([address, given]) => [address, trackedAs(address, given)]),
    ),
    orphans: [],
    unresolved: [],
    ...rest,
  };
}

function trackedAs(address: string, given: Tracked): StateResource {
  const whole = 'attributes' in given ? (given as { id: string | undefined; attributes: JsonObject }) : undefined;
  const id = whole === undefined ? (kindOf(address) === 'dashboard' ? undefined : `id of ${address}`) : whole.id;
  const attributes = whole === undefined ? (given as JsonObject) : whole.attributes;
  // Nothing is unread of it, its user groups included.
  return { id, attributes, unread: [], createdAt: at, updatedAt: at };
}

/** An observation: fields with their current values; undefined for a resource that is gone. */
export function seen(resources: Readonly<Record<string, JsonObject | undefined>>): Observed {
  const observed = (fields: JsonObject | undefined): ObservedResource =>
    fields === undefined ? { found: false } : { found: true, fields: new Set(Object.keys(fields)), attributes: fields };
  return new Map(Object.entries(resources).map(([address, fields]) => [address, observed(fields)]));
}

export interface Outcome extends PlanResult {
  /** Codes with the words that matter. */
  readonly findings: ReturnType<typeof makePlan>['findings'];
  readonly codes: readonly string[];
  readonly changes: readonly Change[];
}

export function plan(
  desired: Desired<SealedResource>,
  state: State | undefined,
  policy: Partial<PlanPolicy> = {},
  observed?: Observed,
): Outcome {
  const { value, findings } = makePlan({
    desired,
    state,
    observed,
    policy: { baseUrl: 'https://acme.omniapp.co/api', operations: 'core', targets: undefined, replace: [], ...policy },
  });
  return { ...value, findings, codes: findings.map(({ code }) => code), changes: value.plan.changes };
}

/** Of changes that are made by hand, each with the request that its action mostly takes. */
export function stepsOf(changes: readonly Change[]): readonly Step[] {
  return changes.map((change) => {
    const send = change.action === 'update' ? 'put' : actions[change.action].posts ? 'post' : undefined;
    const calls = send === undefined || change.requests === 0 ? [] : ([send] as const);
    return stepOf({ change, ignored: {}, calls }, noGroups);
  });
}

/** What a reader of the plan sees first: `update schedules.a (changed), 1 request`. */
export function inBrief({ address, action, reason, requests, previousAddress, blocked }: Change): string {
  const from = previousAddress === undefined ? '' : ` from ${previousAddress}`;
  return `${action} ${address}${from} (${reason}), ${requests}${blocked === undefined ? '' : ', blocked'}`;
}
