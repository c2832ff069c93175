// What schedules show: another dashboard or tile, a filter that is taken off, opened or changed, and a new schedule without
// the filter that all others of its dashboard have. And alerts, which fire by other rules than before. Compared is what a
// schedule was applied with, or what a look at Omni found.

import { conditionOf, differingKeys, hasValues } from '../../model/fields/conditions.ts';
import { conditionFields, openingKeys, valueKeys } from '../../model/fields/filter-keys.ts';
import { addressWords, type DangerItem, type FoundDanger, type Gravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, canonicalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import { plannedAs } from '../kinds.ts';
import { leavesCompanyTest } from './destinations.ts';
import type { GroupsByName } from './group-words.ts';
import type { TrackedAttributes } from './receivers.ts';
import { unlikeOthers } from './unlike-others.ts';

/** Something about the rows of one schedule. */
export interface RowFinding {
  readonly address: Address;
  /** `customer is removed`. */
  readonly subject: string;
  /** Said behind the addresses, as far as it is the same for all of a subject. */
  readonly said: readonly string[];
  /** Undefined for what is no danger. */
  readonly gravity: Gravity | undefined;
}

export function otherRows(
  changes: readonly Change[],
  tracked: () => TrackedAttributes,
  internalDomains: readonly string[],
  groups: GroupsByName,
): readonly FoundDanger[] {
  const isOutside = leavesCompanyTest(internalDomains, groups);
  const isNamed = internalDomains.length > 0;
  const gravityOf = ({ isLess }: Shift, { kind, after }: Changed): Gravity | undefined => {
    if (isLess && isOutside(kind, after)) return 'grave';
    if (isLess) return plannedAs[kind].rowsOutsideAlone ? undefined : 'caution';
    return isNamed && isOutside(kind, after) ? 'caution' : undefined;
  };
  const known = changedSchedules(changes, tracked).flatMap((changed) =>
    rowShifts(changed).map((shift) => ({
      address: changed.address,
      gravity: gravityOf(shift, changed),
      ...wordsOf(shift),
    })),
  );
  const findings: readonly RowFinding[] = [...known, ...unlikeOthers(changes, tracked, isOutside)];
  return (['grave', 'caution'] as const).map((gravity) => {
    const found = findings.filter((finding) => finding.gravity === gravity);
    const show =
      gravity === 'grave' && isNamed
        ? countReports(found, 'report that goes outside shows', 'reports that go outside show')
        : countReports(found, 'report shows', 'reports show');
    return { code: 'other-rows', gravity, title: `${show} other rows`, items: itemsOf(found) };
  });
}

export function otherAlerts(changes: readonly Change[], tracked: () => TrackedAttributes): FoundDanger {
  const findings = changedSchedules(changes, tracked).flatMap(({ address, kind, before, after }) =>
    plannedAs[kind].alert
      .flatMap((field) => fieldShifts(field, before, after))
      .map((shift) => ({ address, gravity: 'caution' as const, ...wordsOf(shift) })),
  );
  return {
    code: 'alert-off',
    title: `${countReports(findings, 'alert works', 'alerts work')} otherwise`,
    items: itemsOf(findings),
  };
}

function countReports(findings: readonly RowFinding[], one: string, several: string): string {
  return countOf(new Set(findings.map(({ address }) => address)).size, one, several);
}

function itemsOf(findings: readonly RowFinding[]): readonly DangerItem[] {
  const bySubject = [...groupBy(findings, ({ subject }) => subject)].sort(([a], [b]) => byCodeUnit(a, b));
  return bySubject.map(([subject, all]) => {
    const said = all[0]?.said.filter((words) => all.every((each) => each.said.includes(words))) ?? [];
    return { subject, detail: [addressWords(all.map(({ address }) => address)), ...said].join(', ') };
  });
}

interface Changed {
  readonly address: Address;
  readonly kind: Kind;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** The schedules that are there before and after. One that is gone from Omni is made again: before is what was applied. */
function changedSchedules(changes: readonly Change[], tracked: () => TrackedAttributes): readonly Changed[] {
  return changes.flatMap((change) => {
    const { address, kind, after } = change;
    if (plannedAs[kind].rows.length === 0) return [];
    const before = beforeOf(change, tracked);
    return before === undefined || after === null ? [] : [{ address, kind, before, after }];
  });
}

export function beforeOf(
  { address, previousAddress, before, reason }: Change,
  tracked: () => TrackedAttributes,
): JsonObject | undefined {
  return before ?? (reason === 'missing' ? tracked().get(previousAddress ?? address) : undefined);
}

/** A field, a filter or a key of one that is not what it was. */
interface Shift {
  readonly label: string;
  readonly what: 'is added' | 'is removed' | 'is emptied' | 'changes';
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** Nothing limits the rows as it did. */
  readonly isLess: boolean;
}

function wordsOf({ label, what, before, after }: Shift): Pick<RowFinding, 'subject' | 'said'> {
  return { subject: `${label} ${what}`, said: [...valueWords('was', before), ...valueWords('now', after)] };
}

/** A longer value is only in the differences. */
const longestValue = 100;

function valueWords(word: string, value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : jsonOf(value);
  return text.length > longestValue ? [] : [`${word} ${inBackticks(text)}`];
}

/** A list as reports write one. */
function jsonOf(value: Json): string {
  return Array.isArray(value) ? `[${value.map(jsonOf).join(', ')}]` : canonicalJson(value);
}

function rowShifts({ kind, before, after }: Changed): readonly Shift[] {
  const [was, is] = [filtersOf(before), filtersOf(after)];
  return [
    ...plannedAs[kind].rows.flatMap((field) => fieldShifts(field, before, after)),
    ...[...new Set([...was.keys(), ...is.keys()])].flatMap((id) => filterShifts(id, was.get(id), is.get(id))),
  ];
}

function fieldShifts(field: string, before: JsonObject, after: JsonObject): readonly Shift[] {
  const [was, is] = [before[field], after[field]];
  return was === is ? [] : [shiftOf(field, was, is, true)];
}

function shiftOf(label: string, before: Json | undefined, after: Json | undefined, isLess: boolean): Shift {
  const what = before === undefined ? 'is added' : after === undefined ? 'is removed' : 'changes';
  return { label, what, before, after, isLess };
}

function filterShifts(id: string, before: Json | undefined, after: Json | undefined): readonly Shift[] {
  if (before === undefined || after === undefined)
    return [shiftOf(id, writtenValue(before), writtenValue(after), after === undefined)];
  const keys = differingKeys(before, after);
  const [was, is] = [conditionOf(before), conditionOf(after)];
  const opening = keys.filter((key) => openingKeys.includes(key));
  if (opening.length > 0) return opening.map((key) => shiftOf(`${id}.${key}`, was[key], is[key], true));
  const limiting = keys.filter((key) => Object.hasOwn(conditionFields, key));
  if (comparesWithValue(was) && !comparesWithValue(is))
    return [{ label: id, what: 'is emptied', before: writtenValue(partOf(was, limiting)), isLess: true }];
  return keys.length === 0 ? [] : [shiftOf(id, writtenValue(partOf(was, keys)), writtenValue(partOf(is, keys)), false)];
}

function comparesWithValue(condition: JsonObject): boolean {
  return valueKeys.some((key) => hasValues(condition[key]));
}

/** As people write it: of a filter that has nothing but values, these. */
function writtenValue(filter: Json | undefined): Json | undefined {
  if (filter === undefined) return undefined;
  const { values, ...rest } = conditionOf(filter);
  return values === undefined || Object.keys(rest).length > 0 ? filter : values;
}

function partOf(condition: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(condition).filter(([key]) => keys.includes(key)));
}

export function filtersOf({ filterConfig }: JsonObject): ReadonlyMap<string, Json> {
  return new Map(isJsonObject(filterConfig) ? Object.entries(filterConfig) : []);
}
