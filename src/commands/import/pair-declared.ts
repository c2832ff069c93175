// Pairs untracked declarations with untracked schedules or routines, which restores a lost state. Two schedules that
// are alone with their dashboard and name are a pair if all facts in the list are equal. Of several, those that may be
// pairs are read in detail, and the planner must find no change between the two. Two routines are a pair if
// they are the same by owner, model, branch, topic, name and times; ambiguous ones are compared whole, because the list
// shows routines whole. Nothing else is guessed.

import { elements } from '../../declare/comparable.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { ownerOf } from '../../model/fields/identity.ts';
import { idKey } from '../../model/fields/ids.ts';
import { plainName } from '../../model/service/recognise-rows.ts';
import type { ListedRoutine, ListedSchedule } from '../../model/service/remote.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { isJsonObject, type Json, type JsonObject, pick } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { revealSecrets } from '../../model/workspace/map-leaves.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { ReadSchedule } from '../../observe/details/join-answers.ts';
import { filterLook, judgeFilters } from '../../observe/filters.ts';
import { observedDetails, observedRow, withFields } from '../../observe/observed.ts';
import { groupsFound, observedGroups, withGroups } from '../../observe/observed-groups.ts';
import { observedRoutine } from '../../observe/routine.ts';
import { diffAttributes } from '../../plan/difference.ts';
import { asIfTracked, withObserved } from '../../plan/drift.ts';
import { ignoreChangesOf } from '../../plan/kept.ts';
import type { FoundRoutine } from './find-routines.ts';

/** A declaration as it is sent, through the sinks of the environment. */
export interface UnmatchedDeclaration {
  readonly address: Address;
  /** Secrets in plain text: they are compared, and never shown. */
  readonly fields: JsonObject;
  /** Fields that contain a variable without a value. */
  readonly unknown: ReadonlySet<string>;
}

export interface Pair<Row = ListedSchedule> {
  readonly declared: UnmatchedDeclaration;
  readonly row: Row;
}

export interface RoutinePair extends Pair<ListedRoutine> {
  readonly owner: FoundRoutine['owner'];
}

export interface Namesakes {
  readonly identifier: string;
  readonly name: string;
  readonly declared: readonly UnmatchedDeclaration[];
  readonly rows: readonly ListedSchedule[];
  /** True if no other declaration and no other schedule has that name there, tracked ones included. */
  readonly isAlone: boolean;
}

/** The details of an ambiguous schedule; undefined where Omni refused them. */
type PairDetails = Omit<ReadSchedule, 'listed'>;

/** Two that may be a pair: no fact that is known about both differs. */
type PossiblePair<Two = Pair> = Two & {
  readonly isSure: boolean;
};

export interface PairedSchedules<Two = Pair> {
  readonly pairs: readonly Two[];
  /** Pairs whose members may be in several of them. */
  readonly ambiguous: readonly Two[];
}

export function unmatched({ address, attributes }: Pick<Resource, 'address' | 'attributes'>): UnmatchedDeclaration {
  const { value, secrets } = revealSecrets(attributes);
  const open = secrets.filter(({ known }) => !known).map(({ pointer }) => pointerSegments(pointer)[0] ?? '');
  return { address, fields: value, unknown: new Set(open) };
}

/** The candidates for a pair, and those that are tracked as well. */
interface Named {
  readonly declared: readonly UnmatchedDeclaration[];
  readonly rows: readonly ListedSchedule[];
}

/** Only groups with both a declaration and a schedule. */
export function namesakesOf({ declared, rows }: Named, all: Named): readonly Namesakes[] {
  const keyOfRow = ({ identifier, name }: ListedSchedule) => nameKey(identifier, name);
  const keyOf = ({ fields }: UnmatchedDeclaration) => nameKey(fields['identifier'], fields['name']);
  const [allRows, allDeclared] = [groupBy(all.rows, keyOfRow), groupBy(all.declared, keyOf)];
  const listed = groupBy(rows, keyOfRow);
  const wanted = groupBy(declared, keyOf);
  return [...wanted].flatMap(([key, same]) => {
    const [first, ...others] = listed.get(key) ?? [];
    if (first === undefined) return [];
    const isAlone = allDeclared.get(key)?.length === 1 && allRows.get(key)?.length === 1;
    return [{ identifier: first.identifier, name: first.name, declared: same, rows: [first, ...others], isAlone }];
  });
}

function nameKey(identifier: Json | undefined, name: Json | undefined): string {
  return JSON.stringify([identifier, plainName(String(name))]);
}

/**
 * Compares by the list alone, which is enough where one declaration and one schedule share a name: of several, somebody may have
 * changed the times of one to those of another. `isFree` says whether a schedule may be taken over.
 */
export function pairByRows(groups: readonly Namesakes[], isFree: (row: ListedSchedule) => boolean): PairedSchedules {
  const found = groups.map(({ declared, rows, isAlone }) => {
    const free = rows.filter(isFree);
    const candidates = declared.flatMap((each) => free.flatMap((row) => candidateByRow({ declared: each, row }) ?? []));
    if (isAlone) return onlyOnes(candidates);
    return { pairs: [], ambiguous: candidates };
  });
  return { pairs: found.flatMap(({ pairs }) => pairs), ambiguous: found.flatMap(({ ambiguous }) => ambiguous) };
}

/** Compares by the details that were read. */
export function pairByDetails(
  ambiguous: readonly Pair[],
  detailsOf: (row: ListedSchedule) => PairDetails | undefined,
): readonly Pair[] {
  return onlyOnes(ambiguous.flatMap((pair) => candidateByDetails(pair, detailsOf(pair.row)) ?? [])).pairs;
}

/** `found` are routines whose owner is known, and with a personal token those of its member. */
export function pairRoutines(
  declared: readonly UnmatchedDeclaration[],
  found: readonly FoundRoutine[],
): readonly RoutinePair[] {
  const { pairs, ambiguous } = onlyOnes(
    declared.flatMap((each) =>
      found.filter((one) => isSameRoutine(each, one)).map((one) => ({ declared: each, ...one, isSure: true })),
    ),
  );
  const whole = ambiguous.flatMap((pair) => {
    const { fields, attributes } = observedRoutine(pair.row, pair.declared.fields, noSecret);
    const isSure = pair.declared.unknown.size === 0;
    return differ('routine', pair.declared, attributes, [...fields]) ? [] : [{ ...pair, isSure }];
  });
  return [...pairs, ...onlyOnes(whole).pairs];
}

const sameInRoutines = ['modelId', 'branchId', 'topicName', 'name', 'schedule', 'timezone'];

function isSameRoutine(declared: UnmatchedDeclaration, { row, owner }: FoundRoutine): boolean {
  const { attributes } = observedRoutine(row, declared.fields, noSecret);
  const { destination } = declared.fields;
  return (
    isOwnedBy(declared, owner) &&
    isJsonObject(destination) &&
    destination['type'] === row.destination?.type &&
    !sameInRoutines.some((name) => declared.unknown.has(name)) &&
    !differ('routine', declared, attributes, sameInRoutines)
  );
}

/** A declaration without an owner belongs to the token's member. */
export function isOwnedBy({ fields }: UnmatchedDeclaration, owner: FoundRoutine['owner']): boolean {
  const named = ownerOf(fields);
  return named === undefined || owner === undefined
    ? named === owner
    : [owner.email, owner.id].some((one) => idKey(one) === idKey(named));
}

function onlyOnes<Two extends Pair<{ readonly id: string }>>(
  candidates: readonly PossiblePair<Two>[],
): PairedSchedules<Two> {
  const ofDeclared = groupBy(candidates, ({ declared }) => declared.address);
  const ofRow = groupBy(candidates, ({ row }) => row.id);
  const isOnly = ({ declared, row }: Two) =>
    ofDeclared.get(declared.address)?.length === 1 && ofRow.get(row.id)?.length === 1;
  const isPair = (each: PossiblePair<Two>) => each.isSure && isOnly(each);
  return { pairs: candidates.filter(isPair), ambiguous: candidates.filter((each) => !isPair(each)) };
}

const comparedInRows = Object.entries(fieldsOf.schedule).flatMap(([name, { read, required, destinations }]) =>
  read === 'list' && required && destinations === undefined ? name : [],
);
const noSecret: ReadonlySet<string> = new Set();

/** Undefined if a field differs. */
function candidateByRow({ declared, row }: Pair): PossiblePair | undefined {
  const { fields, attributes } = observedRow(row, { attributes: declared.fields }, noSecret);
  const known = comparedInRows.filter((name) => fields.has(name));
  if (differ('schedule', declared, attributes, known)) return undefined;
  const isSure = known.length === comparedInRows.length && !comparedInRows.some((name) => declared.unknown.has(name));
  if (declared.fields['destinationType'] !== 'email') return { declared, row, isSure };
  const count = recipientCountOf(declared);
  const isCounted = count !== undefined && row.recipientCount !== undefined;
  if (isCounted && count !== row.recipientCount) return undefined;
  return { declared, row, isSure: isSure && isCounted };
}

/** Undefined if unknown: a variable without a value may hold several, and the list may count members of groups. */
export function recipientCountOf({
  fields: { recipients, userGroups },
  unknown,
}: UnmatchedDeclaration): number | undefined {
  return recipients === undefined || userGroups !== undefined || unknown.has('recipients')
    ? undefined
    : elements(recipients).length;
}

/** Undefined if the planner finds a change. What it cannot compare may be one, so the two are no sure pair. */
function candidateByDetails(pair: Pair, details: PairDetails | undefined): PossiblePair | undefined {
  const { declared, row } = pair;
  const { address, unknown } = declared;
  // A schedule that Omni refuses may still be the right one, so no other one is.
  if (details === undefined) return { ...pair, isSure: false };
  const { schedule, recipients, filters = 'refused' } = details;
  const attributes = Object.fromEntries(Object.entries(declared.fields).filter(([name]) => !unknown.has(name)));
  const prior = asIfTracked(row.id, attributes);
  const { resource, secrets } = observedDetails({ schedule, recipients, row, attributes, secret: noSecret });
  const foundGroups = groupsFound(recipients, []);
  const of = { address, resource: prior, foundGroups, recipients, access: undefined, isAdopted: true };
  const groups = observedGroups(of);
  const look = filterLook(schedule, prior, []);
  const [ofFilters] = look === undefined ? [] : judgeFilters([look], filters, filters).filtersSeen;
  const seen = withFields(withGroups(withFields(resource, secrets), groups, attributes), {
    ...(ofFilters === undefined ? {} : { filterConfig: ofFilters.filterConfig }),
  });
  const compared = new Set([...seen.fields].filter((name) => !unknown.has(name)));
  const told = Object.fromEntries(Object.entries(seen.attributes).filter(([name]) => compared.has(name)));
  const { drift } = withObserved({ address, prior }, { ...seen, fields: compared, attributes: told });
  const ignored = ignoreChangesOf(attributes);
  if (drift?.diff.some(({ path }) => !ignored.includes(pointerSegments(path)[0] ?? ''))) return undefined;
  const isNotCompared = (name: string) => unknown.has(name) || (attributes[name] !== undefined && !compared.has(name));
  const isSure = ![...seen.fields, ...decisive].some(isNotCompared) && ofFilters?.isIncomplete !== true;
  return { ...pair, isSure };
}

/** Nobody gets the report of another one: where it goes and which rows it shows are compared, or the two are no sure pair. */
const decisive = Object.entries(fieldsOf.schedule).flatMap(([name, { decides, read }]) =>
  (decides === 'who' || decides === 'rows') && read === 'details' ? name : [],
);

function differ(
  kind: Kind,
  { fields, unknown }: UnmatchedDeclaration,
  found: JsonObject,
  names: readonly string[],
): boolean {
  const compared = names.filter((name) => !unknown.has(name));
  return diffAttributes(kind, pick(fields, compared), pick(found, compared)).length > 0;
}
