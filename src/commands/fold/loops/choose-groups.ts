// Which declarations of a file become one. Those that have the same fields can; the fields that may differ are chosen so that the
// fewest lines are left. No two members are compared with each other: for each choice of such fields, members are in one
// group if the sum of the numbers of their other values is the same, which is checked afterwards by the values.

import { groupBy } from '../../../model/values/group-by.ts';
import { canonicalJson } from '../../../model/values/json.ts';
import { differingFields } from './differing-fields.ts';
import { makeTemplate } from './make-template.ts';
import type { Member } from './read-members.ts';

export const fewestMembers = 3;
/** Besides the name. */
export const mostDiffering = 4;

/** Their values decide what the others mean, or cannot be a reference. */
const alwaysEqual = ['format', 'destinationType', 'in', 'lifecycle', 'accept', 'extra'];

/** Each in the order of the members, and the groups in the order of their first ones. */
export function chooseGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const alike = [...groupBy(members, signatureOf).values()];
  const groups = alike.flatMap((each) => groupsAmong(each));
  const places = new Map(members.map((member, index) => [member, index]));
  const placeOf = ([first]: readonly Member[]) => (first === undefined ? 0 : (places.get(first) ?? 0));
  return groups.sort((a, b) => placeOf(a) - placeOf(b));
}

function signatureOf({ kind, file, fields }: Member): string {
  const equal = alwaysEqual.map((name) => (Object.hasOwn(fields, name) ? canonicalJson(fields[name] ?? null) : ''));
  return [file, kind, Object.keys(fields).sort().join(), ...equal].join('\n');
}

function groupsAmong(alike: readonly Member[]): readonly (readonly Member[])[] {
  const groups: (readonly Member[])[] = [];
  let left = alike;
  while (left.length >= fewestMembers) {
    const found = bestGroups(left);
    if (found.length === 0) break;
    groups.push(...found);
    const taken = new Set(found.flat());
    left = left.filter((member) => !taken.has(member));
  }
  return groups;
}

/** The groups that the best choice of fields makes. */
function bestGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const table = numberValues(members);
  const count = Object.keys(members[0]?.fields ?? {}).length;
  const choices = choicesOf(table).flatMap((choice) => {
    const groups = groupsOf(choice, table).filter(({ length }) => length >= fewestMembers);
    const saved = groups.reduce((sum, { length }) => sum + savedBy(length, count, choice.length), 0);
    return groups.length === 0 ? [] : [{ saved, groups }];
  });
  choices.sort((a, b) => b.saved - a.saved);
  for (const { groups } of choices.slice(0, mostTried)) {
    const found = groups.map((rows) => rows.flatMap((row) => members[row] ?? [])).filter(isOneDeclaration);
    if (found.length > 0) return found;
  }
  return [];
}

/** Choices after these save next to nothing. */
const mostTried = 40;

/** In lines: an item takes one, and is harder to read with each value. */
function savedBy(members: number, fields: number, differing: number): number {
  return members * fields - fields - members * (1 + differing / 4);
}

/** By the numbers of the members. */
function groupsOf(choice: readonly number[], { sums, columns }: Table): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  for (const [row, whole] of sums.entries()) {
    const sum = choice.reduce((rest, column) => rest - (columns[column]?.[row] ?? 0), whole);
    const known = groups.get(sum);
    if (known === undefined) groups.set(sum, [row]);
    else known.push(row);
  }
  return [...groups.values()];
}

/** What has another name, on another dashboard, at another time is another report. */
const anotherReport = ['name', 'identifier', 'schedule'];

/** Where most of it differs, it is a table of unlike things. The same value in several fields counts once. */
function isOneDeclaration(members: readonly Member[]): boolean {
  const differing = differingFields(members);
  if (anotherReport.every((field) => differing.includes(field))) return false;
  if (differing.filter((field) => field !== 'name').length > mostDiffering) return false;
  const most = Object.keys(members[0]?.fields ?? {}).length / 2;
  return differing.length <= most || makeTemplate(members).values.size <= most;
}

interface Table {
  /** The fields that differ. */
  readonly names: readonly string[];
  /** Of each of them the numbers of its values, by member. */
  readonly columns: readonly (readonly number[])[];
  /** By member. */
  readonly sums: readonly number[];
}

/** Sums of a hundred such numbers are exact. */
const modulus = 2 ** 46;

function numberValues(members: readonly Member[]): Table {
  const names = differingFields(members);
  const numbers = new Map<string, number>();
  const columns = names.map((name) =>
    members.map(({ fields }) => {
      const key = `${name} ${canonicalJson(fields[name] ?? null)}`;
      const number = numbers.get(key) ?? scattered(numbers.size + 1);
      numbers.set(key, number);
      return number;
    }),
  );
  return { names, columns, sums: members.map((_, row) => columns.reduce((sum, each) => sum + (each[row] ?? 0), 0)) };
}

/** The same for the same count, and far from its neighbours, so that different sets have different sums. */
function scattered(count: number): number {
  const high = Math.imul(count, 0x9e3779b1) >>> 0;
  const low = Math.imul(high ^ (high >>> 15), 0x85ebca6b) >>> 0;
  return ((high >>> 9) * 2 ** 23 + (low >>> 9)) % modulus;
}

/** With more fields than these the choices are too many: those with the fewest values have to be equal then. */
const mostChosenFrom = 9;

/** As indexes of columns: up to four of them, with the name and without it; the fewest first. */
function choicesOf({ names, columns }: Table): readonly (readonly number[])[] {
  const kinds = columns.map((column) => new Set(column).size);
  const ranked = names
    .map((_, column) => column)
    .filter((column) => names[column] !== 'name')
    .sort((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0) || a - b)
    .slice(0, mostChosenFrom);
  let choices: (readonly number[])[] = [[]];
  for (const column of ranked)
    choices = [...choices, ...choices.filter(({ length }) => length < mostDiffering).map((each) => [...each, column])];
  const name = names.indexOf('name');
  const all = name < 0 ? choices : [...choices, ...choices.map((each) => [...each, name])];
  return all.sort((a, b) => a.length - b.length);
}
