// Puts into words what became of the steps of a plan.

import type { Loaded } from '../declare/load/load.ts';
import type { ApplyDocument, ApplyResult, FinishedEntry, ResultStatus } from '../model/plan/apply-outcome.ts';
import { mayBeFound, openChanges } from '../model/plan/open-change.ts';
import { type Change, partWords } from '../model/plan/plan.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import type { RecordedGroup } from '../model/plan/user-groups.ts';
import { type Address, kinds } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { equalJson, type Json, type JsonObject } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { nameSome } from '../model/values/words.ts';
import type { Operations } from '../model/workspace/config.ts';
import { placeOf } from '../model/workspace/diagnostic.ts';
import type { Failure } from '../model/workspace/failure.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { type PlanInputs, withState } from '../plan/inputs.ts';
import { readBackRows } from '../plan/not-read-back.ts';
import type { Step } from '../plan/plan.ts';
import { type RequestKind, sendsDeclaration } from '../plan/requests.ts';
import { makeLocator } from '../yaml/locate.ts';
import { appliedKinds } from './applied-kinds.ts';
import type { ApplyPorts } from './apply-request.ts';
import { type Halt, type RequestResult, runInterrupted } from './effects.ts';
import type { GroupsNow } from './recipients-sent.ts';

export type StepResult = Omit<ApplyResult, 'address' | 'action'>;

export interface ResourceFacts {
  readonly id: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly outputs: JsonObject;
  /** Undefined for a resource without groups. */
  readonly groups?: GroupsNow | undefined;
}

export function outcomeOf(
  { digest }: { readonly digest: string },
  results: readonly ApplyResult[],
  state: State | undefined,
  loaded: Loaded,
): ApplyDocument {
  const count = (status: ResultStatus) => results.filter((result) => result.status === status).length;
  const notReadBack = readBackRows({ loaded, state });
  return {
    formatVersion: 1,
    digest,
    results,
    ...(notReadBack.length === 0 ? {} : { notReadBack }),
    orphans: state?.orphans ?? [],
    summary: {
      applied: count('applied'),
      failed: count('failed'),
      skipped: count('skipped'),
      unknown: count('unknown'),
    },
  };
}

/** The facts about the applied files that the state records. */
export interface AppliedFiles {
  /** The commit that is checked out, if the state is to name it. */
  readonly checkout: string | undefined;
  /** True if the plan covers the whole workspace. */
  readonly isWhole: boolean;
  /** True unless git says that the files lack what was applied before. */
  readonly holdLast: boolean;
  readonly declared: Desired['resources'];
  /** The names of user groups that are declared, by id, as a look of this run has seen them. */
  readonly groupNames: ReadonlyMap<string, string>;
}

/**
 * The state after an apply of these files; `before` itself if nothing of it changes. `commit`, from which the next look at reviews
 * starts, is that of this run, which GitHub and GitLab name, only if nothing that it declares is left to do.
 */
export function withFiles(
  before: State | undefined,
  state: State,
  results: readonly ApplyResult[],
  { checkout = state.checkout, isWhole, holdLast, declared, groupNames }: AppliedFiles,
  { environment, clock }: Pick<ApplyPorts, 'environment' | 'clock'>,
): State {
  const isCommit = (name: string | undefined) => name !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(name);
  const commit = ['GITHUB_SHA', 'CI_COMMIT_SHA'].map(environment).find(isCommit);
  const isDone = isWhole && openChanges(state).length === 0 && results.every(({ status }) => status === 'applied');
  const isRecorded = isDone && holdLast && commit !== undefined && (results.length > 0 || commit !== state.commit);
  const isDeclared = new Set(declared.map(({ address }) => address));
  const resources = Object.entries(state.resources).map(([address, recorded]): [Address, StateResource] => {
    const { groups } = recorded;
    const named = groups?.map((group) => ({ ...group, name: groupNames.get(group.id) ?? group.name }));
    const resource = named === undefined ? recorded : { ...recorded, groups: named };
    const { undeclared, ...rest } = resource;
    return [address, undeclared && isDeclared.has(address) ? rest : resource];
  });
  const next = {
    ...state,
    checkout,
    ...(isRecorded ? { commit, commitAt: new Date(clock.now()).toISOString() } : {}),
    resources: Object.fromEntries(resources),
  };
  if (state !== before) return next;
  return equalJson(next as unknown as Json, state as unknown as Json) ? state : { ...next, serial: state.serial + 1 };
}

/** Says why a request was not carried out, or may have been. */
export function errorOf(
  change: Change,
  send: RequestKind,
  sent: Exclude<RequestResult, { readonly status: 'applied' }>,
  operations: Operations,
): ResultError {
  if (sent.status === 'skipped') return notStarted(sent.halt);
  if (sent.error === undefined)
    return {
      code: 'bug',
      message: 'The request ended in a bug of almanac, and it is not known whether the service carried it out.',
    };
  const { code, message } = sent.error;
  const isLookedFor = send === 'post' && operations === 'full' && mayBeFound(change);
  return { code, message, hint: sent.status === 'unknown' && isLookedFor ? lookedFor : hintOf(change, sent.error) };
}

export function notStarted({ code, why }: Halt): ResultError {
  return { code, message: `Not started: ${why}.` };
}

/** The end of a sentence about a change that others wait for. */
export function becameOf(result: ApplyResult | undefined): string {
  if (result?.status === 'unknown') return 'has an unknown outcome';
  return result?.status === 'failed' ? 'failed' : 'was not made';
}

const lookedFor =
  'Almanac does not repeat the request on a guess: the next apply first looks in Omni for what was sent.';

function hintOf(change: Change, error: Failure): string | undefined {
  const { instead } = appliedKinds[change.kind];
  return (change.action === 'update' ? instead?.(change, error) : undefined) ?? error.hint;
}

/** The result of a step whose first requests were carried out, but not this one. */
export function unfinished(
  step: Step,
  call: RequestKind,
  known: ResourceFacts,
  status: ResultStatus,
  error: ApplyResult['error'],
): Omit<StepResult, 'requests'> {
  const { change, calls } = step;
  const isOld = leavesOld(step);
  const removeOld = `The next ${command('apply')} deletes the old one. If somebody deleted it in Omni: ${command('state orphans', '--clear', change.id ?? 'ID')}`;
  const isDone = isOld
    ? `The new ${kinds[change.kind].words} runs (${known.id}), and the old one (${change.id}) may run alongside it until it is deleted.`
    : doneSoFar(calls, call, known);
  return {
    status: status === 'skipped' ? 'failed' : status,
    ...shown(change, known),
    error: {
      code: error?.code ?? runInterrupted.code,
      message: `${isDone} ${error?.message ?? ''}`.trim(),
      hint: isOld ? removeOld : (error?.hint ?? `The next ${command('apply')} does the rest.`),
    },
  };
}

/** The result of a step that was sent, but not what follows; `error` says what was read back. */
export function notAsSent(step: Step, known: ResourceFacts, error: ResultError): Omit<StepResult, 'requests'> {
  const { change, calls } = step;
  const sent = calls.findIndex((send) => sendsDeclaration([send]));
  const next = calls.slice(sent + 1).find((send) => send !== 'pause');
  const ended = (done: string, ...hints: readonly (string | undefined)[]) => ({
    status: 'failed' as const,
    ...shown(change, known),
    error: { ...error, message: `${done} ${error.message}`, hint: [error.hint, ...hints].join(' ').trim() },
  });
  const { id = 'ID' } = change;
  if (leavesOld(step))
    return ended(
      `The new ${kinds[change.kind].words} (${known.id}) was created, and the old one (${id}) was not deleted.`,
      `The next \`${command('apply')}\` deletes the old one. To keep it, run \`${command('state orphans', '--clear', id)}\` first.`,
    );
  return ended(next === undefined ? `It ${callWords[calls[sent] ?? 'put'].done}.` : doneSoFar(calls, next, known));
}

/** True if a replacement deletes the old one last. */
function leavesOld({ change, calls }: Step): boolean {
  return change.action === 'replace' && calls.at(-1) === 'delete';
}

export type ResultError = NonNullable<ApplyResult['error']>;

export function leftError({ message, hint }: Failure): ResultError {
  return { code: 'refused', message, hint };
}

/** The result of a change that is left, of which a part was sent. */
export function leftResult({ change: { takes = '' } }: Step, left: Failure): Omit<StepResult, 'requests'> {
  const error = leftError(left);
  return { status: 'failed', error: { ...error, message: partWords(takes, error.message) } };
}

/** Says what the last request of several did, and what the failed one was to do. */
function doneSoFar(calls: readonly RequestKind[], call: RequestKind, { id }: ResourceFacts): string {
  const before = calls[calls.indexOf(call) - 1];
  const done = before === undefined ? '' : callWords[before].done;
  const created = before === 'post' ? ` (${id})` : '';
  return `It ${done}${created}, and ${callWords[call].open}.`;
}

const callWords: Readonly<Record<RequestKind, { readonly done: string; readonly open: string }>> = {
  post: { done: 'was created', open: 'is not created yet' },
  put: { done: 'was updated', open: 'is not updated yet' },
  patch: { done: 'was updated', open: 'is not updated yet' },
  transfer: { done: 'was transferred', open: 'is not transferred yet' },
  pause: { done: 'is paused', open: 'is not paused yet' },
  resume: { done: 'is resumed', open: 'is not resumed yet' },
  remove: { done: 'no longer goes to those who are not declared', open: 'still goes to some who are not declared' },
  add: { done: 'goes to its user groups', open: 'does not go to its user groups yet' },
  settle: { done: 'goes to its user groups', open: 'may not go to its user groups yet' },
  delete: { done: 'is deleted', open: 'is not deleted yet' },
};

/** The id and outputs that people need of what was made. */
export function shown(
  { action, id: before }: Change,
  { id, outputs }: ResourceFacts,
): Pick<ApplyResult, 'id' | 'outputs'> {
  const isNew = id !== undefined && (action !== 'run' || id !== before);
  return { id: isNew ? id : undefined, outputs: Object.keys(outputs).length > 0 ? outputs : undefined };
}

export function finishedByApply(before: PlanInputs, state: State | undefined): readonly FinishedEntry[] {
  const { moves, adoptions, removals } = before.desired;
  if (state === undefined || moves.length + adoptions.length + removals.length === 0) return [];
  const { finished, idle } = before.matching;
  const notByThis = new Set([...(before.state === undefined ? [] : finished), ...idle]);
  const locator = makeLocator(before.loaded.fileNamed);
  return withState(before, state)
    .matching.finished.filter((origin) => !notByThis.has(origin))
    .map((origin) => {
      const [section = ''] = pointerSegments(origin.pointer);
      return { section, file: origin.file, line: locator.locate(placeOf(origin))?.line ?? 1 };
    });
}

/** Notes groups that somebody added while the change was sent: they are neither removed nor recorded. */
export function noteOthers(
  { change: { address }, targets = [] }: Step,
  found: readonly RecordedGroup[],
  { reporter }: ApplyPorts,
): void {
  const otherGroups = found.filter(({ id }) => !targets.some((group) => group.id === id));
  if (otherGroups.length === 0) return;
  const names = nameSome(otherGroups.map(({ text }) => text));
  const message = `In Omni ${address} also goes to ${names}: somebody added these recipients while this apply ran. \`${command('drift', '--deep', '--target', address)}\` shows them; until a plan has shown them, no update is sent.`;
  reporter.emit({ type: 'note', message });
}
