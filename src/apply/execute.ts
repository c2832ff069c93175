// Carries out the steps of a plan: what sends nothing first, in one write; then one kind after the other, several steps of
// a kind at once. The requests of a step go out one after the other. The first that fails ends it: what was done by then is
// recorded, and the next apply does the rest.

import type { ApplyResult } from '../model/plan/apply-outcome.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import { isLookedFor } from '../model/plan/open-change.ts';
import type { Change } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import { type RecordedGroup, recordedGroups } from '../model/plan/user-groups.ts';
import type { Created } from '../model/service/remote.ts';
import { type Kind, kindsInOrder } from '../model/values/address.ts';
import { groupBy } from '../model/values/group-by.ts';
import { Failure } from '../model/workspace/failure.ts';
import { groupsFound } from '../observe/observed-groups.ts';
import { inParallel } from '../observe/sending.ts';
import type { CallOptions } from '../omni/api.ts';
import type { Call } from '../plan/calls.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { plainNamed } from '../state/fold-journal.ts';
import type { LockedStore } from '../state/state-store.ts';
import type { Applied, ApplyPorts } from './apply-request.ts';
import type { Makers } from './claims.ts';
import { Effects, type Halt, interrupted, type Sent } from './effects.ts';
import { journalHeader } from './journal-header.ts';
import type { Left } from './judge-claims.ts';
import { appliedKinds } from './kinds.ts';
import type { GroupTargets } from './resolve-groups.ts';
import {
  errorOf,
  type Known,
  notStarted,
  outcomeOf,
  type StepResult,
  shown,
  unfinished,
  withCommit,
} from './results.ts';
import { readRecipients } from './send-call.ts';
import { afterLook, type GroupPlan, type GroupsSoFar, groupPlan } from './settle-groups.ts';

export interface ExecuteOptions {
  /** Start nothing more after a failed change. */
  readonly failFast: boolean | undefined;
  /** Whether the plan covers the whole workspace. */
  readonly isWhole: boolean;
  readonly existing: JournalHeader['existing'];
  readonly makers: Makers;
  readonly groups: GroupTargets;
  /** What is not sent, with the reason. */
  readonly left: Left;
}

/** What is carried out, and what has become of it so far. */
interface Execution {
  readonly proposal: Proposal;
  readonly failFast: boolean | undefined;
  readonly effects: Effects;
  readonly makers: Makers;
  readonly ports: ApplyPorts;
  readonly results: Map<Step, ApplyResult>;
  /** The ids that are taken: of what the state knows, and of what this run has made. */
  readonly usedIds: Set<string>;
  /** What steps need and failed steps have not brought about, with the reason, part of a sentence. */
  readonly missing: Map<string, string>;
  readonly targets: GroupTargets;
  readonly left: Left;
}

/** Writes the state first, then throws the error of the journal, or the bug, that ended the run early. */
export async function execute(
  proposal: Proposal,
  { failFast, isWhole, existing, makers, groups, left }: ExecuteOptions,
  locked: LockedStore,
  ports: ApplyPorts,
): Promise<Omit<Applied, 'plan' | 'finished'>> {
  const { document, steps, inputs } = proposal;
  const checkout = await ports.checkout?.head();
  const header = { ...journalHeader(inputs, document.baseUrl ?? '', ports), existing, checkout };
  const effects = await Effects.begin(header, locked, ports, 'changes');
  ports.reporter.emit({ type: 'started', changes: steps.map(({ change }) => change) });
  const { resources = {}, orphans = [] } = inputs.state ?? {};
  const execution: Execution = {
    proposal,
    failFast,
    effects,
    makers,
    ports,
    results: new Map(),
    usedIds: new Set([...Object.values(resources), ...orphans].flatMap(({ id }) => id ?? [])),
    missing: new Map(),
    targets: groups,
    left,
  };
  await recordQuiet(execution);
  const announced = await announce(execution);
  for (const kind of kindsInOrder) await sendAll(kind, announced, execution);
  const folded = effects.folded(inputs.state);
  const results = steps.flatMap((step) => execution.results.get(step) ?? []);
  const isDone = isWhole && !effects.isBroken && results.length === steps.length;
  const state = isDone && folded !== undefined ? withCommit(folded, results, ports.environment) : folded;
  await effects.end(state);
  return { document: outcomeOf(document, results, state), state };
}

/** The moves first, all or none: their outcomes follow all their intents. */
async function recordQuiet(execution: Execution): Promise<void> {
  const { effects, proposal, makers } = execution;
  const pairs = (of: readonly Step[], intentOf: (step: Step) => Intended) =>
    of.map((step): readonly [JournalIntent, JournalOutcome] => {
      const intent = effects.intent(intentOf(step));
      return [intent, effects.outcome(intent, { status: 'applied', id: step.change.id })];
    });
  const moves = pairs(
    proposal.steps.filter(({ change }) => change.previousAddress !== undefined),
    moveIntent,
  );
  const quiet = proposal.steps.filter(({ calls }) => calls.length === 0);
  const others = pairs(
    quiet.filter(({ change }) => change.action !== 'move'),
    (step) => ({ ...quietIntent(step), madeBy: makers.get(step.change.address) }),
  );
  const lines = [...moves.map(([intent]) => intent), ...moves.map(([, outcome]) => outcome), ...others.flat()];
  if (lines.length === 0 || !(await effects.append(lines))) return;
  for (const step of quiet) record(step, { status: 'applied', id: step.change.id, requests: 0 }, execution);
}

async function sendAll(kind: Kind, announced: ReadonlyMap<Step, JournalIntent>, execution: Execution): Promise<void> {
  const steps = execution.proposal.steps.filter(({ change, calls }) => change.kind === kind && calls.length > 0);
  const { concurrency } = execution.ports.service;
  const turns = groupBy(steps, (step) => appliedKinds[kind].inTurn?.(step) ?? step);
  await inParallel(turns.values(), concurrency, async (turn) => {
    for (const step of turn) await send(step, announced.get(step), execution);
  });
}

/**
 * The first requests of all steps in one write, because a write may take seconds. After a crash, an announced request that
 * has no outcome is sent again or looked up, so what only a person can look up goes alone. None where the journal cannot be
 * written.
 */
async function announce(execution: Execution): Promise<ReadonlyMap<Step, JournalIntent>> {
  const { effects, proposal, left } = execution;
  if (effects.stop !== undefined) return new Map();
  const { steps, document } = proposal;
  const intents = steps.flatMap((step) => {
    const [first] = step.calls;
    const isAhead =
      first !== undefined &&
      !left.has(step) &&
      !asks(first) &&
      (first.send !== 'post' || isLookedFor(step.change, document.operations));
    if (!isAhead) return [];
    const groups = groupsFor(step, first, groupsBefore(step), execution);
    return [[step, effects.intent(callIntent(step, first, groups, execution))] as const];
  });
  const isWritten = intents.length > 0 && (await effects.append(intents.map(([, intent]) => intent)));
  return new Map(isWritten ? intents : []);
}

/** Why a step is not started; undefined where it is. */
function whyNot(step: Step, { effects, missing, left }: Execution): ApplyResult['error'] {
  const refused = left.get(step);
  if (refused !== undefined) return { code: 'refused', message: refused.message, hint: refused.hint };
  if (effects.stop !== undefined) return notStarted(effects.stop);
  const why = missing.get(appliedKinds[step.change.kind].needs?.(step) ?? '');
  return why === undefined ? undefined : notStarted({ code: 'dependency-failed', why });
}

async function send(step: Step, announced: JournalIntent | undefined, execution: Execution): Promise<void> {
  const { effects, ports } = execution;
  const why = whyNot(step, execution);
  if (why === undefined) {
    const words = `${step.change.address} (${step.change.action})`;
    await effects.whole(words, ports.service.call, (options) => sendCalls(step, announced, options, execution));
    return;
  }
  if (announced !== undefined) effects.notSent(announced);
  record(step, { status: 'skipped', requests: 0, error: why }, execution);
}

async function sendCalls(
  step: Step,
  announced: JournalIntent | undefined,
  given: CallOptions,
  execution: Execution,
): Promise<void> {
  const { effects, ports, proposal } = execution;
  const { change, calls } = step;
  let requests = 0;
  const onRequest: CallOptions['onRequest'] = (method) => {
    requests += 1;
    given.onRequest?.(method);
  };
  const options = { ...given, onRequest };
  let known: Known = {
    id: change.id,
    createdAt: recordedOf(change, proposal).createdAt,
    outputs: {},
    groups: groupsBefore(step),
  };
  for (const call of calls) {
    const isFirst = call === calls[0];
    const asked = asks(call) ? await askForGroups(known, options, execution) : undefined;
    if (asked?.status === 'applied' && call.send === 'look') {
      known = { ...known, groups: known.groups && step.groups && afterLook(known.groups, step.groups, asked.created) };
      continue;
    }
    const found = asked?.status === 'applied' ? asked.created : undefined;
    const groups = groupsFor(step, call, known.groups, execution, found);
    const isAsked = asked === undefined || asked.status === 'applied';
    const intent =
      isFirst && announced !== undefined
        ? announced
        : isAsked
          ? await intentFor(step, call, groups, execution)
          : undefined;
    if (isFirst && intent !== undefined) ports.reporter.emit({ type: 'change-started', change });
    const sent: Sent =
      asked !== undefined && asked.status !== 'applied'
        ? asked
        : intent === undefined
          ? { status: 'skipped', halt: effects.stop ?? interrupted }
          : await effects.send(intent, () => request(step, call, { ...known, plan: groups }, options, execution));
    if (sent.status === 'applied') {
      if (groups !== undefined) {
        known = { ...known, groups: { ...known.groups, known: groups.after } };
        noteGroups(step, groups, ports);
      }
      if (call.send === 'post' && sent.created !== undefined)
        known = {
          ...known,
          ...sent.created,
          id: sent.created.id,
          createdAt: new Date(ports.clock.now()).toISOString(),
        };
      continue;
    }
    const error = failed(step, call, sent, execution);
    const ended = isFirst ? { status: sent.status, error } : unfinished(step, call, known, sent.status, error);
    record(step, { ...ended, requests }, execution);
    return;
  }
  record(step, { status: 'applied', ...shown(change, known), requests }, execution);
}

/** Whether a call begins with a question. */
function asks({ send }: Call): boolean {
  return send === 'look' || send === 'groups';
}

/** The user groups that a schedule has now. What is not answered was not done, either. */
async function askForGroups({ id, createdAt }: Known, options: CallOptions, execution: Execution) {
  const { effects, ports, proposal } = execution;
  const { internalDomains } = proposal.inputs.config.safety;
  const asked = await effects.ask(async () => {
    const api = await ports.service.api();
    const answer = await readRecipients({
      api,
      clock: ports.clock,
      declared: undefined,
      options,
      id,
      madeBy: undefined,
      createdAt,
    });
    return groupsFound(answer, internalDomains);
  });
  return asked.status === 'unknown' && asked.error !== undefined
    ? ({ status: 'failed', error: asked.error } as const)
    : asked;
}

function groupsBefore({ groups }: Step): GroupsSoFar | undefined {
  return groups && { known: groups.known };
}

function groupsFor(
  step: Step,
  call: Call,
  so: GroupsSoFar | undefined,
  { targets }: Execution,
  found?: readonly RecordedGroup[],
): GroupPlan | undefined {
  if (step.groups === undefined || so === undefined) return undefined;
  return groupPlan(call, step.groups, so, targets.get(step.change.address) ?? [], found);
}

/** What nobody has reviewed. */
function noteGroups(
  { change: { address }, groups: work }: Step,
  { unnamed, left }: GroupPlan,
  { reporter }: ApplyPorts,
): void {
  const say = (message: string) => reporter.emit({ type: 'note', message });
  const nameOf = ({ text, id }: RecordedGroup) =>
    work?.wanted.includes(text) ? `another group called ${text} (${id})` : text;
  const names = (groups: readonly RecordedGroup[]) => groups.map(nameOf).join(', ');
  if (unnamed.length > 0)
    say(`${address} no longer goes to ${names(unnamed)}: somebody had added that in Omni, and no plan had shown it.`);
  if (left.length > 0)
    say(
      `${address} also goes to ${names(left)}, which is not declared. \`almanac plan --refresh=deep\` shows it, and an apply of that plan takes it away.`,
    );
}

/** Undefined if it cannot be journalled. */
async function intentFor(
  step: Step,
  call: Call,
  groups: GroupPlan | undefined,
  execution: Execution,
): Promise<JournalIntent | undefined> {
  const { effects } = execution;
  const intent = effects.intent(callIntent(step, call, groups, execution));
  return (await effects.append([intent])) ? intent : undefined;
}

/**
 * Sends one request. Throws what the api throws. An id that is taken says nothing about what was made, so the answer counts as
 * lost: throws Failure api-answer-lost.
 */
async function request(
  step: Step,
  call: Call,
  { id, createdAt: madeAt, plan: groups }: Known & { readonly plan?: GroupPlan | undefined },
  options: CallOptions,
  execution: Execution,
): Promise<Created | undefined> {
  const { ports, proposal, usedIds } = execution;
  const createdAt = call.send === 'delete' ? recordedOf(step.change, proposal).createdAt : madeAt;
  const madeBy = madeByOf(step, call, execution);
  const declared = proposal.inputs.declared(step.change.address);
  const api = await ports.service.api();
  const send = appliedKinds[step.change.kind].requests[call.send];
  if (send === undefined) throw new Error(`no request ${call.send} for ${step.change.address}`);
  const created = await send(step, { api, clock: ports.clock, declared, options, id, madeBy, createdAt, groups });
  if (created?.id !== undefined) {
    if (usedIds.has(created.id)) {
      const message = `The service answered with the id ${created.id}, which is already that of something else, so it is not known what was made.`;
      throw new Failure('api-answer-lost', message);
    }
    usedIds.add(created.id);
  }
  return created ?? (step.adopts === undefined ? undefined : { id: step.adopts, outputs: {} });
}

/** When what a change is about was created, ISO 8601, and for whom; nothing of what does not exist yet. */
function recordedOf(
  { id, reason, address, previousAddress = address }: Change,
  { inputs: { state } }: Proposal,
): Partial<Pick<StateResource, 'createdAt' | 'madeBy'>> {
  if (reason !== 'replaced') return state?.resources[previousAddress] ?? {};
  const { since: createdAt, madeBy } = state?.orphans.find((orphan) => orphan.id === id) ?? {};
  return { createdAt, madeBy };
}

/** For whom a request acts: whoever is to own what it makes, or the member for whom that was made. */
function madeByOf({ change, adopts }: Step, { send }: Call, { makers, proposal }: Execution): string | undefined {
  const isNew = send === 'post' || adopts !== undefined;
  return isNew ? makers.get(change.address) : recordedOf(change, proposal).madeBy;
}

/** A failed request, and what it means for the other changes. */
function failed(
  step: Step,
  call: Call,
  sent: Exclude<Sent, { status: 'applied' }>,
  { missing, failFast, effects, proposal }: Execution,
): ApplyResult['error'] {
  const { change } = step;
  const lacks = appliedKinds[change.kind].missingAfter?.(step, sent.status === 'skipped' ? undefined : sent.error);
  if (lacks !== undefined) missing.set(lacks.what, lacks.why);
  if (sent.status !== 'skipped' && failFast) effects.halt(failedFast);
  return errorOf(change, call, sent, proposal.document.operations);
}

function record(step: Step, result: StepResult, { results, ports }: Execution): void {
  const { change } = step;
  const whole: ApplyResult = { address: change.address, action: change.action, ...result };
  results.set(step, whole);
  ports.reporter.emit({ type: 'change-ended', change, result: whole });
}

/** After this halt, a change that has started is finished: half a replacement would deliver twice. */
const failedFast: Halt = { code: 'fail-fast', why: 'an earlier change failed, and --fail-fast is set' };

/** What is journalled before an effect. */
type Intended = Omit<JournalIntent, 'type' | 'seq' | 'at'>;

/** Of a step that moves, whatever else it does. */
function moveIntent({ change: { address, previousAddress } }: Step): Intended {
  return { kind: 'move', address, action: 'move', previousAddress };
}

/** Of a step that sends nothing. */
function quietIntent({ change, after, unread, throughSink, seen, groups }: Step): Intended {
  const { address, action, kind } = change;
  const unseen = action === 'adopt' ? (appliedKinds[kind].unseen?.(after ?? {}) ?? []) : [];
  const notRead = [...(unread ?? []), ...unseen];
  const known = seen ?? groups?.known.groups ?? [];
  return {
    kind: quietKind(change),
    address,
    action,
    attributes: after,
    unread: after && (unread !== undefined || notRead.length > 0) ? notRead : undefined,
    groups: after && known.length > 0 ? known : undefined,
    throughSink: after && throughSink,
  };
}

function quietKind({ action, reason }: Change): JournalIntent['kind'] {
  if (action === 'adopt') return 'adopt';
  if (action === 'forget') return reason === 'removed' || reason === 'missing' ? 'release' : 'forget';
  // Observing some fields does not settle what an earlier apply left open.
  return reason === 'refreshed' ? 'refresh' : 'record';
}

/** Of one request of a step. */
function callIntent(step: Step, call: Call, groups: GroupPlan | undefined, execution: Execution): Intended {
  const { change, calls, after = {}, unread, sinks, throughSink } = step;
  const { address, kind, action, id, reason } = change;
  const isReplacing = reason === 'replaced' || (action === 'replace' && calls.at(-1)?.send === 'delete');
  const replaced = isReplacing ? id : undefined;
  if (call.send === 'delete') return { kind: isReplacing ? 'end' : 'request', address, action: 'delete', replaced };
  const isMade = call.send === 'post' || call.send === 'patch';
  const isSent = calls.slice(0, calls.indexOf(call) + 1).some(({ send }) => ['post', 'patch', 'put'].includes(send));
  const left = isSent ? undefined : unread;
  return {
    kind: action === 'update' && call !== calls.at(-1) ? 'part' : 'request',
    address,
    action: isMade ? action : 'update',
    attributes: call.leaves,
    ...plainNamed(kind, after),
    madeBy: madeByOf(step, call, execution),
    unread: left,
    ...(groups && recordedGroups(groups.after, left)),
    throughSink: isSent ? sinks : throughSink,
    replaced: call.send === 'post' ? replaced : undefined,
  };
}
