// Carries out the steps of a plan: what sends nothing first, in one write; then one kind after the other, several steps of
// a kind at once. The requests of a step go out one after the other. The first that fails ends it: what was done by then is
// recorded, and the next apply does the rest.

import type { ApplyResult } from '../model/plan/apply-outcome.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import type { Change } from '../model/plan/plan.ts';
import { type Kind, kindsInOrder } from '../model/values/address.ts';
import { Failure } from '../model/workspace/failure.ts';
import { isLookedFor } from '../plan/block.ts';
import type { Call } from '../plan/calls.ts';
import type { Step } from '../plan/plan.ts';
import type { Api, CallOptions } from '../service/api.ts';
import { inParallel } from '../service/sending.ts';
import { plainText } from '../state/fold-journal.ts';
import { journalHeader } from '../state/journal-header.ts';
import type { LockedStore } from '../state/state-store.ts';
import type { Applied, ApplyPorts } from './apply-request.ts';
import { Effects, type Halt, interrupted, type Sent } from './effects.ts';
import type { Proposal } from './propose/propose.ts';
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
import { sendCall } from './send-call.ts';

export interface ExecuteOptions {
  /** Start nothing more after a failed change. */
  readonly failFast: boolean | undefined;
  /** Whether the plan covers the whole workspace. */
  readonly isWhole: boolean;
  readonly existing: JournalHeader['existing'];
}

/** Writes the state first, then throws the error of the journal, or the bug, that ended the run early. */
export async function execute(
  proposal: Proposal,
  { failFast, isWhole, existing }: ExecuteOptions,
  locked: LockedStore,
  ports: ApplyPorts,
): Promise<Applied> {
  const { document, steps, basis } = proposal;
  const api = steps.some(({ calls }) => calls.length > 0) ? await ports.service.api() : undefined;
  const header = { ...journalHeader(basis, document.baseUrl ?? '', ports), existing };
  const effects = await Effects.begin(header, locked, ports, 'changes');
  ports.reporter.emit({ type: 'started', changes: steps.map(({ change }) => change) });
  const execution = new Execution(proposal, { failFast, locked, effects, api, ports });
  await execution.recordQuiet();
  for (const kind of kindsInOrder) await execution.sendAll(kind);
  const folded = effects.folded(basis.state);
  const results = steps.flatMap((step) => execution.results.get(step) ?? []);
  const isDone = isWhole && !effects.isBroken && results.length === steps.length;
  const state = isDone && folded !== undefined ? withCommit(folded, results, ports.environment) : folded;
  await effects.end(state);
  return { plan: document, document: outcomeOf(document, results, state), state };
}

interface Executing {
  readonly failFast: boolean | undefined;
  readonly locked: LockedStore;
  readonly effects: Effects;
  /** Undefined where nothing is sent. */
  readonly api: Api | undefined;
  readonly ports: ApplyPorts;
}

class Execution {
  readonly results = new Map<Step, ApplyResult>();
  readonly #proposal: Proposal;
  readonly #executing: Executing;
  /** The ids that are taken: of what the state knows, and of what this run has made. */
  readonly #usedIds: Set<string>;
  /** Identifiers of the dashboards whose filters could not be set, as canonical JSON. */
  readonly #failedDashboards = new Set<string>();

  constructor(proposal: Proposal, executing: Executing) {
    this.#proposal = proposal;
    this.#executing = executing;
    const { resources = {}, orphans = [] } = proposal.basis.state ?? {};
    this.#usedIds = new Set([...Object.values(resources), ...orphans].flatMap(({ id }) => id ?? []));
  }

  /** The moves first, all or none: their outcomes follow all their intents. */
  async recordQuiet(): Promise<void> {
    const { effects } = this.#executing;
    const { steps } = this.#proposal;
    const pairs = (of: readonly Step[], intentOf: (step: Step) => Intended) =>
      of.map((step): readonly [JournalIntent, JournalOutcome] => {
        const intent = effects.intent(intentOf(step));
        return [intent, effects.outcome(intent, { status: 'applied', id: step.change.id })];
      });
    const isMove = ({ change }: Step) => change.previousAddress !== undefined;
    const moves = pairs(steps.filter(isMove), moveIntent);
    const quiet = steps.filter(({ calls }) => calls.length === 0);
    const others = pairs(
      quiet.filter(({ change }) => change.action !== 'move'),
      quietIntent,
    );
    const lines = [...moves.map(([intent]) => intent), ...moves.map(([, outcome]) => outcome), ...others.flat()];
    if (lines.length === 0 || !(await effects.append(lines))) return;
    for (const step of quiet) this.#record(step, { status: 'applied', id: step.change.id, requests: 0 });
  }

  /**
   * Where a write takes seconds, several first requests are announced in one. An announced request that has no outcome after
   * a crash costs a look at the service, so the store says how many there may be at once.
   */
  async sendAll(kind: Kind): Promise<void> {
    const { concurrency } = this.#executing.ports.service;
    const steps = this.#proposal.steps.filter(({ change, calls }) => change.kind === kind && calls.length > 0);
    for (const batch of this.#batchesOf(steps)) {
      const announced = await this.#announce(batch);
      await inParallel(batch, concurrency, (step) => this.#send(step, announced.get(step)));
    }
  }

  /** After a crash, the first request of a step is sent again or looked up; what only a person can look up goes alone. */
  #isAhead({ change, calls: [first] }: Step): boolean {
    const isRecoverable = first?.send !== 'post' || isLookedFor(change, this.#proposal.document.operations);
    return isRecoverable && this.#executing.locked.window > 1;
  }

  #batchesOf(steps: readonly Step[]): readonly (readonly Step[])[] {
    const { window } = this.#executing.locked;
    const batches: Step[][] = [[]];
    let announced = 0;
    for (const step of steps) {
      if (this.#isAhead(step)) announced += 1;
      if (announced > window) {
        batches.push([]);
        announced = 1;
      }
      batches.at(-1)?.push(step);
    }
    return batches;
  }

  /** None where nothing is announced ahead, or where the journal cannot be written. */
  async #announce(batch: readonly Step[]): Promise<ReadonlyMap<Step, JournalIntent>> {
    const { effects } = this.#executing;
    const ahead = batch.filter((step) => this.#isAhead(step) && this.#whyNot(step) === undefined);
    const intents = ahead.flatMap((step) =>
      step.calls.slice(0, 1).map((call) => effects.intent(callIntent(step, call))),
    );
    const isWritten = intents.length > 0 && (await effects.append(intents));
    return new Map(isWritten ? ahead.map((step, index) => [step, intents[index] as JournalIntent]) : []);
  }

  #whyNot({ change, after }: Step): Halt | undefined {
    const { stop } = this.#executing.effects;
    if (stop !== undefined) return stop;
    const dashboard = plainText(after ?? {}, 'identifier');
    if (change.kind !== 'schedule' || !this.#failedDashboards.has(dashboard)) return undefined;
    return { code: 'dependency-failed', why: `the filters of its dashboard ${dashboard} could not be set` };
  }

  async #send(step: Step, announced: JournalIntent | undefined): Promise<void> {
    const { effects, ports } = this.#executing;
    const why = this.#whyNot(step);
    if (why === undefined) {
      const words = `${step.change.address} (${step.change.action})`;
      await effects.whole(words, ports.service.call, (options) => this.#sendCalls(step, announced, options));
      return;
    }
    if (announced !== undefined) effects.notSent(announced);
    this.#record(step, { status: 'skipped', requests: 0, error: notStarted(why) });
  }

  async #sendCalls(step: Step, announced: JournalIntent | undefined, given: CallOptions): Promise<void> {
    const { ports } = this.#executing;
    const { change, calls } = step;
    let requests = 0;
    const onRequest: CallOptions['onRequest'] = (method) => {
      requests += 1;
      given.onRequest?.(method);
    };
    const options = { ...given, onRequest };
    let known: Known = { id: change.id, createdAt: this.#createdAt(change), outputs: {} };
    for (const call of calls) {
      const isFirst = call === calls[0];
      const intent = isFirst && announced !== undefined ? announced : await this.#intentFor(step, call);
      if (isFirst && intent !== undefined) ports.reporter.emit({ type: 'change-started', change });
      const sent = intent === undefined ? this.#unsent() : await this.#attempt(step, call, intent, known, options);
      if (sent.status === 'applied') {
        if (call.send === 'post' && sent.created !== undefined)
          known = { ...sent.created, id: sent.created.id, createdAt: new Date(ports.clock.now()).toISOString() };
        continue;
      }
      const error = this.#failed(step, call, sent);
      const ended = isFirst ? { status: sent.status, error } : unfinished(step, call, known, sent.status, error);
      this.#record(step, { ...ended, requests });
      return;
    }
    this.#record(step, { status: 'applied', ...shown(change, known), requests });
  }

  /** Undefined if it cannot be journalled. */
  async #intentFor(step: Step, call: Call): Promise<JournalIntent | undefined> {
    const { effects } = this.#executing;
    const intent = effects.intent(callIntent(step, call));
    return (await effects.append([intent])) ? intent : undefined;
  }

  #unsent(): Sent {
    return { status: 'skipped', halt: this.#executing.effects.stop ?? interrupted };
  }

  #attempt(step: Step, call: Call, intent: JournalIntent, known: Known, options: CallOptions): Promise<Sent> {
    const { effects, api, ports } = this.#executing;
    if (api === undefined) throw new Error(`no connection for ${step.change.address}`);
    const declared = this.#proposal.basis.declared(step.change.address);
    const createdAt = call.send === 'delete' ? this.#createdAt(step.change) : known.createdAt;
    return effects.send(intent, async () => {
      const sender = { api, clock: ports.clock, declared, options, id: known.id, createdAt };
      const created = await sendCall(step, call.send, sender);
      this.#takeId(created?.id);
      return created ?? (step.adopts === undefined ? undefined : { id: step.adopts, outputs: {} });
    });
  }

  /** An id that is taken says nothing about what was made: the answer counts as lost. Throws Failure api-answer-lost. */
  #takeId(id: string | undefined): void {
    if (id === undefined) return;
    if (this.#usedIds.has(id)) {
      const message = `The service answered with the id ${id}, which is already that of something else, so it is not known what was made.`;
      throw new Failure('api-answer-lost', message);
    }
    this.#usedIds.add(id);
  }

  /** When the schedule of a change was created, ISO 8601; undefined where it does not exist yet. */
  #createdAt({ id, reason, address, previousAddress = address }: Change): string | undefined {
    const { state } = this.#proposal.basis;
    return reason === 'replaced'
      ? state?.orphans.find((orphan) => orphan.id === id)?.since
      : state?.resources[previousAddress]?.createdAt;
  }

  /** A failed request, and what it means for the other changes. */
  #failed({ change, after }: Step, call: Call, sent: Exclude<Sent, { status: 'applied' }>): ApplyResult['error'] {
    if (change.kind === 'dashboard' && after !== undefined) this.#failedDashboards.add(plainText(after, 'identifier'));
    const { failFast, effects } = this.#executing;
    if (sent.status !== 'skipped' && failFast) effects.halt(failedFast);
    return errorOf(change, call, sent, this.#proposal.document.operations);
  }

  #record(step: Step, result: StepResult): void {
    const { change } = step;
    const whole: ApplyResult = { address: change.address, action: change.action, ...result };
    this.results.set(step, whole);
    this.#executing.ports.reporter.emit({ type: 'change-ended', change, result: whole });
  }
}

/** After this halt, a change that has started is finished: half a replacement would deliver twice. */
const failedFast: Halt = { code: 'fail-fast', why: 'an earlier change failed, and --fail-fast is set' };

/** What is journalled before an effect. */
type Intended = Omit<JournalIntent, 'type' | 'seq' | 'at'>;

/** Of a step that moves, whatever else it does. */
function moveIntent({ change: { address, previousAddress } }: Step): Intended {
  return { address, action: 'move', previousAddress };
}

/** Of a step that sends nothing. */
function quietIntent({ change, after, unread = [], throughSink }: Step): Intended {
  const { address, action, reason } = change;
  // Omni never returns a password, so an adopted schedule may have one that is not declared.
  const mayHaveOne = after?.['destinationType'] === 'sftp' && after['passwordUnencrypted'] === undefined;
  const notRead = action === 'adopt' && mayHaveOne ? [...unread, 'passwordUnencrypted'] : unread;
  return {
    address,
    action,
    attributes: after,
    unread: after && notRead.length > 0 ? notRead : undefined,
    throughSink: after && throughSink,
    // Observing some fields does not settle what an earlier apply left open.
    ahead: reason === 'refreshed' || undefined,
    stateOnly: action === 'update' || undefined,
    release: reason === 'removed' || reason === 'missing' || undefined,
  };
}

/** Of one request of a step. */
function callIntent({ change, calls, after = {}, unread, sinks, throughSink }: Step, call: Call): Intended {
  const { address, kind, action, id, reason } = change;
  const isReplacing = reason === 'replaced' || (action === 'replace' && calls.at(-1)?.send === 'delete');
  const replaced = isReplacing ? id : undefined;
  if (call.send === 'delete') return { address, action: 'delete', replaced };
  const isMade = call.send === 'post' || call.send === 'patch';
  const isSent = calls.slice(0, calls.indexOf(call) + 1).some(({ send }) => ['post', 'patch', 'put'].includes(send));
  const named =
    kind === 'schedule' ? { identifier: plainText(after, 'identifier'), name: plainText(after, 'name') } : {};
  return {
    address,
    action: isMade ? action : 'update',
    attributes: call.leaves,
    ...named,
    ahead: (action === 'update' && call !== calls.at(-1)) || undefined,
    unread: isSent ? undefined : unread,
    throughSink: isSent ? sinks : throughSink,
    replaced: call.send === 'post' ? replaced : undefined,
  };
}
