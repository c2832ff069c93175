// Judges a tile by its files: one as delivered, and those with values that nobody has. Pure.

import { folded } from '../../declare/findings/near-text.ts';
import type { RemoteQuery } from '../../model/service/documents.ts';
import { largest, pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { isDay, isTotalWord } from './cell-words.ts';
import type { Comparison, Verdict } from './prove-document.ts';
import { fieldNamer, isTelling, letters, type Reading, type Sheet, valuesIn } from './read-sheet.ts';

export interface TileJudgement {
  readonly verdict: Verdict;
  /** The reason why it could not be judged. */
  readonly message?: string | undefined;
  /** The service's own words about it, which only a terminal may show. */
  readonly itsWords?: string | undefined;
  /** The values with which its own were compared; undefined if it has no file. */
  readonly compared: Comparison | undefined;
  /** Values that are not for its receivers, wherever no other field explains them. */
  readonly valuesOfOthers: ReadonlySet<string>;
  /** Values of the table that are not for its receivers, by the head of another field's column. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  readonly spelledOtherwise: ReadonlySet<string>;
  readonly blanks: number;
  readonly totals: number;
  /** The rows of its file, and of the largest one with a value that nobody has; undefined without a file. */
  readonly rows: number | undefined;
  readonly rowsForNobody: number | undefined;
  /** The number of rows, if the file has as many as it may have. */
  readonly firstRows: number | undefined;
}

export interface TileFiles extends Reading {
  /** The file with the values of a delivery; undefined if there is none. */
  readonly own: Sheet | undefined;
  /** The files with a value that nobody has, in one of the filters each. */
  readonly withNobody: readonly Sheet[];
  /** The values that all of its receivers may see today. */
  readonly maySee: ReadonlySet<string>;
  /** True if the rows of a column with this head belong to nobody. */
  readonly isWaived: (head: string) => boolean;
  /** The most rows that it may have; undefined if Omni does not say. */
  readonly mostRows: number | undefined;
}

/** The worst of what holds: rows for nobody go before values of others, and these before what cannot be told. */
export function judgeTile(files: TileFiles): TileJudgement {
  const { own, withNobody, mostRows = Number.POSITIVE_INFINITY } = files;
  const dividing = (own?.columns ?? []).filter(({ isDividing }) => isDividing);
  const inColumns = valuesOf(
    dividing.flatMap(({ values }) => [...values]),
    files,
  );
  const elsewhere = valuesElsewhere(files);
  const compared = own && comparisonOf(own, dividing.length > 0, files);
  const found = {
    compared,
    valuesOfOthers: new Set([...inColumns.valuesOfOthers, ...elsewhere.valuesOfOthers]),
    named: elsewhere.named,
    spelledOtherwise: inColumns.spelledOtherwise,
    blanks: dividing.reduce((sum, { blanks }) => sum + blanks, 0),
    totals: own?.totals ?? 0,
    rows: own?.rows,
    rowsForNobody: withNobody.length === 0 ? undefined : largest(withNobody.map(({ rows }) => rows)),
    firstRows: own !== undefined && own.rows > 0 && own.rows >= mostRows ? own.rows : undefined,
  };
  if (withNobody.some(({ isEmpty }) => !isEmpty)) return { verdict: 'not-limited', ...found };
  if (found.valuesOfOthers.size > 0) return { verdict: 'shows-others', ...found };
  const whyUntold = own && withNobody.map((nobody) => whyNotAlike(own, nobody, files)).find(Boolean);
  if (whyUntold !== undefined) return { verdict: 'cannot-tell', message: whyUntold, ...found };
  if (inColumns.maybeTotal && files.table.hasTotal) return { verdict: 'cannot-tell', message: totalOrValue, ...found };
  if (found.named.size > 0) return { verdict: 'names-others', ...found };
  if (own?.isEmpty !== false) return { verdict: 'empty', ...found };
  return { verdict: compared === 'not-compared' ? 'not-compared' : 'limited', ...found };
}

const totalOrValue =
  'The table has a value that reads like a total, so it is not known whether a row of the file is a total or has that value.';
const asked = `\`${command('doctor', '--probe')}\` says how this Omni answers no rows.`;

/** Undefined if both files are of the same table: then what one lacks is a row. */
function whyNotAlike(own: Sheet, nobody: Sheet, { query }: Reading): string | undefined {
  const hasText = ({ heads }: Sheet) => heads.some((head) => head.trim() !== '');
  if (!hasText(own)) return `Its file has no head line. ${asked}`;
  if (!hasText(nobody)) return `With a value that nobody has, Omni sent no byte of it. ${asked}`;
  const fieldOf = fieldNamer(query?.fields ?? []);
  // A pivot without rows has no columns but those of its other fields.
  const mayLack = query === undefined || (query.pivots ?? []).length > 0;
  const lacking = ({ heads }: Sheet, of: Sheet) =>
    heads.filter((head) => head.trim() !== '' && !of.heads.includes(head));
  const isOther = lacking(nobody, own).some((head) => !mayLack || fieldOf(head) === undefined);
  if (!isOther && (mayLack || lacking(own, nobody).length === 0)) return undefined;
  return `With a value that nobody has, its file has other heads, or is not a table. ${asked}`;
}

/** Decides by which values those of a file can be compared. */
function comparisonOf({ columns }: Sheet, hasColumn: boolean, files: TileFiles): Comparison {
  const { query, table } = files;
  if (hasColumn || isPivotedByDividing(files)) return 'column';
  const isNamed = columns.every(({ field }) => field !== undefined);
  if (isNamed && (query?.pivots ?? []).length === 0) return 'nothing-to-compare';
  return table.isTelling ? 'values-of-the-table' : 'not-compared';
}

function valuesOf(values: readonly string[], { maySee, table }: Pick<TileFiles, 'maySee' | 'table'>) {
  const strange = values.filter((value) => !maySee.has(value));
  const spelled = strange.length === 0 ? new Set<string>() : new Set([...maySee].map(folded));
  const numbers = new Set([...maySee].map(Number).filter(Number.isFinite));
  const isSpelling = (value: string) => !table.has(value) && (spelled.has(folded(value)) || numbers.has(Number(value)));
  const different = strange.filter((value) => !isSpelling(value));
  return {
    valuesOfOthers: different.filter((value) => !isTotalWord(value)),
    spelledOtherwise: new Set(strange.filter(isSpelling)),
    maybeTotal: different.some(isTotalWord),
  };
}

/** In columns that do not divide the rows, and in heads. */
function valuesElsewhere(
  files: TileFiles,
): Pick<TileJudgement, 'named'> & { readonly valuesOfOthers: readonly string[] } {
  const { own, maySee, isWaived, table } = files;
  const named = new Map<string, ReadonlySet<string>>();
  if (own === undefined) return { named, valuesOfOthers: [] };
  const theirs = new Set([...maySee].map(folded));
  const isOther = (value: string) => !maySee.has(value) && !theirs.has(folded(value));
  const others: string[] = [];
  for (const { head, field, isDividing, values } of own.columns) {
    const found = isDividing || isWaived(head) ? [] : [...values].filter(isOther);
    if (field === undefined) pushAll(others, found);
    else if (found.length > 0) named.set(head, new Set([...(named.get(head) ?? []), ...found]));
  }
  const heads = [...own.columns.flatMap(({ head, field }) => (field === undefined ? head : [])), ...own.above.flat()];
  if (isPivotedByDividing(files)) pushAll(others, headsOfOthers(files, own, isOther));
  else
    pushAll(
      others,
      heads.flatMap((head) => valuesIn(head, true, table)).filter((value) => isTelling(value) && isOther(value)),
    );
  return { named, valuesOfOthers: others };
}

function isPivotedByDividing({ query, dividing = [] }: Reading): boolean {
  return dividing.some((field) => query?.pivots?.includes(field));
}

/**
 * Among the heads of a pivot on a dividing field, any value counts: but one that a file without rows has too, or the
 * first cell of a line above, may be a title or a calculation.
 */
function headsOfOthers(
  { withNobody, maySee, table, query, dividing = [] }: TileFiles,
  { heads, above }: Sheet,
  isOther: (value: string) => boolean,
): readonly string[] {
  const { fields = [], pivots = [] } = query ?? {};
  const fieldOf = fieldNamer(fields);
  const labels = fields.filter((field) => !dividing.includes(field)).map(labelOf);
  const theirs = new Set([...maySee].map(folded));
  const alsoForNobody = new Set(withNobody.flatMap((each) => [...each.heads, ...each.above.flat()]));
  const cells = [heads.map((head) => ({ head, mayBeAny: true })), ...above.map(titled)].flat();
  return cells.flatMap(({ head, mayBeAny }) => {
    if (head.trim() === '' || fieldOf(head) !== undefined || isTotalWord(head)) return [];
    const texts = [head, ...labels.flatMap((label) => withoutLabel(head, label))];
    const known = texts.flatMap((text) => valuesIn(text, true, table));
    if (known.length > 0) return known.every(isOther) ? known : [];
    const isTheirs = texts.some((text) => theirs.has(folded(text)));
    return isTheirs || !mayBeAny || alsoForNobody.has(head) || pivots.length > 1 || isDay(head) ? [] : head;
  });
}

function titled(line: readonly string[]) {
  return line.map((head, at) => ({ head, mayBeAny: at > 0 }));
}

function labelOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1).replaceAll('_', ' ');
}

/** The value that stands before or behind the label of a measure. */
function withoutLabel(head: string, label: string): readonly string[] {
  const text = head.toLowerCase();
  return [
    ...(text.endsWith(` ${label}`) ? [head.slice(0, -label.length)] : []),
    ...(text.startsWith(`${label} `) ? [head.slice(label.length)] : []),
  ].map(withoutSigns);
}

/** Without the signs that part a value from the label beside it. */
function withoutSigns(text: string): string {
  const isSign = (at: number) => /^[\s:|/>\u2013-]$/.test(text[at] ?? '');
  let [from, to] = [0, text.length];
  while (from < to && isSign(from)) from += 1;
  while (to > from && isSign(to - 1)) to -= 1;
  return text.slice(from, to);
}

/** Worst first; a tile of a group that is limited with one receiver's values may be empty for another one. */
export const inGroup: readonly Verdict[] = [
  'not-limited',
  'shows-others',
  'failed',
  'busy',
  'too-large',
  'cannot-tell',
  'names-others',
  'not-compared',
  'limited',
  'empty',
  'shared',
];
export const inDashboard: readonly Verdict[] = [...inGroup.slice(0, -3), 'empty', 'limited', 'shared'];

export function merged(one: TileJudgement, other: TileJudgement, order: readonly Verdict[]): TileJudgement {
  const [worse, better] = order.indexOf(one.verdict) <= order.indexOf(other.verdict) ? [one, other] : [other, one];
  const most = (of: (tile: TileJudgement) => number | undefined) => {
    const known = [of(one), of(other)].filter((count) => count !== undefined);
    return known.length === 0 ? undefined : largest(known);
  };
  const heads = [...new Set([...one.named.keys(), ...other.named.keys()])];
  return {
    verdict: worse.verdict,
    message: worse.message,
    itsWords: worse.itsWords,
    compared: worse.compared ?? better.compared,
    valuesOfOthers: union(one.valuesOfOthers, other.valuesOfOthers),
    named: new Map(heads.map((head) => [head, union(one.named.get(head), other.named.get(head))])),
    spelledOtherwise: union(one.spelledOtherwise, other.spelledOtherwise),
    blanks: one.blanks + other.blanks,
    totals: one.totals + other.totals,
    rows: most(({ rows }) => rows),
    rowsForNobody: most(({ rowsForNobody }) => rowsForNobody),
    firstRows: most(({ firstRows }) => firstRows),
  };
}

function union(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): ReadonlySet<string> {
  return new Set([...(one ?? []), ...(other ?? [])]);
}

/** The keys of the tiles whose files these are; undefined if their names do not tell them apart. */
export function tilesByName(
  names: readonly string[],
  queries: readonly Pick<RemoteQuery, 'key' | 'name'>[],
): readonly string[] | undefined {
  const keys = names.flatMap((name) => {
    const [file = ''] = name.split(/[/\\]/).slice(-1);
    const [only, another] = /\.csv$/i.test(file) ? queriesCalled(file.slice(0, -'.csv'.length), queries) : [];
    return only === undefined || another !== undefined ? [] : [only.key];
  });
  return new Set(keys).size === names.length ? keys : undefined;
}

/** A file name lacks characters that a name may have. */
function queriesCalled<T extends Pick<RemoteQuery, 'key' | 'name'>>(base: string, queries: readonly T[]): readonly T[] {
  const exact = queries.filter(({ key, name }) => key === base || name === base);
  return exact.length > 0 ? exact : queries.filter(({ name = '' }) => name !== '' && letters(name) === letters(base));
}
