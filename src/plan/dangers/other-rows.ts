// What schedules show: another dashboard or tile, a filter that is taken off, opened or changed, and a new schedule without
// the filter that all others of its dashboard have. And alerts, which fire by other rules than before. Compared is what a
// schedule was applied with, or what a look at Omni found.

import { conditionOf, differingKeys, hasValues } from '../../model/fields/conditions.ts';
import type { Delivery, Limit } from '../../model/fields/delivery.ts';
import { conditionFields, openingKeys, valueKeys } from '../../model/fields/filter-keys.ts';
import { addressWords, type DangerItem, type Gravity } from '../../model/plan/danger.ts';
import { type Address, type Kind, kinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, canonicalJson, type Json, type JsonObject } from '../../model/values/json.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import { plannedAs } from '../kinds.ts';
import type { Step } from '../plan.ts';
import { unlikeOthers } from './unlike-others.ts';
import type { DangerRule, World } from './world.ts';

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

export const otherRows: DangerRule = (steps, world) => {
  const { isOutside, internalDomains } = world;
  const isNamed = internalDomains.length > 0;
  const gravityOf = ({ isLess }: Shift, { kind, after }: Changed): Gravity | undefined => {
    if (isLess && isOutside(after)) return 'grave';
    if (isLess) return plannedAs[kind].rowsOutsideAlone ? undefined : 'caution';
    return isNamed && isOutside(after) ? 'caution' : undefined;
  };
  const known = changedReports(steps, world).flatMap((changed) =>
    rowShifts(changed).map((shift) => ({
      address: changed.address,
      gravity: gravityOf(shift, changed),
      ...wordsOf(shift),
    })),
  );
  const findings: readonly RowFinding[] = [...known, ...unlikeOthers(steps, world)];
  return (['grave', 'caution'] as const).map((gravity) => {
    const found = findings.filter((finding) => finding.gravity === gravity);
    const show =
      gravity === 'grave' && isNamed
        ? countReports(found, 'report that goes outside shows', 'reports that go outside show')
        : countReports(found, 'report shows', 'reports show');
    return { code: 'other-rows', gravity, title: `${show} other rows`, items: itemsOf(found) };
  });
};

export const otherAlerts: DangerRule = (steps, world) => {
  const findings = changedReports(steps, world).flatMap(({ address, before, after }) =>
    fieldShifts(before.alert, after.alert).map((shift) => ({
      address,
      gravity: 'caution' as const,
      ...wordsOf(shift),
    })),
  );
  const title = `${countReports(findings, 'alert works', 'alerts work')} otherwise`;
  return [{ code: 'alert-off', title, items: itemsOf(findings) }];
};

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
  readonly before: Delivery;
  readonly after: Delivery;
}

/** What is delivered again and again, before and after. Each run of an AI job is a new one. */
function changedReports(steps: readonly Step[], world: World): readonly Changed[] {
  return steps.flatMap((step) => {
    const { address, kind } = step.change;
    if (kinds[kind].life !== 'recurring') return [];
    const [before, { after }] = [shownBefore(step, world), step.delivered()];
    return before === undefined || after === undefined ? [] : [{ address, kind, before, after }];
  });
}

/** What is gone from Omni is made again: before is what was applied. */
export function shownBefore(
  { change: { address, previousAddress, reason }, delivered }: Step,
  { appliedAt }: World,
): Delivery | undefined {
  return delivered().before ?? (reason === 'missing' ? appliedAt(previousAddress ?? address) : undefined);
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

function rowShifts({ before, after }: Changed): readonly Shift[] {
  const ids = [...new Set([...before.rows.keys(), ...after.rows.keys()])];
  return [
    ...fieldShifts(before.shows, after.shows),
    ...ids.flatMap((id) => filterShifts(id, before.rows.get(id), after.rows.get(id))),
  ];
}

function fieldShifts(before: Delivery['shows'], after: Delivery['shows']): readonly Shift[] {
  const fields = [...new Set([...before.keys(), ...after.keys()])];
  return fields.flatMap((field) => {
    const [was, is] = [before.get(field), after.get(field)];
    return was === is ? [] : [shiftOf(field, was, is, true)];
  });
}

function shiftOf(label: string, before: Json | undefined, after: Json | undefined, isLess: boolean): Shift {
  const what = before === undefined ? 'is added' : after === undefined ? 'is removed' : 'changes';
  return { label, what, before, after, isLess };
}

function filterShifts(id: string, before: Limit | undefined, after: Limit | undefined): readonly Shift[] {
  if (before === undefined || after === undefined)
    return [shiftOf(id, writtenValue(before?.written), writtenValue(after?.written), after === undefined)];
  const keys = differingKeys(before.written, after.written);
  const [was, is] = [before.condition, after.condition];
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
