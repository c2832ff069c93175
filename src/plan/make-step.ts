// One step of a plan: what the decision table says about a match, the requests that takes, what the state will record, and
// what prevents applying it.

import type { Change, Reason } from '../model/plan/plan.ts';
import type { OpenChange } from '../model/plan/state.ts';
import { type Address, kindOf } from '../model/values/address.ts';
import type { Json, JsonObject } from '../model/values/json.ts';
import { maskSealed } from '../model/values/secret.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import { fileOf } from '../model/workspace/field-place.ts';
import {
  blockedByOpenUpdate,
  blockedByProtection,
  blockedBySink,
  blockedByUnresolved,
  mayBeRepeated,
} from './block.ts';
import { type Call, callsOf, type Send, sendsDeclaration, sendsOf, withKnownSecrets } from './calls.ts';
import { type Decision, decide } from './decide.ts';
import { diffAttributes } from './diff-attributes.ts';
import type { Drifted } from './drift.ts';
import { type Difference, differenceOf, type Facts, factsOf, ignoresSecret, isTransferred } from './facts.ts';
import type { Match } from './match.ts';
import type { OpenIntents } from './open-intents.ts';
import type { Patch } from './patch.ts';
import { becomesTest, ignoredIsSent, leftAsIs, mayStay } from './planning-findings.ts';
import { adoptedThroughSink, isChangedBySink, sinksOf } from './sinks/step-sinks.ts';

/** A change with what applying it needs beyond what is shown. */
export interface Step {
  readonly change: Change;
  /** What the state records when it is done, secrets sealed. */
  readonly after?: JsonObject;
  /** Fields that are sent as they were applied last. */
  readonly ignored: Difference['ignored'];
  readonly patch?: Patch;
  /** The requests, in order. */
  readonly calls: readonly Call[];
  /** The attributes that the state holds now, secrets sealed. */
  readonly before?: JsonObject;
  /** Fields that the service does not return and that were not sent yet. */
  readonly unread?: readonly string[];
  /** What the requests deliver to is the sink of the environment. */
  readonly sinks?: true;
  /** As in the state. */
  readonly throughSink?: true;
  /** The id that the state takes over with the first request. */
  readonly adopts?: string;
}

export interface StepPolicy {
  readonly operations: Operations;
  readonly replace: ReadonlySet<Address>;
  readonly open: OpenIntents;
}

/** No step where there is nothing to do. */
export function makeStep(found: Drifted, policy: StepPolicy): WithFindings<Step | undefined> {
  const drifted = adoptedThroughSink(found);
  const { effective: entry, recorded } = drifted;
  const open = policy.open.of(entry);
  const uncertain = open !== undefined && mayBeRepeated(open) ? open : undefined;
  const decided = decideOn(drifted, policy, uncertain !== undefined);
  if (decided === undefined) return { value: undefined, findings: [becomesTest(entry)] };
  const { difference, facts } = decided;
  const lost = uncertain === undefined ? open : undefined;
  const decision = decisionOf(decided, lost);
  if (decision === undefined) return { value: undefined, findings: [] };
  const sends = decision.sends ? sendsFor(entry, decision, decided, uncertain) : [];
  const before = entry.prior?.attributes;
  const after = difference.after && withKnownSecrets(entry.prior, difference.after, sends);
  const twin = lost ?? policy.open.twinOf(decision, facts.kind, difference.after);
  const block = twin
    ? blockedByUnresolved(twin, policy.operations)
    : blockedBy(
        blockedByOpenUpdate(decision, facts, open) ??
          blockedBySink(decision, facts, entry) ??
          blockedByProtection(decision, entry.address, recorded.prior?.attributes, entry.desired?.attributes),
      );
  const diff = diffToSend(entry, difference, facts.kind, sends);
  const step: Step = {
    change: {
      ...changeOf(entry, decision, { ...difference, diff }, { kind: facts.kind, requests: sends.length, ...block }),
      ...(drifted.ownedBy === undefined || !sends.includes('transfer') ? {} : { ownedBy: drifted.ownedBy }),
    },
    ignored: difference.ignored,
    calls: callsOf(sends, before, after),
    before,
    after,
    ...(difference.patch === undefined ? {} : { patch: difference.patch }),
    ...unreadIn(recorded.prior),
    ...sinksOf(recorded),
    ...(entry.adopt === undefined ? {} : { adopts: entry.adopt }),
  };
  return { value: step, findings: findingsOf(drifted, decided, sends) };
}

function unreadIn(prior: Match['prior']): Pick<Step, 'unread'> {
  return prior?.unread === undefined ? {} : { unread: prior.unread };
}

/** What the requests leave as it is, or put back, although nobody asked for it. */
function findingsOf(
  { effective: entry, observedFields }: Drifted,
  { difference, facts }: Decided,
  sends: readonly Send[],
): readonly Finding[] {
  const sendsWhole = facts.kind === 'schedule' && sendsDeclaration(sends);
  return [
    ...(facts.kind === 'dashboard' ? leftAsIs(entry, difference) : []),
    ...(sends.includes('put') ? mayStay(entry, difference) : []),
    ...(sendsWhole ? ignoredIsSent(entry, difference, observedFields) : []),
  ];
}

interface Decided {
  readonly difference: Difference;
  readonly facts: Facts;
  readonly outcome: Decision;
}

/** Undefined for what cannot be done: turning a tracked schedule into a test delivery. */
function decideOn(
  { effective: entry, recorded, drift }: Drifted,
  policy: StepPolicy,
  uncertain: boolean,
): Decided | undefined {
  const isCodeChanged = drift !== undefined && differenceOf(recorded, uncertain, false).diff.length > 0;
  const decided = (toSend: boolean) => {
    const difference = differenceOf(entry, uncertain, toSend);
    const facts = factsOf(entry, difference, {
      ...policy,
      uncertain,
      gone: drift?.isGone ?? false,
      stale: isCodeChanged,
    });
    return { difference, facts, outcome: decide(facts) };
  };
  const quiet = decided(false);
  const sends = !('impossible' in quiet.outcome) && quiet.outcome.sends;
  const { outcome, ...rest } = sends && ignoresSecret(quiet.difference) ? decided(true) : quiet;
  if ('impossible' in outcome) return undefined;
  const isDrifted = drift !== undefined && drift.counted.length > 0;
  const reason = reasonOf(outcome, isDrifted, isCodeChanged);
  const isSink = reason === 'changed' && isChangedBySink(recorded);
  return { ...rest, outcome: { ...outcome, reason: isSink ? 'sink' : reason } };
}

/** Whether the declaration was changed, or the schedule by someone else, or both. */
function reasonOf({ reason }: Decision, isDrifted: boolean, isCodeChanged: boolean): Reason {
  if (reason !== 'changed' || !isDrifted) return reason;
  return isCodeChanged ? 'changed-and-drifted' : 'drifted';
}

/** Undefined if there is nothing to do and no earlier change is open. */
function decisionOf({ outcome }: Decided, lost: OpenChange | undefined): Decision | undefined {
  if (outcome.action !== 'no-op') return outcome;
  return lost && { action: lost.action, reason: 'unresolved', sends: false };
}

/** Whether a PUT is needed. What an earlier apply left open is sent again in any case. */
const hasContent: Readonly<Record<Facts['change'], boolean>> = {
  none: false,
  'state-only': false,
  owner: false,
  paused: false,
  content: true,
  target: true,
  sink: true,
};

function sendsFor(
  { prior }: Match,
  { action }: Decision,
  { facts, difference }: Decided,
  uncertain: OpenChange | undefined,
): readonly Send[] {
  return sendsOf({
    ...facts,
    action,
    hasContent: facts.adopted || hasContent[facts.change],
    transfers: isTransferred(difference.diff),
    before: prior?.attributes,
    after: difference.after,
    uncertain: uncertain && (uncertain.attributes ?? {}),
  });
}

/** Includes the options of the request if one that carries them is sent, so people review what is sent. */
function diffToSend(
  { prior }: Match,
  { diff, after }: Difference,
  kind: Facts['kind'],
  sends: readonly Send[],
): Difference['diff'] {
  if (prior === undefined || after === undefined) return diff;
  const hasOptions = sends.includes('post') || sends.includes('patch');
  return hasOptions ? diffAttributes(kind, prior.attributes, after, true) : diff;
}

function changeOf(
  entry: Match,
  { action, reason }: Decision,
  difference: Difference,
  { kind, requests, ...block }: Pick<Change, 'kind' | 'requests' | 'blocked' | 'lookedFor'>,
): Change {
  const { address, desired, prior, moved } = entry;
  const id = entry.adopt ?? prior?.id;
  return {
    address,
    kind,
    action: action as Change['action'],
    reason,
    ...(id === undefined ? {} : { id }),
    ...(moved === undefined ? {} : { previousAddress: moved.from }),
    ...placeOf(desired ?? entry.absent),
    before: masked(prior?.attributes),
    after: masked(difference.after),
    diff: difference.diff,
    requests,
    ...block,
  };
}

function placeOf(declaration: Match['desired'] | Match['absent']): Pick<Change, 'file' | 'line'> {
  return declaration === undefined ? {} : { file: fileOf(declaration), line: declaration.line };
}

function blockedBy(blocked: string | undefined): Pick<Change, 'blocked'> {
  return blocked === undefined ? {} : { blocked };
}

function masked(attributes: JsonObject | undefined): JsonObject | null {
  return attributes === undefined ? null : (maskSealed(attributes as Json) as JsonObject);
}

/** Records what was observed and sends nothing. No step if the resource is as it was applied. */
export function refreshStep({ recorded, effective, drift }: Drifted): WithFindings<Step | undefined> {
  if (drift === undefined) return { value: undefined, findings: [] };
  const { prior, desired } = recorded;
  const address = recorded.moved?.from ?? recorded.address;
  const decision = drift.isGone
    ? ({ action: 'forget', reason: 'missing' } as const)
    : ({ action: 'update', reason: 'refreshed' } as const);
  const after = drift.isGone ? undefined : effective.prior?.attributes;
  const blocked = blockedByProtection(decision, address, prior?.attributes, desired?.attributes);
  const change: Change = {
    address,
    kind: drift.kind,
    ...decision,
    ...(prior?.id === undefined ? {} : { id: prior.id }),
    ...placeOf(desired),
    before: masked(prior?.attributes),
    after: masked(after),
    diff: drift.isGone ? [] : drift.diff,
    requests: 0,
    ...blockedBy(blocked),
  };
  const step = {
    change,
    ignored: {},
    calls: [],
    ...(after === undefined ? {} : { after }),
    ...unreadIn(prior),
    ...sinksOf(recorded),
  };
  return { value: step, findings: [] };
}

/** For an unresolved change of a resource that is no longer declared or tracked: it must stay visible. */
export function lostStep(open: OpenChange, operations: Operations): Step {
  return {
    ignored: {},
    calls: [],
    change: {
      address: open.address,
      kind: kindOf(open.address) ?? 'schedule',
      action: open.action,
      reason: 'unresolved',
      before: null,
      after: null,
      diff: [],
      requests: 0,
      ...blockedByUnresolved(open, operations),
    },
  };
}
