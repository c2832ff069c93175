// Pairs declarations with the tracked resources that belong to them: by address, by `moved`, by `adopt`, by the row of a table
// that loops split between them, and, where exactly one resource disappeared and one of equal content appeared, by content.

import { comparable } from '../declare/comparable.ts';
import { areSplit } from '../declare/expand/choose-rows.ts';
import { isRemark } from '../model/fields/fields.ts';
import { namedOf } from '../model/fields/identity.ts';
import { finishedAdoptions } from '../model/plan/adoptions.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import { type Address, groupOf, itemOf, type Kind, kindAt } from '../model/values/address.ts';
import { groupBy, once } from '../model/values/collections.ts';
import { canonicalJson, type Json } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { mapSealed } from '../model/values/secret.ts';
import { codeList, shortText } from '../model/values/words.ts';
import type { Finding, Origin, WithFindings } from '../model/workspace/diagnostic.ts';
import { placeOfResource } from '../model/workspace/field-place.ts';
import type { Absence, Desired, SealedResource } from '../model/workspace/resource.ts';
import { diffAttributes } from './difference.ts';
import { finishedRemovals, followMoves } from './entries.ts';

export interface Match {
  readonly address: Address;
  readonly desired?: SealedResource;
  readonly prior?: StateResource;
  readonly moved?: { readonly from: Address; readonly by: 'moved-entry' | 'split-table' | 'equal-content' };
  /** The id to take over. */
  readonly adopt?: string;
  /** A `removed` entry releases it. */
  readonly released?: true | undefined;
  /** Present if it is declared, but only for other environments. */
  readonly absent?: Absence;
}

export interface MatchResult extends WithFindings<readonly Match[]> {
  /** The entries that have taken effect. */
  readonly finished: readonly Origin[];
  /** The entries of `moved` that move nothing, whether they are finished or never did. */
  readonly idle: readonly Origin[];
}

export function match(desired: Desired<SealedResource>, state: State | undefined): MatchResult {
  const { resources: recorded = {} } = state ?? {};
  const tracked = new Map<Address, StateResource>();
  for (const address in recorded) tracked.set(address, recorded[address] as StateResource);
  const { value: moved, findings, finished: finishedMoves, idle } = followMoves(desired, tracked);
  const oldOf = new Map([...moved].map(([from, to]) => [to, from]));
  const finished = finishedAdoptions(desired, state);
  const open = desired.adoptions.filter((adoption) => !finished.has(adoption));
  const adoptions = new Map(open.map((adoption) => [adoption.to, adoption]));
  const matches = desired.resources.map((resource): Match => {
    const { address } = resource;
    const from = oldOf.get(address);
    const prior = taken(tracked, from ?? (moved.has(address) ? '' : address));
    const adopt = prior?.id === undefined ? adoptions.get(address)?.id : undefined;
    // Almost all matches end here, so nothing else is computed before.
    if (prior !== undefined && from === undefined && adopt === undefined) return { address, desired: resource, prior };
    return {
      address,
      desired: resource,
      prior,
      moved: from === undefined ? undefined : { from, by: 'moved-entry' },
      adopt,
    };
  });
  const released = new Set(desired.removals.map(({ from }) => from));
  const absent = new Map(desired.absent?.map((absence) => [absence.address, absence]));
  // Every address that is declared has taken what is tracked there, or what moves to it.
  const gone = [...tracked].map(
    ([address, prior]): Match => ({
      address,
      prior,
      released: released.has(address) || released.has(groupOf(address)) || undefined,
      absent: absent.get(address) ?? absent.get(groupOf(address)),
    }),
  );
  const split = pairSplitRows(desired, matches, gone);
  const entries = [...finished.values(), ...finishedRemovals(desired, state)];
  return {
    value: pairEqualContent(split.declared, split.gone),
    findings: [...findings, ...split.findings, ...entries.map(({ finding }) => finding)],
    finished: [...finishedMoves, ...entries.map(({ origin }) => origin)],
    idle,
  };
}

export function kindOfMatch({ address, desired }: Pick<Match, 'address' | 'desired'>): Kind {
  return desired?.kind ?? kindAt(address);
}

/** No two declarations match the same tracked resource. */
function taken(tracked: Map<Address, StateResource>, address: Address): StateResource | undefined {
  const prior = tracked.get(address);
  tracked.delete(address);
  return prior;
}

/**
 * Pairs an instance that left one loop with the one that came to another loop for the same row, where `only` and `except` let
 * no row be in both. A row may have several reports in such loops: these are told apart by dashboard and name, or else by
 * dashboard. Where that does not tell, both would be wrong, to lose an id and to guess.
 */
function pairSplitRows({ loops = [] }: Pick<Desired, 'loops'>, declared: readonly Match[], gone: readonly Match[]) {
  const tables = new Map(loops.flatMap(({ address, rows }) => (rows === undefined ? [] : [[address, rows] as const])));
  const rowOf = ({ address }: Match) => {
    const rows = tables.get(groupOf(address));
    return rows && JSON.stringify([kindAt(address), rows.file, rows.key, itemOf(address)]);
  };
  const cameTo = groupBy(tables.size < 2 ? [] : declared.filter(isNew), rowOf);
  const paired = new Map<Address, Match>();
  const taken = new Set<Address>();
  const findings: Finding[] = [];
  const went = gone.filter((each) => mayReturn(each) && rowOf(each) !== undefined);
  for (const [row, wentOfRow] of groupBy(cameTo.size === 0 ? [] : went, rowOf)) {
    const came = row === undefined ? [] : (cameTo.get(row) ?? []);
    const partnersOf = ({ address }: Match, among: readonly Match[]) =>
      among.filter((each) => areSplit(tables.get(groupOf(address)), tables.get(groupOf(each.address))));
    for (const likeness of [nameAndPlace, placeAlone, anyReport]) {
      const [olds, news] = [wentOfRow, came].map((side) =>
        side.filter(({ address }) => !paired.has(address) && !taken.has(address)),
      ) as [Match[], Match[]];
      for (const older of olds) {
        const [newer, ...otherPartners] = partnersOf(older, news).filter((each) => likeness(each) === likeness(older));
        const isOne =
          newer !== undefined &&
          otherPartners.length === 0 &&
          partnersOf(newer, olds).filter((each) => likeness(each) === likeness(older)).length === 1;
        if (!isOne) continue;
        paired.set(newer.address, {
          ...newer,
          prior: older.prior as StateResource,
          moved: { from: older.address, by: 'split-table' },
        });
        taken.add(older.address);
      }
    }
    for (const older of wentOfRow.filter(({ address }) => !taken.has(address))) {
      const open = partnersOf(
        older,
        came.filter(({ address }) => !paired.has(address)),
      );
      if (open.length > 0) findings.push(unclearMove(older, open));
    }
  }
  return {
    declared: declared.map((entry) => paired.get(entry.address) ?? entry),
    gone: gone.filter(({ address }) => !taken.has(address)),
    findings,
  };
}

const nameAndPlace = (entry: Match) => canonicalJson(namesOf(entry));
const placeAlone = (entry: Match) => canonicalJson(namesOf(entry)[0] ?? null);
const anyReport = () => '';

function namesOf(entry: Match): readonly Json[] {
  const { identifier = null, name = null } =
    namedOf(kindOfMatch(entry), (entry.desired ?? entry.prior)?.attributes ?? {}) ?? {};
  return [identifier as Json, name as Json];
}

function unclearMove({ address }: Match, came: readonly Match[]): Finding {
  const [first] = came;
  return {
    code: 'unclear-move',
    message: `The row of \`${address}\` now belongs to different loops over the same table, and Almanac cannot tell whether ${codeList(
      came.map((each) => each.address),
      'or',
    )} is the same report.`,
    hint: `To keep its id, add this line to a source file, with the address that the report moves to:\n  moved: [{ from: ${address}, to: ${first?.address ?? ''} }]`,
    address: first?.address,
    place: first?.desired && placeOfResource(first.desired),
  };
}

/**
 * Pairs a resource that disappeared with one that appeared, if exactly one of each has that content: first with secrets
 * compared, then by their texts alone, since a value may be unknown.
 */
function pairEqualContent(declared: readonly Match[], gone: readonly Match[]): readonly Match[] {
  const came = declared.filter(isNew);
  const went = gone.filter(mayReturn);
  if (came.length === 0 || went.length === 0) return [...declared, ...gone];
  const paired = new Map<Address, Match>();
  const taken = new Set<Address>();
  for (const content of [asItIs, valuesAlike]) {
    const free = came.filter(({ address }) => !paired.has(address));
    const unpaired = went.filter(({ address }) => !taken.has(address));
    for (const [newer, older] of pairs(byContent(free, content), byContent(unpaired, content))) {
      if (newer.desired === undefined || older.prior === undefined) continue;
      const diff = diffAttributes(newer.desired.kind, older.prior.attributes, newer.desired.attributes);
      if (diff.some(({ path }) => !isRemark(path))) continue;
      paired.set(newer.address, { ...newer, prior: older.prior, moved: { from: older.address, by: 'equal-content' } });
      taken.add(older.address);
    }
  }
  return [
    ...declared.map((entry) => paired.get(entry.address) ?? entry),
    ...gone.filter(({ address }) => !taken.has(address)),
  ];
}

/**
 * The declarations whose secrets decide which belong together: their texts alone may pair them with something that
 * disappeared. With `applied`, also those that are compared with what was applied, or with what is taken over.
 */
export function comparingSecrets(
  matches: readonly Match[],
  { applied }: { readonly applied: boolean },
): ReadonlySet<Address> {
  const declared = matches.filter(({ desired }) => desired !== undefined);
  const gone = byContent(matches.filter(mayReturn), valuesAlike);
  const came = gone.size === 0 ? [] : declared.filter(isNew);
  const alike = [...byContent(came, valuesAlike)].flatMap(([content, of]) => (gone.has(content) ? of : []));
  const compared = declared.filter((each) => (applied ? !isNew(each) : each.moved?.by === 'equal-content'));
  return new Set([...alike, ...compared].map(({ address }) => address));
}

/** Nothing that exists belongs to it so far. */
function isNew({ prior, adopt }: Match): boolean {
  return prior === undefined && adopt === undefined;
}

function mayReturn({ desired, released }: Match): boolean {
  return desired === undefined && released === undefined;
}

const asItIs = (value: Json) => value;
const valuesAlike = (value: Json) => mapSealed(value, ({ text }) => text ?? true);

type Groups = ReadonlyMap<string, readonly Match[]>;

function pairs(came: Groups, went: Groups): readonly (readonly [newer: Match, older: Match])[] {
  return [...came].flatMap(([content, [newer, ...others]]) => {
    const [older, ...more] = went.get(content) ?? [];
    const isOne = newer !== undefined && older !== undefined && others.length === 0 && more.length === 0;
    return isOne ? [[newer, older] as const] : [];
  });
}

function byContent(matches: readonly Match[], content: (value: Json) => Json): Groups {
  return groupBy(matches, (entry) => {
    const kind = kindOfMatch(entry);
    const compared = Object.entries(comparable(kind, (entry.desired ?? entry.prior)?.attributes ?? {}));
    const others = compared.filter(([name]) => !isRemark(pointerTo(name)));
    return canonicalJson([kind, content(Object.fromEntries(others))]);
  });
}

/** Every address that a plan can concern: declared, tracked, or left behind by an earlier apply. */
export function knownAddresses(
  { resources }: { readonly resources: readonly { readonly address: Address }[] },
  state: State | undefined,
): ReadonlySet<Address> {
  const { resources: tracked = {}, orphans = [] } = state ?? {};
  const left = [...openChanges(state), ...orphans.filter(({ replaced }) => replaced)];
  return new Set([...[...resources, ...left].map(({ address }) => address), ...Object.keys(tracked)]);
}

/** The address at which the state holds it. */
export function trackedAs({ address, moved }: Match): Address {
  return moved?.from ?? address;
}

/** The targets and the moves that make room for them: half of a shift would overwrite an id. */
export function targeted(matches: readonly Match[], targets: ReadonlySet<Address> | undefined): readonly Match[] {
  if (targets === undefined) return matches;
  const leaving = new Map(matches.flatMap((entry) => (entry.moved ? [[entry.moved.from, entry] as const] : [])));
  const chosen = new Set<Match>();
  for (const entry of matches) {
    if (!targets.has(entry.address) && !targets.has(entry.moved?.from ?? entry.address)) continue;
    for (let next: Match | undefined = entry; next !== undefined && !chosen.has(next); ) {
      chosen.add(next);
      next = next.moved && leaving.get(next.address);
    }
  }
  return matches.filter((entry) => chosen.has(entry));
}

/** Finds the cell by which a loop leaves out the row of an address; undefined if it does not. */
export function rowsLeftOut(loops: Desired['loops'] = []): (address: Address) => string | undefined {
  const cells = once(
    () =>
      new Map(
        loops.flatMap(({ address, rows }) =>
          [...(rows?.leftOut ?? [])].map(
            ([key, { line, column, text }]) =>
              [
                `${address}.${key}` as Address,
                `${column} is ${JSON.stringify(shortText(text, 60))} in ${rows?.file}:${line}`,
              ] as const,
          ),
        ),
      ),
  );
  return (address) => cells().get(address);
}
