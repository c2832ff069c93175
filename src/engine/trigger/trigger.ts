// Deliveries that somebody asks for at once. Each is an effect: its intent is durable before the request, its outcome
// follows, and one whose outcome is unknown is never repeated by itself. It concerns no plan: what is left open blocks only
// the next trigger of that address.

import type { TriggeredSchedule } from '../../model/deliveries/trigger-document.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { LockedStore, StateStore } from '../../ports/state-store.ts';
import { finishWhatIsSent, interruptedWords } from '../service/finish-what-is-sent.ts';
import { guardedService } from '../service/guarded-service.ts';
import type { Service } from '../service/service.ts';
import { checkSameOrganization, currentState, replayed, requireState } from '../state/current-state.ts';
import { foldJournal } from '../state/fold-journal.ts';
import { journalHeader } from '../state/journal-header.ts';
import { withLock } from '../state/with-lock.ts';
import { type Chosen, chooseTriggers } from './choose-triggers.ts';
import { resolveHint, usableConfig } from './refusals.ts';
import type { Target } from './target.ts';
import type { Triggered, TriggerRequest } from './trigger-request.ts';

export interface TriggerPorts {
  readonly store: StateStore;
  readonly service: Service;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly toolVersion: string;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
  /** Asks the person. Throws Failure refused where the answer is no. */
  readonly confirm: (targets: readonly Target[]) => Promise<void>;
}

/** In the order of the addresses. Throws what refuses all of them; then nothing was sent. */
export function trigger(request: TriggerRequest, ports: TriggerPorts): Promise<readonly TriggeredSchedule[]> {
  const { clock, signal, note, store } = ports;
  usableConfig(request.loaded);
  const wait = { command: 'trigger', timeout: 0, clock, signal, onWait: note, onNote: note };
  return withLock(store, wait, (locked) => triggerLocked(request, locked, ports));
}

async function triggerLocked(
  request: TriggerRequest,
  locked: LockedStore,
  ports: TriggerPorts,
): Promise<readonly TriggeredSchedule[]> {
  const config = usableConfig(request.loaded);
  const { store } = ports;
  const service = guardedService(ports.service, locked, config.api.timeout);
  const state = await readState(locked, ports);
  checkSameOrganization(state, config.api.baseUrl, store.name);
  // What cannot be reached is reported before anybody is asked.
  const api = await service.api();
  const chosen = await chooseTriggers(request, state, { api, call: service.call, clock: ports.clock });
  const { targets } = chosen;
  if (targets.length === 0) return together(chosen, []);
  await ports.confirm(targets);
  return together(chosen, await sendAll(targets, state, { api, call: service.call, locked, ports }));
}

/** In the order in which they were asked for. */
function together({ all, left }: Chosen, sent: readonly Triggered[]): readonly TriggeredSchedule[] {
  const results = new Map([...left, ...sent].map(({ address, ...result }) => [address, result]));
  return all.flatMap(({ address, id, name }) => {
    const result = results.get(address);
    return result === undefined ? [] : [{ address, id, name, ...result }];
  });
}

/** What an interrupted run left in its journal is folded into the state first, as an apply does. */
async function readState(locked: LockedStore, { store, note }: TriggerPorts): Promise<State> {
  const stored = await locked.read();
  const state = currentState(stored, store.name);
  const message = replayed(stored, state, store.name);
  if (message !== undefined) note(message);
  if (stored.journal !== undefined) await locked.commit(state);
  return requireState(state, store.name);
}

interface Sending {
  readonly api: Api;
  readonly call: Service['call'];
  readonly locked: LockedStore;
  readonly ports: TriggerPorts;
}

/** One after the other. Writes the state first, then throws what ended the run early. */
async function sendAll(targets: readonly Target[], state: State, sending: Sending): Promise<readonly Triggered[]> {
  const { locked, ports } = sending;
  const { secretKey, salt, baseUrl } = state;
  const header = journalHeader({ state, salt, keying: { secretKey } }, baseUrl, ports);
  await locked.begin(header);
  const lines: (JournalIntent | JournalOutcome)[] = [];
  const results: Triggered[] = [];
  let stop: Failure | undefined;
  let broken: { readonly error: unknown } | undefined;
  let underWay: readonly string[] = [];
  const interrupt = () => ports.note(interruptedWords('deliveries', underWay));
  ports.signal.addEventListener('abort', interrupt);
  for (const target of targets) {
    const { address } = target;
    if (ports.signal.aborted) stop ??= interrupted();
    if (stop !== undefined) {
      results.push({ address, status: 'skipped', message: stop.message });
      continue;
    }
    try {
      const onRequest = () => {
        underWay = [address];
      };
      const call = { ...sending.call, onRequest };
      const { result, ends } = await sendOne(target, results.length + 1, lines, { ...sending, call });
      underWay = [];
      results.push(result);
      stop = ends;
    } catch (error) {
      broken = { error };
      break;
    }
  }
  ports.signal.removeEventListener('abort', interrupt);
  try {
    await locked.commit(foldJournal(state, { header, lines }, ports.store.name), { release: true });
  } catch (error) {
    broken ??= { error };
  }
  if (broken === undefined) return results;
  const sent = results.filter(({ status }) => status === 'sent').map(({ address }) => address);
  if (sent.length > 0) ports.note(`Omni was asked to deliver this before the run ended early: ${sent.join(', ')}.`);
  throw broken.error;
}

interface SentOne {
  readonly result: Triggered;
  /** Why nothing more is sent. */
  readonly ends?: Failure;
}

/** Throws what the store throws, and a bug. */
async function sendOne(
  { address, id, identifier, name }: Target,
  seq: number,
  lines: (JournalIntent | JournalOutcome)[],
  { api, call, locked, ports }: Sending,
): Promise<SentOne> {
  const instant = () => new Date(ports.clock.now()).toISOString();
  const intent: JournalIntent = { type: 'intent', seq, address, action: 'trigger', identifier, name, at: instant() };
  await locked.append([intent]);
  lines.push(intent);
  const note = (status: JournalOutcome['status']) => {
    const outcome: JournalOutcome = { type: 'outcome', seq, status, at: instant() };
    lines.push(outcome);
    locked.note([outcome]);
  };
  try {
    await finishWhatIsSent({ call }, (options) => api.triggerSchedule(id, options));
    note('applied');
    return { result: { address, status: 'sent' } };
  } catch (error) {
    // Of a bug nobody knows what was sent: without an outcome it stays open.
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    const isLost = code === 'api-answer-lost';
    note(isLost ? 'unknown' : 'failed');
    if (isLost)
      return {
        result: {
          address,
          status: 'unknown',
          message,
          hint: `${resolveHint(address)}: until then it is not triggered again.`,
        },
      };
    if (code === 'interrupted' || code === 'state-lock-lost')
      return { result: { address, status: 'skipped', message }, ends: error };
    const result: Triggered = { address, status: 'failed', message, ...(hint === undefined ? {} : { hint }) };
    return statusOf(error) === 401 ? { result, ends: notAccepted() } : { result };
  }
}

function interrupted(): Failure {
  return new Failure('interrupted', 'The run was interrupted.');
}

function notAccepted(): Failure {
  return new Failure('api-unauthorized', 'Omni does not accept the token.');
}
