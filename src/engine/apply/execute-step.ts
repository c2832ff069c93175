// The requests of a step, one after the other, each journalled before and after. The first that fails ends the step;
// what was done by then is recorded, and the next apply does the rest.

import type { ApplyResult, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { Change } from '../../model/plan/plan.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { canonicalJson, type JsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { mayBeFound } from '../../plan/block.ts';
import type { Call } from '../../plan/calls.ts';
import type { Step } from '../../plan/plan.ts';
import type { CallOptions, Created } from '../../ports/api.ts';
import { finishWhatIsSent } from '../service/finish-what-is-sent.ts';
import { type Announcer, makeIntent } from './announce.ts';
import {
  breakOff,
  failFast,
  halt,
  instant,
  interrupted,
  journal,
  noteOutcome,
  type Run,
  recordResult,
  type StepResult,
  whyEnded,
  whyHalted,
} from './apply-run.ts';
import { sendCall } from './send-call.ts';

export function executeStep(run: Run, step: Step, announcer: Announcer): Promise<void> {
  const onRequest: CallOptions['onRequest'] = (method) => {
    if (method !== 'GET') run.underWay.add(step);
  };
  const call = { ...run.ports.service.call, signal: run.halted.signal, onRequest };
  return finishWhatIsSent({ call, ended: run.ended.signal }, (options) => sendCalls(run, step, announcer, options));
}

async function sendCalls(run: Run, step: Step, announcer: Announcer, options: CallOptions): Promise<void> {
  let known: Known = { id: step.change.id, createdAt: createdAtOf(step.change, run), outputs: {} };
  let requests = 0;
  for (const [index, call] of step.calls.entries()) {
    const isFirst = index === 0;
    const intent = await (isFirst ? announcer.intentFor(step) : nextIntent(run, step, index));
    if (isFirst && intent !== undefined) run.ports.reporter.emit({ type: 'change-started', change: step.change });
    const sent = intent === undefined ? unsent(run) : await attempt(run, step, call, { ...known, intent, options });
    if (isFirst) announcer.settle(step);
    requests += sent.requests;
    if (call === 'post' && sent.created !== undefined)
      known = { id: sent.created.id, createdAt: instant(run), outputs: sent.created.outputs };
    if (sent.status === 'applied') continue;
    recordResult(run, step, isFirst ? ended(sent, requests) : unfinished(step, call, known, sent, requests));
    return;
  }
  recordResult(run, step, { status: 'applied', ...shown(step, known), requests });
}

/** What is known of the resource while its requests are sent. */
interface Known {
  readonly id: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly outputs: JsonObject;
}

interface Sent {
  readonly status: ResultStatus;
  readonly created?: Created | undefined;
  /** Repeats included. */
  readonly requests: number;
  readonly error?: NonNullable<ApplyResult['error']>;
}

/** One request, whose intent is durable. */
interface Due extends Known {
  readonly intent: JournalIntent;
  readonly options: CallOptions;
}

/** Undefined if the request must not be sent. */
async function nextIntent(run: Run, step: Step, index: number): Promise<JournalIntent | undefined> {
  if (whyEnded(run) !== undefined) return undefined;
  const intent = makeIntent(run, step, index);
  return (await journal(run, [intent])) ? intent : undefined;
}

function unsent(run: Run): Sent {
  return { status: 'skipped', requests: 0, error: whyHalted(run) ?? interrupted };
}

async function attempt(run: Run, step: Step, call: Call, due: Due): Promise<Sent> {
  const { seq } = due.intent;
  const sent = await send(run, step, call, due);
  const status = sent.status === 'skipped' ? 'failed' : sent.status;
  const id = status === 'applied' && step.adopts !== undefined ? { id: step.adopts } : {};
  noteOutcome(run, { type: 'outcome', seq, status, ...id, ...createdIn(sent), at: instant(run) });
  return sent;
}

function createdIn({ created }: Sent): Pick<JournalOutcome, 'id' | 'outputs'> {
  if (created === undefined) return {};
  const { id, outputs } = created;
  return { ...(id === undefined ? {} : { id }), ...(Object.keys(outputs).length > 0 ? { outputs } : {}) };
}

async function send(run: Run, step: Step, call: Call, { id, options: given, ...known }: Due): Promise<Sent> {
  const { api, ports, proposal } = run;
  if (api === undefined) throw new Error(`no connection for ${step.change.address}`);
  let requests = 0;
  const onRequest: CallOptions['onRequest'] = (method) => {
    requests += 1;
    given.onRequest?.(method);
  };
  const options: CallOptions = { ...given, onRequest };
  const declared = proposal.basis.declared(step.change.address);
  const createdAt = call === 'delete' ? createdAtOf(step.change, run) : known.createdAt;
  try {
    const created = await sendCall(step, call, { api, clock: ports.clock, declared, options, id, createdAt });
    takeId(run, created?.id);
    return { status: 'applied', created, requests };
  } catch (error) {
    return { ...failed(run, step, call, error), requests };
  }
}

/** An id that is taken says nothing about what was made: the answer counts as lost. Throws Failure api-answer-lost. */
function takeId({ usedIds }: Run, id: string | undefined): void {
  if (id === undefined) return;
  if (usedIds.has(id)) {
    const message = `The service answered with the id ${id}, which is already that of something else, so it is not known what was made.`;
    throw new Failure('api-answer-lost', message);
  }
  usedIds.add(id);
}

/** When the schedule of a change was created, ISO 8601; undefined where it does not exist yet. */
function createdAtOf(
  { id, reason, address, previousAddress = address }: Change,
  { proposal }: Run,
): string | undefined {
  const { state } = proposal.basis;
  return reason === 'replaced'
    ? state?.orphans.find((orphan) => orphan.id === id)?.since
    : state?.resources[previousAddress]?.createdAt;
}

/** A failed request, and what it means for the other changes. */
function failed(run: Run, { change, after }: Step, call: Call, error: unknown): Omit<Sent, 'requests'> {
  if (change.kind === 'dashboard' && after !== undefined) run.failedDashboards.add(dashboardOf(after));
  if (!(error instanceof Failure)) {
    run.broken ??= error;
    halt(run, { code: 'bug', message: 'Not started: an earlier change ended in a bug of almanac.' });
    const message = 'It ended in a bug of almanac, and it is not known whether the service did it.';
    return { status: 'unknown', error: { code: 'bug', message } };
  }
  if (statusOf(error) === 401) {
    halt(run, { code: 'api-unauthorized', message: 'Not started: the service does not accept the token.' });
  } else if (error.code === 'interrupted') {
    // The interruption came while it waited for its turn.
    return { status: 'skipped', error: run.stop ?? interrupted };
  } else if (error.code === 'state-lock-lost') {
    return { status: 'skipped', error: breakOff(run, error) };
  } else if (run.failFast) {
    halt(run, { code: failFast, message: 'Not started: an earlier change failed, and --fail-fast is set.' });
  }
  const status = error.code === 'api-answer-lost' ? 'unknown' : 'failed';
  const isLookedFor = call === 'post' && run.proposal.document.operations === 'full' && mayBeFound(change);
  const hint = status === 'unknown' && isLookedFor ? lookedFor : hintOf(change, error);
  return { status, error: { code: error.code, message: error.message, ...(hint === undefined ? {} : { hint }) } };
}

/** An identifier from the environment is a fingerprint; equal texts have equal fingerprints. */
export function dashboardOf(attributes: JsonObject): string {
  return canonicalJson(attributes['identifier'] ?? null);
}

const lookedFor = 'Almanac does not send it again on a guess: the next apply looks in Omni for it first.';

/** It is not documented whether a schedule may change its dashboard or its destination. */
function hintOf({ address, action, kind, diff }: Change, error: Failure): string | undefined {
  const status = statusOf(error);
  const switches = diff.some(({ path }) => path === '/identifier' || path === '/destinationType');
  if (kind !== 'schedule' || action !== 'update' || !switches || (status !== 400 && status !== 404)) return error.hint;
  return `If the service does not let a schedule change its dashboard or destination, \`almanac apply --replace ${address}\` creates the new one before it deletes the old.`;
}

function ended({ status, error }: Sent, requests: number): StepResult {
  return { status, requests, ...(error === undefined ? {} : { error }) };
}

/** The first requests were carried out, and this one was not. */
function unfinished(step: Step, call: Call, known: Known, { status, error }: Sent, requests: number): StepResult {
  const code = error?.code ?? interrupted.code;
  const message = `${doneSoFar(step, call, known)} ${error?.message ?? ''}`.trim();
  const hint = leavesOld(step) ? removeOld(step) : (error?.hint ?? 'The next almanac apply does the rest.');
  return {
    status: status === 'skipped' ? 'failed' : status,
    ...shown(step, known),
    requests,
    error: { code, message, ...(hint === undefined ? {} : { hint }) },
  };
}

/** Whether the old schedule of a replacement still has to be deleted. */
function leavesOld({ change, calls }: Step): boolean {
  return change.action === 'replace' && calls.at(-1) === 'delete';
}

function removeOld({ change }: Step): string {
  return `The next almanac apply deletes it. If it was removed in Omni by hand: almanac state orphans --clear ${change.id}`;
}

function doneSoFar(step: Step, call: Call, { id }: Known): string {
  const { change, calls } = step;
  if (leavesOld(step))
    return `The new schedule runs (${id}), and the old one (${change.id}) may run alongside it until it is deleted.`;
  if (calls[0] === 'post') return `It was created (${id}) and is not paused yet.`;
  if (call === 'transfer') return `It was ${calls.includes('put') ? 'updated' : 'paused'}, and is not transferred yet.`;
  return calls[0] === 'pause' ? 'It is paused, and not updated yet.' : 'It was updated, and is not resumed yet.';
}

function shown({ change }: Step, { id, outputs }: Known): Pick<ApplyResult, 'id' | 'outputs'> {
  const isNew = id !== undefined && (change.action !== 'run' || id !== change.id);
  return { ...(isNew ? { id } : {}), ...(Object.keys(outputs).length > 0 ? { outputs } : {}) };
}
