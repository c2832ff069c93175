// What the service shows of POSTs whose answers were lost: on their dashboard, the schedules that nothing tracks and that
// were not there before. And what is said where that is not certain.

import type { OpenChange, State } from '../model/plan/state.ts';
import type { RemoteSchedule } from '../model/service/remote.ts';
import { isSealedSecret, Secret, secretKey } from '../model/values/secret.ts';
import { Failure, statusOf } from '../model/workspace/failure.ts';
import { textOfField } from '../model/workspace/resource.ts';
import type { Api } from '../service/api.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Basis } from './propose/basis.ts';

export interface Recovery {
  readonly basis: Basis;
  readonly api: Api;
  readonly ports: ApplyPorts;
}

/** A schedule's POST, with what was sent. */
export interface LostPost {
  readonly open: OpenChange;
  readonly identifier: string;
  readonly name: string;
}

/** A schedule that a POST may have made. */
export interface Seen {
  readonly id: string;
  /** Empty where it is not known. */
  readonly name: string;
  /** Whether the service says that it is on the dashboard. */
  readonly isThere: boolean;
}

/** Throws Failure blocked where the name or the dashboard is not known any more. */
export async function sentFor(open: OpenChange, basis: Basis): Promise<LostPost> {
  return { open, identifier: await sentText(open, 'identifier', basis), name: await sentText(open, 'name', basis) };
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

/** What one of those that were sent to one dashboard may have made. */
export async function findSent(
  state: State,
  together: readonly [LostPost, ...LostPost[]],
  recovery: Recovery,
): Promise<readonly Seen[]> {
  const { api, ports } = recovery;
  const [{ identifier }] = together;
  const listed = await api.listSchedules({ identifier: asDeclared(together, recovery) }, ports.service.call);
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const free = listed.filter(
    (row) =>
      (row.identifier === identifier || row.identifier === '') &&
      !known.has(row.id) &&
      together.some((sent) => mayBe(sent, row)),
  );
  const isAdopting = together.some(isRecorded);
  const seen: Seen[] = [];
  for (const { id, name, identifier: on } of free) {
    const found = isAdopting ? await scheduleUnlessGone(id, recovery) : { name };
    if (found !== undefined) seen.push({ id, name: name === '' ? found.name : name, isThere: on !== '' });
  }
  return seen;
}

/** Whether it is known what was on the dashboard before. */
export function isRecorded({ open }: LostPost): boolean {
  return open.existing !== undefined;
}

function mayBe({ open }: LostPost, { id }: Pick<Seen, 'id'>): boolean {
  return open.existing?.includes(id) !== true;
}

/** Of what was seen on the dashboard, what those of one name may have made: not what another has made by its name. */
export function candidatesOf(
  same: readonly [LostPost, ...LostPost[]],
  together: readonly LostPost[],
  seen: readonly Seen[],
): readonly Seen[] {
  const [{ name }] = same;
  const isOfAnother = (each: Seen) =>
    each.name !== name && together.some((sent) => sent.name === each.name && mayBe(sent, each));
  return seen.filter((each) => same.some((sent) => mayBe(sent, each)) && !isOfAnother(each));
}

/** A declared secret is sent as a Secret, so that nothing shows it. */
function asDeclared(together: readonly [LostPost, ...LostPost[]], { basis }: Recovery): string | Secret {
  const [{ identifier }] = together;
  const asked = together.map(({ open }) => basis.declared(open.address)?.['identifier']);
  const isSame = (value: unknown): value is Secret => value instanceof Secret && value.reveal() === identifier;
  return asked.find(isSame) ?? identifier;
}

/** Undefined for one that went away since it was listed. */
async function scheduleUnlessGone(id: string, { api, ports }: Recovery): Promise<RemoteSchedule | undefined> {
  try {
    return await api.getSchedule(id, ports.service.call);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** `same`: sent to one dashboard under one name. */
export function ambiguous(same: readonly [LostPost, ...LostPost[]], candidates: readonly Seen[]): Failure {
  const [{ open, name }] = same;
  const addresses = same.map((sent) => sent.open.address);
  const answers = same.length === 1 ? 'its answer was' : 'their answers were';
  const lost = `An earlier apply sent ${addresses.join(' and ')} at ${open.since} and ${answers} lost.`;
  const isOne = candidates.length === 1;
  const there = `The dashboard ${open.identifier ?? ''} has ${isOne ? 'a schedule' : 'schedules'} that nothing tracks`;
  const ids = candidates.map((each) => idOf(each, name)).join(', ');
  const what = same.every(isRecorded)
    ? `${there} and that ${isOne ? 'was' : 'were'} not there before: ${ids}.`
    : `${there}: ${ids}. Nobody noted what was there before.`;
  return new Failure('blocked', `${lost} ${what}`, {
    hint: [
      same.length === 1 ? 'Find out which of them it is, then:' : 'Find out which is which, then for each:',
      ...addresses.map((address) => `  almanac state resolve ${address} --id ID`),
      'If it is not one of them: --retry. Nothing was sent.',
    ].join('\n'),
  });
}

/** Someone may have renamed what was sent. */
function idOf({ id, name, isThere }: Seen, sent: string): string {
  const differs = name === '' ? 'its name is not known' : name === sent ? undefined : `named "${name}"`;
  const notes = [differs, isThere ? undefined : 'Omni does not tell its dashboard'].filter(
    (each) => each !== undefined,
  );
  return notes.length === 0 ? id : `${id} (${notes.join('; ')})`;
}
