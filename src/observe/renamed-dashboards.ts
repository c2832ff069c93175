// Dashboards that have another identifier in Omni than they had: whether what was on one dashboard and is now listed on another
// is still on the same one, because that was renamed. Two things prove it: a read that gives the id that the state has recorded
// for its dashboard, or a list of documents that has nothing under the former identifier, not even in the trash, and something
// under the present one. Anything less may be another dashboard, which shows other rows.

import { isUuid } from '../model/fields/ids.ts';
import { everyDocument } from '../model/service/documents.ts';
import { isOrganizationKey } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { groupBy, once } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { nameSome } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import { unlessOpen } from './sending.ts';
import type { Service } from './service.ts';

/** A schedule that the list shows on another dashboard than it was applied on. */
export interface Elsewhere {
  readonly address: Address;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The id of its dashboard, as the state has it. */
  readonly recordedEntity: string | undefined;
  /** The same, as this run has read it. */
  readonly read?: string | undefined;
  /** A request whose answer was lost may have moved it there. */
  readonly mayBeMoved?: boolean;
}

/** The present identifiers of dashboards, by the id of a schedule on them. */
export type NamesOfDashboards = ReadonlyMap<string, string>;

/** Finds the schedules whose dashboard was renamed. Throws what the service throws. */
export async function renamedAmong(
  elsewhere: readonly Elsewhere[],
  { call, token }: Pick<Service, 'call' | 'token'>,
  api: Api,
): Promise<NamesOfDashboards> {
  // A personal token gets a list with only what its member may view.
  const documents = once(async () => (isOrganizationKey(token()) ? identifiersIn(api, call) : undefined));
  const renamed = new Map<string, string>();
  for (const [from, all] of groupBy(elsewhere, (each) => each.from)) {
    const stayed = all.filter(({ mayBeMoved }) => !mayBeMoved);
    const names = new Set((stayed.length > 0 ? stayed : all).map(({ to }) => to));
    for (const [to, together] of groupBy(all, (each) => each.to)) {
      const isOnly = names.size === 1 && names.has(to);
      const isSame = (await isSameEntity(together, api, call)) ?? (isOnly && isRenamed(from, to, await documents()));
      if (isSame) for (const { id } of together) renamed.set(id, to);
    }
  }
  return renamed;
}

/** Returns undefined if nothing is recorded, or Omni does not say it. */
async function isSameEntity(together: readonly Elsewhere[], api: Api, call: CallOptions): Promise<boolean | undefined> {
  const recorded = together.filter((each) => each.recordedEntity !== undefined);
  const [first] = recorded;
  if (first === undefined) return undefined;
  const known = together.find((each) => each.read !== undefined)?.read;
  const read = known ?? entityIn(await unlessOpen(api.getSchedule(first.id, call)));
  return read === undefined ? undefined : recorded.every((each) => each.recordedEntity === read);
}

/** Omni's permanent id for the dashboard of a schedule; anything but a UUID has no known meaning. */
export function entityIn(schedule: { readonly entityId?: string | undefined } | undefined): string | undefined {
  const { entityId } = schedule ?? {};
  return entityId !== undefined && isUuid(entityId) ? entityId : undefined;
}

/** The identifiers of all documents; undefined if the list is refused. */
type Identifiers = { readonly all: ReadonlySet<string>; readonly living: ReadonlySet<string> } | undefined;

async function identifiersIn(api: Api, call: CallOptions): Promise<Identifiers> {
  const list = await unlessOpen(api.listDocuments({ ...everyDocument, include: ['includeDeleted'] }, call));
  const named = (documents: readonly { readonly identifier: string }[]) =>
    new Set(documents.map(({ identifier }) => identifier));
  return list && { all: named(list.documents), living: named(list.documents.filter(({ deleted }) => !deleted)) };
}

function isRenamed(from: string, to: string, identifiers: Identifiers): boolean {
  return identifiers !== undefined && !identifiers.all.has(from) && identifiers.living.has(to);
}

/** The new identifiers by the former ones, if all schedules of a dashboard went to one that was renamed. */
export function presentNames(elsewhere: readonly Elsewhere[], renamed: NamesOfDashboards): ReadonlyMap<string, string> {
  return new Map(
    [...groupBy(elsewhere, ({ from }) => from)].flatMap(([from, all]) => {
      const [to, ...others] = new Set(all.map(({ id }) => renamed.get(id)));
      return to === undefined || others.length > 0 ? [] : [[from, to] as const];
    }),
  );
}

/** One of each dashboard whose former identifier is still declared, or that nothing declares. */
export function renamedFindings(
  renamed: readonly { readonly address: Address; readonly from: string; readonly to: string }[],
): readonly Finding[] {
  const byName = groupBy(renamed, ({ from, to }) => JSON.stringify([from, to]));
  return [...byName.values()].map(([first, ...otherSchedules]): Finding => {
    const addresses = [first, ...otherSchedules].map(({ address }) => address);
    return {
      code: 'dashboard-renamed',
      message: `The dashboard ${first.from} is called ${first.to} now: ${nameSome(addresses)}.`,
      hint: `\`${command('drift', '--deep', '--write')}\` writes the new identifier into the files.`,
      address: first.address,
      concerns: otherSchedules.map(({ address }) => address),
    };
  });
}
