// Which declarations of a file become one. Those that have the same fields can, but for what an item may leave out; the
// fields that may differ are chosen so that the fewest lines are left. No two members are compared with each other: for each
// choice of such fields, members are in one group if the numbers of their other values are the same.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { Kind } from '../../model/values/address.ts';
import { groupBy, pushAll } from '../../model/values/collections.ts';
import { canonicalJson } from '../../model/values/json.ts';
import { outliersIn } from './find-outliers.ts';
import { differingFields, makeTemplate } from './make-template.ts';
import type { Member } from './read-members.ts';

export const fewestMembers = 3;
/** In addition to the name, and to what only some have. */
const maxDiffering = 4;

/** What declarations of a loop have in common, and what makes two of them different things. */
interface FoldTraits {
  /** Fields that decide what the others mean: the declarations of one loop have the same. */
  readonly alwaysEqual: readonly string[];
  /** Declarations that differ in all of these are unlike things; none where nothing says so. */
  readonly identifying: readonly string[];
}

const foldTraits: Readonly<Record<Kind, FoldTraits>> = {
  dashboard: { alwaysEqual: [], identifying: [] },
  // What has another name, on another dashboard, at another time is another report.
  schedule: { alwaysEqual: ['format', 'destinationType'], identifying: ['name', 'identifier', 'schedule'] },
  routine: { alwaysEqual: [], identifying: ['name', 'modelId', 'schedule'] },
  aiJob: { alwaysEqual: [], identifying: [] },
};

/** Their values cannot be a reference; a kind adds those that decide what the others mean. */
const alwaysEqual = ['in', 'lifecycle', 'accept', 'extra'];

/** Whether all declarations of a loop have the same value, or none, in a field. */
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

/** Whether an item may leave a field out. */
export function mayLack(kind: Kind, field: string): boolean {
  return fieldsOf[kind][field]?.mayLack === true;
}

/** The fields that only some have, because an item may leave them out: a report that is paused is the same report. */
function lackingFields(members: readonly Member[]): readonly string[] {
  return differingFields(members).filter((field) =>
    members.some(({ kind, fields }) => mayLack(kind, field) && !Object.hasOwn(fields, field)),
  );
}

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

/** The groups that the best choice of fields makes. */
function bestGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const table = numberValues(members);
  const count = new Set(members.flatMap(({ fields }) => Object.keys(fields))).size;
  const choices = choicesOf(table).flatMap((choice) => {
    const groups = groupsOf(choice, table).filter(({ length }) => length >= fewestMembers);
    const saved = groups.reduce((sum, { length }) => sum + savedBy(length, count, choice.length), 0);
    return groups.length === 0 ? [] : [{ saved, groups }];
  });
  choices.sort((a, b) => b.saved - a.saved);
  for (const { groups } of choices.slice(0, maxTried)) {
    const found = groups.map((rows) => rows.flatMap((row) => members[row] ?? [])).filter(isOneDeclaration);
    if (found.length > 0) return found;
  }
  return [];
}

/** Choices after these save next to nothing. */
const maxTried = 40;

/** In lines: an item takes one, and is harder to read with each value. */
function savedBy(members: number, fields: number, differing: number): number {
  return members * fields - fields - members * (1 + differing / 4);
}

/** By the numbers of the members. */
function groupsOf(choice: readonly number[], { columns, rows }: Table): readonly (readonly number[])[] {
  const equal = columns.filter((_, column) => !choice.includes(column));
  return [...groupBy(rows, (row) => equal.map((numbers) => numbers[row]).join()).values()];
}

/**
 * Where most of it differs, it is a table of unlike things. The same value in several fields counts once, and a few that are
 * odd do not count.
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

interface Table {
  /** The fields that differ. */
  readonly names: readonly string[];
  /** Of each of them the numbers of its values, by member. */
  readonly columns: readonly (readonly number[])[];
  /** Those that only some have, as indexes of columns. */
  readonly lacking: readonly number[];
  /** The numbers of the members. */
  readonly rows: readonly number[];
}

function numberValues(members: readonly Member[]): Table {
  const names = differingFields(members);
  const columns = names.map((name) => {
    const numbers = new Map<string, number>();
    return members.map(({ fields }) => {
      const value = canonicalJson(fields[name] ?? null);
      const number = numbers.get(value) ?? numbers.size;
      numbers.set(value, number);
      return number;
    });
  });
  const lacking = lackingFields(members).map((name) => names.indexOf(name));
  return { names, columns, lacking, rows: [...members.keys()] };
}

/** With more fields than these the choices are too many: those with the fewest values have to be equal then. */
const maxChosenFrom = 9;

/** As indexes of columns: up to four of them, with the name and without it, always with what only some have; the fewest first. */
function choicesOf({ names, columns, lacking }: Table): readonly (readonly number[])[] {
  const kinds = columns.map((column) => new Set(column).size);
  const ranked = names
    .map((_, column) => column)
    .filter((column) => names[column] !== 'name' && !lacking.includes(column))
    .sort((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0) || a - b)
    .slice(0, maxChosenFrom);
  let choices: (readonly number[])[] = [lacking];
  for (const column of ranked) {
    const open = choices.filter(({ length }) => length < maxDiffering + lacking.length);
    choices = [...choices, ...open.map((each) => [...each, column])];
  }
  const name = names.indexOf('name');
  const all = name < 0 ? choices : [...choices, ...choices.map((each) => [...each, name])];
  return all.sort((a, b) => a.length - b.length);
}
