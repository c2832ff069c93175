// Deliveries that somebody asks for at once. Each is an effect: its intent is durable before the request, its outcome
// follows, and one whose outcome is unknown is never repeated by itself. It concerns no plan: what is left open blocks only
// the next trigger of that address.

import type { TriggeredSchedule } from '../../model/deliveries.ts';
import type { Clock, Randomness, Reporter } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import type { Api } from '../../service/api.ts';
import { guardedService, type Service } from '../../service/service.ts';
import { checkSameOrganization, lockWait, requireState, settledState, withLock } from '../../state/current-state.ts';
import { journalHeader } from '../../state/journal-header.ts';
import type { LockedStore, StateStore } from '../../state/state-store.ts';
import { Effects, type Halt, interrupted } from '../effects.ts';
import {
  type Chosen,
  chooseTriggers,
  resolveHint,
  type Target,
  type Triggered,
  type TriggerRequest,
  usableConfig,
} from './choose-triggers.ts';

export interface TriggerPorts {
  readonly store: StateStore;
  readonly service: Service;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly toolVersion: string;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  /** Asks the person. Throws Failure refused where the answer is no. */
  readonly confirm: (targets: readonly Target[]) => Promise<void>;
}

/** In the order of the addresses. Throws what refuses all of them; then nothing was sent. */
export function trigger(request: TriggerRequest, ports: TriggerPorts): Promise<readonly TriggeredSchedule[]> {
  usableConfig(request.loaded);
  return withLock(ports.store, lockWait('trigger', 0, ports), (locked) => triggerLocked(request, locked, ports));
}

async function triggerLocked(
  request: TriggerRequest,
  locked: LockedStore,
  ports: TriggerPorts,
): Promise<readonly TriggeredSchedule[]> {
  const config = usableConfig(request.loaded);
  const { store } = ports;
  const service = guardedService(ports.service, locked, config.api.timeout);
  const state = requireState(await settledState(locked, ports), store.name);
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

interface Sending {
  readonly api: Api;
  readonly call: Service['call'];
  readonly effects: Effects;
}

/** One after the other. Writes the state first, then throws what ended the run early. */
async function sendAll(
  targets: readonly Target[],
  state: State,
  { locked, ports, ...sending }: Omit<Sending, 'effects'> & { locked: LockedStore; ports: TriggerPorts },
): Promise<readonly Triggered[]> {
  const { secretKey, salt, baseUrl } = state;
  const header = journalHeader({ state, salt, keying: { secretKey } }, baseUrl, ports);
  const effects = await Effects.begin(header, locked, ports, 'deliveries');
  const results: Triggered[] = [];
  for (const target of targets) results.push(await sendOne(target, { ...sending, effects }));
  try {
    await effects.end(effects.folded(state));
  } catch (error) {
    const sent = results.filter(({ status }) => status === 'sent').map(({ address }) => address);
    const message = `Omni was asked to deliver this before the run ended early: ${sent.join(', ')}.`;
    if (sent.length > 0) ports.reporter.emit({ type: 'note', message });
    throw error;
  }
  return results;
}

async function sendOne({ address, id, identifier, name }: Target, { api, call, effects }: Sending): Promise<Triggered> {
  const intent = effects.intent({ address, action: 'trigger', identifier, name });
  if (effects.stop !== undefined || !(await effects.append([intent])))
    return { address, ...skipped(effects.stop ?? interrupted) };
  const sent = await effects.whole(address, call, (options) =>
    effects.send(intent, async () => {
      await api.triggerSchedule(id, options);
      return undefined;
    }),
  );
  switch (sent.status) {
    case 'applied':
      return { address, status: 'sent' };
    case 'skipped':
      return { address, ...skipped(sent.halt) };
    case 'failed':
      return { address, status: 'failed', message: sent.error.message, hint: sent.error.hint };
    case 'unknown':
      return {
        address,
        status: 'unknown',
        message: sent.error?.message ?? '',
        hint: `${resolveHint(address)}: until then it is not triggered again.`,
      };
  }
}

function skipped({ why }: Halt): Pick<Triggered, 'status' | 'message'> {
  return { status: 'skipped', message: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` };
}
