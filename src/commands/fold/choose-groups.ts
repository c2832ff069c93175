// Groups the declarations of a file that can become one. They have the same fields, except for those that an item may
// leave out: all of them, or those that are equal in one field, whichever leaves the fewest lines.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { Kind } from '../../model/values/address.ts';
import { groupBy, pushAll } from '../../model/values/collections.ts';
import { canonicalJson } from '../../model/values/json.ts';
import { outliersIn } from './find-outliers.ts';
import { differingFields, makeTemplate } from './make-template.ts';
import type { Member } from './read-members.ts';

export const fewestMembers = 3;
/** In addition to the name, and to fields that only some have. */
const maxDiffering = 4;

/** The fields that declarations of a loop share, and those that tell unlike things apart. */
interface FoldTraits {
  /** Fields that decide what the others mean: the declarations of one loop have the same. */
  readonly alwaysEqual: readonly string[];
  /** Declarations that differ in all of these are unlike things; empty if no field decides that. */
  readonly identifying: readonly string[];
}

const foldTraits: Readonly<Record<Kind, FoldTraits>> = {
  dashboard: { alwaysEqual: [], identifying: [] },
  // A schedule with another name, dashboard and time is another report.
  schedule: { alwaysEqual: ['format', 'destinationType'], identifying: ['name', 'identifier', 'schedule'] },
  routine: { alwaysEqual: [], identifying: ['name', 'modelId', 'schedule'] },
  aiJob: { alwaysEqual: [], identifying: [] },
};

/** These values cannot be references; each kind adds the fields that decide what the others mean. */
const alwaysEqual = ['in', 'lifecycle', 'accept', 'extra'];

/** True if all declarations of a loop have the same value, or none, in a field. */
export function isEqualInLoop(kind: Kind, field: string): boolean {
  return alwaysEqual.includes(field) || foldTraits[kind].alwaysEqual.includes(field);
}

/** Each in the order of the members, and the groups in the order of their first ones. */
export function chooseGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const alike = [...groupBy(members, signatureOf).values()];
  const groups = alike.flatMap((each) => groupsAmong(each));
  const places = new Map(members.map((member, index) => [member, index]));
  const placeOf = ([first]: readonly Member[]) => (first === undefined ? 0 : (places.get(first) ?? 0));
  return groups.sort((a, b) => placeOf(a) - placeOf(b));
}

function signatureOf({ kind, file, fields }: Member): string {
  const equal = [...foldTraits[kind].alwaysEqual, ...alwaysEqual].map((name) =>
    Object.hasOwn(fields, name) ? canonicalJson(fields[name] ?? null) : '',
  );
  const names = Object.keys(fields).filter((name) => !mayLack(kind, name));
  return [file, kind, names.sort().join(), ...equal].join('\n');
}

export function mayLack(kind: Kind, field: string): boolean {
  return fieldsOf[kind][field]?.mayLack === true;
}

/** The fields that only some have, because an item may leave them out: a report that is paused is the same report. */
function lackingFields(members: readonly Member[]): readonly string[] {
  return differingFields(members).filter((field) =>
    members.some(({ kind, fields }) => mayLack(kind, field) && !Object.hasOwn(fields, field)),
  );
}

/** Groups by one field's value, or all members: whichever leaves the fewest lines, and then groups the rest. */
function groupsAmong(similar: readonly Member[]): readonly (readonly Member[])[] {
  const groups: (readonly Member[])[] = [];
  let remaining = similar;
  while (remaining.length >= fewestMembers) {
    const found = bestGroups(remaining);
    if (found.length === 0) break;
    pushAll(groups, found);
    const taken = new Set(found.flat());
    remaining = remaining.filter((member) => !taken.has(member));
  }
  return groups;
}

function bestGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const choices = ['', ...differingFields(members)].map((shared) => {
    const groups = [...groupBy(members, ({ fields }) => canonicalJson(fields[shared] ?? null)).values()];
    return groups.filter((group) => group.length >= fewestMembers && isOneDeclaration(group));
  });
  const savedBy = (groups: readonly (readonly Member[])[]) => groups.reduce((sum, group) => sum + linesSaved(group), 0);
  return choices.reduce((best, groups) => (savedBy(groups) > savedBy(best) ? groups : best), []);
}

/** An item takes one line, and is harder to read with each value. */
function linesSaved(group: readonly Member[]): number {
  const fields = new Set(group.flatMap((member) => Object.keys(member.fields))).size;
  return (group.length - 1) * fields - group.length * (1 + differingFields(group).length / 4);
}

/**
 * If most of it differs, it is a table of unlike things. The same value in several fields counts once, and a few
 * outliers do not count.
 */
function isOneDeclaration(group: readonly Member[]): boolean {
  const odd = outliersIn(group, 'declaration');
  const members = group.filter((member) => !odd.has(member));
  const lacking = lackingFields(members);
  const own = members.map((member) => {
    const fields = Object.entries(member.fields).filter(([field]) => !lacking.includes(field));
    return { ...member, fields: Object.fromEntries(fields) };
  });
  const differing = differingFields(own);
  if (areUnlike(own, differing)) return false;
  if (differing.filter((field) => field !== 'name').length > maxDiffering) return false;
  const most = new Set(own.flatMap(({ fields }) => Object.keys(fields))).size / 2;
  return differing.length <= most || makeTemplate(own).values.size <= most;
}

function areUnlike([first]: readonly Member[], differing: readonly string[]): boolean {
  const { identifying } = first === undefined ? { identifying: [] } : foldTraits[first.kind];
  return identifying.length > 0 && identifying.every((field) => differing.includes(field));
}
