// What the service shows of POSTs whose answers were lost: the schedules that may be what was sent, judged by the
// service's own clock, and those that look like it and are not.

import type { OpenChange, State } from '../../model/plan/state.ts';
import { type ListedSchedule, mayBeNamed, type RemoteSchedule } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { isSealedSecret, Secret, secretKey } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { mayBeFound } from '../../plan/block.ts';
import type { Api } from '../../ports/api.ts';
import type { Basis } from '../propose/basis.ts';
import { textOfField } from '../service/text-of-field.ts';
import type { ApplyPorts } from './apply-request.ts';

export interface Recovery {
  readonly basis: Basis;
  readonly api: Api;
  readonly ports: ApplyPorts;
}

/** What was sent under one name to one dashboard: nothing in the list distinguishes it. */
export interface Sent {
  readonly identifier: string;
  readonly name: string;
  readonly opens: readonly OpenChange[];
}

/** What there is that nothing tracks. */
export interface Seen {
  /** Of the name, on the dashboard, and not older than the request. */
  readonly ids: readonly string[];
  /** Of the name, where the service does not say on which dashboard. */
  readonly unclear: readonly string[];
  /** Of the name, and older than the request. */
  readonly older: readonly RemoteSchedule[];
  /** Rows of other names on the dashboard. */
  readonly others: readonly ListedSchedule[];
}

/** A header gives its time in whole seconds and takes a moment to arrive, and clocks drift. */
const toleranceMs = 2 * 60_000;

/** By name and dashboard. Throws Failure blocked for the first whose name or dashboard is not known any more. */
export async function sentTogether(opens: readonly OpenChange[], basis: Basis): Promise<readonly Sent[]> {
  const groups = new Map<string, Sent>();
  for (const open of opens.filter(mayBeFound)) {
    const identifier = await sentText(open, 'identifier', basis);
    const name = await sentText(open, 'name', basis);
    const key = JSON.stringify([identifier, name]);
    groups.set(key, { identifier, name, opens: [...(groups.get(key)?.opens ?? []), open] });
  }
  return [...groups.values()];
}

/** What was sent. A secret is taken from the declaration, as long as that still holds the same one. */
async function sentText(open: OpenChange, field: 'identifier' | 'name', { declared, keying }: Basis): Promise<string> {
  const sent = open.attributes?.[field] ?? open[field];
  if (typeof sent === 'string') return sent;
  const text = textOfField(declared(open.address), field);
  const isSent = async (meant: string, fingerprint: string | null) =>
    fingerprint !== null && fingerprint === (await keying.fingerprint(meant));
  if (text !== undefined && isSealedSecret(sent) && (await isSent(text, sent[secretKey]))) return text;
  throw new Failure(
    'blocked',
    `Almanac cannot look for what was sent for ${open.address}: its ${field} is not known.`,
    {
      hint: `Check in Omni, then: almanac state resolve ${open.address} --id ID, or --retry. Nothing was sent.`,
    },
  );
}

export async function findSent(state: State, sent: Sent, recovery: Recovery): Promise<Seen> {
  const { identifier, name, opens } = sent;
  const { api, ports } = recovery;
  const listed = await api.listSchedules({ identifier: asDeclared(sent, recovery) }, ports.service.call);
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const free = listed.filter(({ id }) => !known.has(id));
  const earliest = Math.min(...opens.map((open) => earliestOf(open, api)));
  const ids: string[] = [];
  const unclear: string[] = [];
  const older: RemoteSchedule[] = [];
  for (const row of free.filter((each) => mayBeNamed(each, identifier, name))) {
    const found = await scheduleUnlessGone(row.id, recovery);
    if (found === undefined || (row.name === '' && found.name !== name)) continue;
    if (Date.parse(found.createdAt) < earliest) older.push(found);
    else (row.identifier === '' ? unclear : ids).push(row.id);
  }
  const others = free.filter((row) => row.identifier === identifier && row.name !== '' && row.name !== name);
  return { ids, unclear, older, others };
}

/** The earliest time at which what was sent can have been created. */
export function earliestOf(open: OpenChange, api: Api): number {
  return sentAt(open, api) - toleranceMs;
}

/** By the service's clock, in epoch milliseconds. A request whose difference was not measured is judged by today's. */
export function sentAt({ since, clockDifference }: OpenChange, api: Api): number {
  return Date.parse(since) + (clockDifference ?? api.clockDifference() ?? 0);
}

/** A declared secret is sent as a Secret, so that nothing shows it. */
function asDeclared({ identifier, opens }: Sent, { basis }: Recovery): string | Secret {
  const asked = opens.map(({ address }) => basis.declared(address)?.['identifier']);
  const isSame = (value: unknown): value is Secret => value instanceof Secret && value.reveal() === identifier;
  return asked.find(isSame) ?? identifier;
}

/** Undefined for one that went away since it was listed. */
export async function scheduleUnlessGone(id: string, { api, ports }: Recovery): Promise<RemoteSchedule | undefined> {
  try {
    return await api.getSchedule(id, ports.service.call);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}
