// What became of a POST whose answer was lost, found out from what the service lists (operations full). A schedule of
// that dashboard with exactly that name which nothing tracks, and which is no older than the intent, is the one that was
// made. It is taken over; where there is none, also not a few seconds later, it was not made and is planned again; where
// there are several, nothing is guessed.

import { Failure } from '../model/failure.ts';
import type { DeclaredObject } from '../model/resource.ts';
import { isSealedSecret, Secret } from '../model/secret.ts';
import type { State, Unresolved } from '../model/state.ts';
import { mayBeFound } from '../plan/block.ts';
import type { Api } from '../ports/api.ts';
import type { Clock } from '../ports/clock.ts';
import { resolveOpen } from './mend-state.ts';
import { textOfField } from './text-of-field.ts';

export interface RecoverOptions {
  readonly api: Api;
  readonly clock: Clock;
  /** The declaration of an address, with its secrets. */
  readonly declared: (address: string) => DeclaredObject | undefined;
  readonly signal: AbortSignal | undefined;
  /** Told of each that is settled. */
  readonly note: (message: string) => void;
}

/** The service's clock and ours may differ, and a schedule is made a moment before it is listed. */
const clockDifferenceMs = 5 * 60_000;
const lookAgainMs = 5000;

export function needsRecovery(state: State | undefined): boolean {
  return state?.unresolved.some(mayBeFound) ?? false;
}

/** The state with what could be found out. Throws Failure blocked where it can't be told which schedule it is. */
export async function recover(state: State, options: RecoverOptions): Promise<State> {
  let recovered = state;
  for (const open of state.unresolved.filter(mayBeFound)) recovered = await settleOpen(recovered, open, options);
  return recovered;
}

async function settleOpen(state: State, open: Unresolved, options: RecoverOptions): Promise<State> {
  const { clock, signal, note } = options;
  const { address, since } = open;
  let found = await candidates(state, open, options);
  if (found.length === 0) {
    await clock.sleep(lookAgainMs, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted; nothing was applied.');
    found = await candidates(state, open, options);
  }
  const now = new Date(clock.now()).toISOString();
  const [id, ...others] = found;
  if (others.length > 0) throw ambiguous(open, found);
  if (id === undefined) {
    note(`${address}, sent at ${since}: it was not made, so it is planned again.`);
    return resolveOpen(address, { by: 'retry' }, now)(state);
  }
  note(`${address}, sent at ${since}: it was made, and is tracked as ${id}.`);
  return resolveOpen(address, { by: 'id', id }, now)(state);
}

/** Ids of schedules that may be what was sent. */
async function candidates(state: State, open: Unresolved, options: RecoverOptions): Promise<readonly string[]> {
  const { api, signal } = options;
  const call = signal === undefined ? {} : { signal };
  const [identifier, name] = [sentText(open, 'identifier', options), sentText(open, 'name', options)];
  const asked = options.declared(open.address)?.['identifier'];
  const listed = await api.listSchedules(
    { identifier: asked instanceof Secret && asked.reveal() === identifier ? asked : identifier },
    call,
  );
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const alike = listed.filter((row) => row.identifier === identifier && row.name === name && !known.has(row.id));
  const earliest = Date.parse(open.since) - clockDifferenceMs;
  const ids: string[] = [];
  for (const { id } of alike) {
    const { createdAt } = await api.getSchedule(id, call);
    if (Date.parse(createdAt) >= earliest) ids.push(id);
  }
  return ids;
}

/** What was sent. A secret is looked up in the declaration; where that is gone, it can't be told. */
function sentText(open: Unresolved, field: 'identifier' | 'name', { declared }: RecoverOptions): string {
  const sent = open.attributes?.[field] ?? open[field];
  const text = isSealedSecret(sent) ? textOfField(declared(open.address), field) : sent;
  if (typeof text === 'string') return text;
  throw new Failure('blocked', `What was sent for ${open.address} can not be looked up: its ${field} is not known.`, {
    hint: `Look in Omni, then: almanac state resolve ${open.address} --id ID, or --retry. Nothing was sent.`,
  });
}

function ambiguous({ address, name = address, since }: Unresolved, ids: readonly string[]): Failure {
  return new Failure(
    'blocked',
    `An earlier apply sent ${address} at ${since} and its answer was lost. Omni has several schedules named "${name}" that nothing tracks: ${ids.join(', ')}.`,
    {
      hint: `Find out which of them it is, then: almanac state resolve ${address} --id ID. Where none of them is: --retry. Nothing was sent.`,
    },
  );
}
