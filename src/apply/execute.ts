// Carries out a plan: steps that send nothing first, in one write; then one kind after the other, several steps of
// a kind at once. The requests of a step go out one after the other. The first that fails ends it: what was done by then is
// recorded, and the next apply does the rest. If rows belong to receivers, the first step of a dashboard that sets a filter
// which divides them is sent alone and read back; the others are given to the workers after that, or left.

import type { ApplyResult } from '../model/plan/apply-outcome.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import { isLookedFor } from '../model/plan/open-change.ts';
import { trackedAt } from '../model/plan/state.ts';
import type { Created } from '../model/service/remote.ts';
import { kindsInOrder } from '../model/values/address.ts';
import { groupBy, once } from '../model/values/collections.ts';
import { Failure } from '../model/workspace/failure.ts';
import { detailsAsRead } from '../observe/look-at-schedule.ts';
import { groupsFound } from '../observe/observed-groups.ts';
import { inParallel } from '../observe/sending.ts';
import type { CallOptions } from '../omni/api.ts';
import { isReadable, toldByPatches, waitingSteps } from '../plan/dashboard-filters.ts';
import { acceptingUnread } from '../plan/not-read-back.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { onlyTakes, type RequestKind, sendsDeclaration } from '../plan/requests.ts';
import type { LockedStore } from '../state/state-store.ts';
import { appliedKinds } from './applied-kinds.ts';
import type { AppliedPlan, ApplyPorts } from './apply-request.ts';
import { type SeenDrafts, whyDraftStays } from './check-against-omni.ts';
import type { ActingUsers } from './claims.ts';
import { Effects, type Halt, type RequestResult, runInterrupted } from './effects.ts';
import {
  callIntent,
  comingIntents,
  groupsAfter,
  type IntentContext,
  type IntentFields,
  isLastOfIntent,
  madeByOf,
  moveIntent,
  quietIntent,
  recordedOf,
} from './intents.ts';
import { entityIdsOf, entityIdsSeen, journalHeader, namesToRecord } from './journal-header.ts';
import { keepOrUndo } from './leave.ts';
import {
  dividedIn,
  filtersToKeep,
  isToRead,
  leftByReadBack,
  markTold,
  noteUnreadable,
  type ReadingBack,
  readBack,
  readTold,
  type StepGroup,
  tellingFirst,
} from './read-back.ts';
import { groupsBefore, type RecipientsSent, recipientsSent } from './recipients-sent.ts';
import {
  type AppliedFiles,
  becameOf,
  errorOf,
  leftError,
  leftResult,
  notAsSent,
  noteOthers,
  notStarted,
  outcomeOf,
  type ResourceFacts,
  type StepResult,
  shown,
  unfinished,
  withFiles,
} from './results.ts';
import { askRecipients } from './send-call.ts';

export interface ExecuteOptions {
  /** Starts nothing more after a failed change. */
  readonly failFast: boolean | undefined;
  readonly files: AppliedFiles;
  readonly existing: JournalHeader['existing'];
  readonly actingUsers: ActingUsers;
  /** The time of the look at what is about to change, by the clock that only counts. */
  readonly lookedAt: number;
  /** The drafts that this run may discard. */
  readonly drafts: SeenDrafts;
}

/** The plan that is carried out, and its results so far. */
interface Execution extends ReadingBack, IntentContext {
  readonly failFast: boolean | undefined;
  readonly results: Map<Step, ApplyResult>;
  /** The ids that are taken, by resources in the state or by those that this run has made. */
  readonly usedIds: Set<string>;
  /** The things that steps need and failed steps have not brought about, each with the reason, part of a sentence. */
  readonly missing: Map<string, string>;
  /** The steps that come after others, and are not started unless all of those are done. */
  readonly waiting: ReadonlyMap<Step, readonly Step[]>;
  readonly lookedAt: number;
  readonly drafts: SeenDrafts;
  /** The first requests of steps that are in the journal before their turn. */
  readonly announced: Map<Step, JournalIntent>;
}

/** Writes the state first, then throws the error of the journal, or the bug, that ended the run early. */
export async function execute(
  proposal: Proposal,
  { failFast, files, existing, actingUsers, lookedAt, drafts }: ExecuteOptions,
  locked: LockedStore,
  ports: ApplyPorts,
): Promise<Omit<AppliedPlan, 'plan' | 'finished'>> {
  const { document, steps, inputs } = proposal;
  const recorded = steps.map(({ after }) => after);
  const heard = namesToRecord(inputs.state, recorded, ports.service);
  const found = { existing, entityIds: entityIdsSeen(proposal), checkout: files.checkout };
  const header = { ...journalHeader(inputs, document.baseUrl ?? '', ports), ...heard, ...found };
  const divided = dividedIn(proposal);
  const acting: IntentContext = {
    actingUsers,
    proposal,
    entityIds: once(() => entityIdsOf(proposal)),
    filtersToKeep: (step) => filtersToKeep(step, { divided, proposal }),
  };
  const effects = await Effects.begin(header, locked, ports, 'changes', () => comingIntents(acting, ports.clock));
  ports.reporter.emit({ type: 'started', changes: steps.map(({ change }) => change) });
  const { resources = {}, orphans = [] } = inputs.state ?? {};
  const execution: Execution = {
    ...acting,
    failFast,
    effects,
    ports,
    results: new Map(),
    usedIds: new Set([...Object.values(resources), ...orphans].flatMap(({ id }) => id ?? [])),
    missing: new Map(),
    waiting: waitingSteps(steps, inputs.state),
    lookedAt,
    divided,
    accepts: acceptingUnread(inputs.loaded),
    told: toldByPatches(proposal),
    shownOtherwise: new Map(),
    drafts,
    announced: new Map(),
  };
  const rounds = roundsOf(steps, execution.waiting);
  await recordQuiet(execution);
  await announce(waitingForNoReading(rounds, execution), execution);
  noteUnreadable(execution);
  for (const round of rounds) await sendAll(round, execution);
  const folded = effects.folded(inputs.state);
  const results = steps.flatMap((step) => execution.results.get(step) ?? []);
  const isEnded = !effects.isBroken && results.length === steps.length;
  const state = isEnded && folded !== undefined ? withFiles(inputs.state, folded, results, files, ports) : folded;
  await effects.end(state);
  return { document: outcomeOf(document, results, state, inputs.loaded), state };
}

/** Records the moves first, all or none: their outcomes follow all their intents. */
async function recordQuiet(execution: Execution): Promise<void> {
  const { effects, proposal, actingUsers } = execution;
  const pairs = (of: readonly Step[], intentOf: (step: Step) => IntentFields) =>
    of.map((step): readonly [JournalIntent, JournalOutcome] => {
      const intent = effects.intent(intentOf(step));
      return [intent, effects.outcome(intent, { status: 'applied', id: step.change.id })];
    });
  const moves = pairs(
    proposal.steps.filter(({ change }) => change.previousAddress !== undefined),
    moveIntent,
  );
  const quiet = proposal.steps.filter(({ calls, left }) => calls.length === 0 && left === undefined);
  const otherPairs = pairs(
    quiet.filter(({ change }) => change.action !== 'move'),
    (step) => ({ ...quietIntent(step), madeBy: actingUsers.get(step.change.address) }),
  );
  const lines = [...moves.map(([intent]) => intent), ...moves.map(([, outcome]) => outcome), ...otherPairs.flat()];
  if (lines.length === 0 || !(await effects.append(lines))) return;
  for (const step of quiet) recordResult(step, { status: 'applied', id: step.change.id, requests: 0 }, execution);
}

/** The steps that go out at once: one kind after the other, except for those that others wait for. */
function roundsOf(steps: readonly Step[], waiting: Execution['waiting']): readonly (readonly Step[])[] {
  const sending = steps.filter(({ calls, left }) => calls.length > 0 || left !== undefined);
  const awaited = new Set([...waiting.values()].flat());
  const byKind = kindsInOrder.map((kind) =>
    sending.filter((step) => step.change.kind === kind && !waiting.has(step) && !awaited.has(step)),
  );
  const [dashboards = [], ...others] = byKind;
  return [dashboards, [...awaited], [...waiting.keys()], ...others];
}

/** Sends steps in parallel. Those that wait for the first of their dashboard keep no worker busy. */
async function sendAll(steps: readonly Step[], execution: Execution): Promise<void> {
  const { concurrency } = execution.ports.service;
  const sendOne = (step: Step) => send(step, execution);
  const unread = (step: Step) => {
    const divided = execution.divided.get(step);
    return divided?.readBack === undefined ? divided : undefined;
  };
  const later: Step[] = [];
  const turns = groupBy(steps, (step) => unread(step) ?? appliedKinds[step.change.kind].inTurn?.(step) ?? step);
  await inParallel(turns.values(), concurrency, async (turn) => {
    const divided = unread(turn[0]);
    const inOrder = divided === undefined ? turn : tellingFirst(turn, divided, execution);
    for (const step of inOrder) {
      const isFirst = divided === undefined || (divided.readBack === undefined && isReadable(step));
      if (isFirst) await sendOne(step);
      else later.push(step);
    }
  });
  const isSent = (step: Step) => !execution.announced.has(step) && whyNotStarted(step, execution) === undefined;
  await announce(later.filter(isSent), execution);
  await inParallel(later, concurrency, sendOne);
}

/** The steps that wait for no reading. If one of a dashboard is read back, only that one: reading may take long, and leave the others. */
function waitingForNoReading(rounds: readonly (readonly Step[])[], execution: Execution): readonly Step[] {
  const { divided } = execution;
  const firsts = new Map<StepGroup, Step | undefined>();
  for (const round of rounds)
    for (const [of, turn] of groupBy(round, (step) => divided.get(step)))
      if (of !== undefined && firsts.get(of) === undefined)
        firsts.set(of, tellingFirst(turn, of, execution).find(isReadable));
  return rounds.flat().filter((step) => {
    const of = divided.get(step);
    return of === undefined || firsts.get(of) === step;
  });
}

/**
 * Writes the first requests of several steps at once, because a write may take seconds. After a crash, an announced request that
 * has no outcome is sent again or looked up, so what only a person can look up goes alone. Announces none if the journal cannot be
 * written.
 */
async function announce(steps: readonly Step[], execution: Execution): Promise<void> {
  const { effects, proposal, announced } = execution;
  if (effects.stop !== undefined) return;
  const { operations } = proposal.document;
  const intents = steps.flatMap((step) => {
    const [first] = step.calls;
    const isAhead =
      first !== undefined &&
      step.left === undefined &&
      first !== 'settle' &&
      (first !== 'post' || isLookedFor(step.change, operations));
    if (!isAhead) return [];
    return [[step, effects.intent(callIntent(step, first, execution))] as const];
  });
  const isWritten = intents.length > 0 && (await effects.append(intents.map(([, intent]) => intent)));
  for (const [step, intent] of isWritten ? intents : []) announced.set(step, intent);
}

function whyNotStarted(
  step: Step,
  { effects, missing, waiting, results, divided, shownOtherwise }: Execution,
): ApplyResult['error'] {
  const { left, calls } = step;
  if (left !== undefined && calls.length === 0) return leftError(left);
  if (effects.stop !== undefined) return notStarted(effects.stop);
  // What takes something away waits for nothing.
  if (calls.every(onlyTakes)) return undefined;
  const leftNow = shownOtherwise.get(step.change.address) ?? leftByReadBack(step, divided);
  if (leftNow !== undefined) return leftError(leftNow);
  const awaited = waiting.get(step)?.find((each) => results.get(each)?.status !== 'applied');
  if (awaited !== undefined) {
    const why = `the change of ${awaited.change.address}, which has to come first, ${becameOf(results.get(awaited))}`;
    return notStarted({ code: 'dependency-failed', why });
  }
  const why = missing.get(appliedKinds[step.change.kind].needs?.(step) ?? '');
  return why === undefined ? undefined : notStarted({ code: 'dependency-failed', why });
}

async function send(step: Step, execution: Execution): Promise<void> {
  const { effects, ports } = execution;
  const announced = execution.announced.get(step);
  const why = whyNotStarted(step, execution);
  const words = `${step.change.address} (${step.change.action})`;
  const sendWhole = (part: Step) =>
    effects.whole(words, ports.service.call, (options) =>
      sendCalls(part, part === step ? announced : undefined, options, execution, step),
    );
  if (why === undefined) await sendWhole(step);
  else await sendRest(step, { status: 'skipped', requests: 0, error: why }, announced, execution, sendWhole);
}

/** Sends at most what takes something away of a step that turns out to be left. */
async function sendRest(
  step: Step,
  result: StepResult,
  announced: JournalIntent | undefined,
  execution: Execution,
  sendPart: (rest: Step) => Promise<void>,
): Promise<void> {
  const { effects } = execution;
  if (announced !== undefined) effects.notSent(announced);
  noteMissing(step, undefined, execution);
  const { message = '', hint } = result.error ?? {};
  const rest = effects.stop === undefined ? step.ifLeft?.(new Failure('blocked', message, { hint })) : undefined;
  if (rest === undefined || rest.calls.length === 0) recordResult(step, result, execution);
  else await sendPart(rest);
}

/** A step whose requests are under way. */
interface Sending {
  readonly step: Step;
  readonly options: CallOptions;
  readonly execution: Execution;
  /** What the answers have told so far. */
  facts: ResourceFacts;
  /** The intent that the requests of an update share, until the last one is done. */
  open: JournalIntent | undefined;
  /** The first change of its dashboard was read back, which is enough for this one. */
  readonly isReadElsewhere: boolean;
}

/** `planned` is the step of the plan, of which `step` may be a part. */
async function sendCalls(
  step: Step,
  announced: JournalIntent | undefined,
  given: CallOptions,
  execution: Execution,
  planned: Step,
): Promise<void> {
  const { effects, proposal, failFast } = execution;
  const { change, calls } = step;
  let requests = 0;
  const onRequest: CallOptions['onRequest'] = (method) => {
    requests += 1;
    given.onRequest?.(method);
  };
  const options = { ...given, onRequest };
  const end = (result: Omit<StepResult, 'requests'>) => recordResult(planned, { ...result, requests }, execution);
  const stale = (await whyStale(step, options, execution)) ?? (await whyDraftStays(step, options, execution));
  if (stale !== undefined)
    return sendRest(planned, { ...stale, requests }, announced, execution, (rest) =>
      sendCalls(rest, undefined, given, execution, planned),
    );
  const { createdAt } = recordedOf(change, proposal.inputs);
  const facts = { id: change.id, createdAt, outputs: {}, groups: groupsBefore(step) };
  const isReadElsewhere = execution.divided.has(step) && !isToRead(step, execution);
  const sending: Sending = { step, options, execution, facts, open: undefined, isReadElsewhere };
  await markTold(step, execution);
  let readBackError: ApplyResult['error'];
  for (const call of calls) {
    // A resource that is to be paused is paused, whatever rows it has.
    if (readBackError !== undefined && call !== 'pause') continue;
    const isFirst = call === calls[0];
    const isBegun = sending.open !== undefined;
    const sent = await sendCall(call, isFirst ? announced : undefined, sending);
    if (sent.status === 'applied') {
      if (isLastOfIntent(step, call)) closeIntent(sending, step.left === undefined ? sent : someDone);
      if (sendsDeclaration([call])) {
        readBackError = await readBack(step, sending.facts, options, execution);
        if (readBackError !== undefined && failFast) effects.halt(failedFast);
      }
      continue;
    }
    closeIntent(sending, isBegun ? someDone : sent);
    const error = failed(step, call, sent, execution);
    if (readBackError !== undefined) break;
    if (sent.status !== 'unknown') await readTold(step, false, options, execution);
    return end(isFirst ? { status: sent.status, error } : unfinished(step, call, sending.facts, sent.status, error));
  }
  closeIntent(sending, someDone);
  if (readBackError !== undefined) return end(notAsSent(step, sending.facts, readBackError));
  end(step.left === undefined ? { status: 'applied', ...shown(change, sending.facts) } : leftResult(step, step.left));
  await readTold(step, true, options, execution);
}

/** Sends one request of a step, behind its intent, and keeps what its answer tells. */
async function sendCall(
  call: RequestKind,
  announced: JournalIntent | undefined,
  sending: Sending,
): Promise<RequestResult> {
  const { step, options, execution } = sending;
  const { effects, ports } = execution;
  sending.open ??= announced ?? (await effects.open(callIntent(step, call, execution)));
  if (call === step.calls[0] && sending.open !== undefined)
    ports.reporter.emit({ type: 'change-started', change: step.change });
  if (call === 'settle') {
    const groupsAnswer = await askForGroups(sending.facts, options, execution);
    if (groupsAnswer.status !== 'applied') return groupsAnswer;
    const { groups } = sending.facts;
    sending.facts = { ...sending.facts, groups: groups && { ...groups, has: groupsAnswer.created } };
    noteOthers(step, groupsAnswer.created, ports);
  }
  if (sending.open === undefined) return { status: 'skipped', halt: effects.stop ?? runInterrupted };
  const recipients = recipientsSent(step, call, sending.facts.groups);
  const sent = await effects.ask(() => request(step, call, { ...sending.facts, recipients }, options, execution));
  if (sent.status !== 'applied') return sent;
  sending.facts = { ...sending.facts, groups: recipients?.now };
  if (call !== 'post' || sent.created === undefined) return sent;
  const createdAt = new Date(ports.clock.now()).toISOString();
  sending.facts = { ...sending.facts, ...sent.created, id: sent.created.id, createdAt };
  return sent;
}

function closeIntent(sending: Sending, sent: RequestResult): void {
  const { step, facts, open, execution, isReadElsewhere } = sending;
  const groups = groupsAfter(step, facts.groups);
  if (open !== undefined) execution.effects.close(open, sent, { groups, readBack: isReadElsewhere || undefined });
  sending.open = undefined;
}

/** Some requests of an intent were carried out, and the others were not, or it is not known. */
const someDone: RequestResult = { status: 'unknown', error: undefined };
const maxAgeMs = 10 * 60_000;

/** Reads once more a schedule that was looked at long ago, before it changes; a change that no longer fits is left. */
async function whyStale(
  { change, before = {}, left, calls }: Step,
  options: CallOptions,
  { proposal, ports, lookedAt, effects }: Execution,
): Promise<Omit<StepResult, 'requests'> | undefined> {
  const { address, previousAddress = address, id } = change;
  const seen = proposal.observation?.observed.get(previousAddress);
  const asRead = seen?.found === true ? seen.asRead : undefined;
  // What only takes something away undoes nothing, and waits for nothing.
  if (id === undefined || asRead === undefined || left !== undefined || calls.every(onlyTakes)) return undefined;
  if (ports.clock.monotonic() - lookedAt <= maxAgeMs) return undefined;
  const scheduleAnswer = await effects.ask(async () => (await ports.service.api()).getSchedule(id, options));
  if (scheduleAnswer.status === 'skipped') return { status: 'skipped', error: notStarted(scheduleAnswer.halt) };
  if (scheduleAnswer.status !== 'applied') return { status: 'failed', error: scheduleAnswer.error };
  const recorded = trackedAt(proposal.inputs.state, previousAddress)?.attributes ?? before;
  if (detailsAsRead(scheduleAnswer.created, recorded) === asRead) return undefined;
  const message = `Somebody changed ${address} in Omni while this apply ran, so it was not sent.`;
  return { status: 'skipped', error: { code: 'refused', message, hint: keepOrUndo(address) } };
}

/** Asks for the present user groups of a schedule. A question without an answer counts as failed, not as unknown. */
async function askForGroups({ id, createdAt }: ResourceFacts, options: CallOptions, execution: Execution) {
  const { effects, ports, proposal } = execution;
  const { internalDomains } = proposal.inputs.config.safety;
  const groupsAnswer = await effects.ask(async () => {
    const api = await ports.service.api();
    const { clock } = ports;
    const answer = await askRecipients({ api, clock, declared: undefined, options, id, madeBy: undefined, createdAt });
    return groupsFound(answer, internalDomains);
  });
  return groupsAnswer.status === 'unknown' && groupsAnswer.error !== undefined
    ? ({ status: 'failed', error: groupsAnswer.error } as const)
    : groupsAnswer;
}

/**
 * Sends one request. Throws what the api throws. An id that is taken says nothing about the new resource, so the answer counts as
 * lost: throws Failure api-answer-lost.
 */
async function request(
  step: Step,
  call: RequestKind,
  { id, createdAt: madeAt, recipients }: ResourceFacts & { readonly recipients?: RecipientsSent | undefined },
  options: CallOptions,
  execution: Execution,
): Promise<Created | undefined> {
  const { ports, proposal, usedIds } = execution;
  const createdAt = call === 'delete' ? recordedOf(step.change, proposal.inputs).createdAt : madeAt;
  const madeBy = madeByOf(step, call, execution);
  const declared = proposal.inputs.declared(step.change.address);
  const api = await ports.service.api();
  const send = appliedKinds[step.change.kind].requests[call];
  if (send === undefined) throw new Error(`no request ${call} for ${step.change.address}`);
  const created = await send(step, { api, clock: ports.clock, declared, options, id, madeBy, createdAt, recipients });
  if (created?.id !== undefined) {
    if (usedIds.has(created.id)) {
      const message = `The service answered with the id ${created.id}, which something else already has, so it is not known what was created.`;
      throw new Failure('api-answer-lost', message);
    }
    usedIds.add(created.id);
  }
  return created;
}

/** Records a failed request, and what it means for the other changes. */
function failed(
  step: Step,
  call: RequestKind,
  sent: Exclude<RequestResult, { status: 'applied' }>,
  execution: Execution,
): ApplyResult['error'] {
  const { change } = step;
  const { failFast, effects, proposal } = execution;
  noteMissing(step, sent.status === 'skipped' ? undefined : sent.error, execution);
  if (sent.status !== 'skipped' && failFast) effects.halt(failedFast);
  return errorOf(change, call, sent, proposal.document.operations);
}

function noteMissing(step: Step, error: Failure | undefined, { missing }: Execution): void {
  const lacks = appliedKinds[step.change.kind].missingAfter?.(step, error);
  if (lacks !== undefined) missing.set(lacks.what, lacks.why);
}

function recordResult(step: Step, result: StepResult, { results, ports }: Execution): void {
  const { change } = step;
  const whole: ApplyResult = { address: change.address, action: change.action, ...result };
  results.set(step, whole);
  ports.reporter.emit({ type: 'change-ended', change, result: whole });
}

/** A change that has started is finished after this halt: half a replacement would deliver twice. */
const failedFast: Halt = { code: 'fail-fast', why: 'an earlier change failed, and --fail-fast is set' };
