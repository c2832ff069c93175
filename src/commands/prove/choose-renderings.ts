// Chooses the renderings of a proof, and explains the reports left out. Each choice is for a dashboard, a set of
// filters that divide the rows and a family of formats: the reports that show the same tiles. Pure.

import { acceptancesOf, hasEnded as isOverWaiver } from '../../declare/acceptances.ts';
import type { Loaded } from '../../declare/load/load.ts';
import {
  isShared,
  type JudgedReceiver,
  judgedReceivers,
  type RowRules,
  type ShownRows,
  shownRows,
} from '../../declare/rows/judge-rows.ts';
import { everyRow, type ReceiverPermissions, receiverText } from '../../declare/rows/permissions.ts';
import { isMap } from '../../model/fields/complete-conditions.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { RemoteQuery } from '../../model/service/documents.ts';
import { type Address, deliversDashboard } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, type Json, stringIn } from '../../model/values/json.ts';
import { type DeclaredObject, declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { toDownload } from '../../omni/operations.ts';
import type { Reason } from './prove-document.ts';

export interface RenderableReport {
  readonly resource: Resource;
  /** Its declared attributes, before sinks. */
  readonly attributes: DeclaredObject;
  /** The values that all of its receivers may see today. */
  readonly maySee: ReadonlySet<string>;
}

/** Reports that show the same tiles, divided by the same filters. */
export interface Group {
  readonly identifier: string;
  /** The format of the first one: others of its family send the same tiles. */
  readonly format: string;
  /** The only tile that is sent; undefined for the whole dashboard. */
  readonly tile: string | undefined;
  /** The tile that an alert watches: whoever receives it learns from its rows. */
  readonly watched: string | undefined;
  readonly filters: readonly string[];
  /** In the order of their addresses. */
  readonly candidates: readonly RenderableReport[];
}

/** A report that is not rendered. */
export interface LeftOut {
  readonly resource: Resource;
  readonly reason: Reason;
}

export interface Renderings {
  readonly groups: readonly Group[];
  readonly leftOut: readonly LeftOut[];
  /** Tracked, with a receiver who may see nothing of it today: wrong, unless it is paused in Omni. */
  readonly ended: readonly Resource[];
  /** The facts about each report, rendered or not. */
  readonly reports: ReadonlyMap<Resource, JudgedReport>;
}

export interface JudgedReport {
  readonly identifier: string;
  /** Without secrets. */
  readonly receivers: readonly string[];
  /** The values of the filters that divide the rows. */
  readonly values: readonly string[];
  /** True if a waiver takes the place of a line that has ended. */
  readonly isWaived: boolean;
}

export interface Selecting {
  readonly today: string;
  readonly isTracked: (address: Address) => boolean;
  /** True if it is tracked, and declared as it was applied. */
  readonly isApplied: (address: Address) => boolean;
}

/** The formats that are proven by CSV, each with its family. */
const families: Readonly<Record<string, string>> = { csv: 'rows', xlsx: 'rows', json: 'rows', pdf: 'pages' };

const unrendered: Readonly<Record<string, Reason>> = { png: 'png', link_only: 'link' };

/** Chooses among the resources that `safety.rows` judges. */
export function chooseRenderings(
  resources: readonly Resource[],
  rules: RowRules,
  { today, isTracked, isApplied }: Selecting,
): Renderings {
  const leftOut: LeftOut[] = [];
  const ended: Resource[] = [];
  const reports = new Map<Resource, JudgedReport>();
  const chosen: (RenderableReport & Omit<Group, 'candidates'> & { readonly key: string })[] = [];
  for (const resource of resources.toSorted((a, b) => byCodeUnit(a.address, b.address))) {
    const attributes = declaredAttributes<DeclaredObject>(resource);
    const { kind, address } = resource;
    const delivery = deliveryOf(kind, attributes);
    const judged = judgedReceivers(kind, delivery, rules);
    if (judged.length === 0 || isShared(delivery, rules)) continue;
    const { format, queryIdentifierMapKey, conditionType, conditionQueryMapKey } = attributes;
    const identifier = stringIn(attributes['identifier']) ?? '';
    const rows = shownRows(kind, delivery, rules);
    const own = new Set('shown' in rows ? rows.shown.map(({ value }) => value) : []);
    const hasEnded = judged.some(({ allowed }) => mayNoLonger(allowed, rows));
    const waiver = acceptancesOf({ attributes }).get('rows-of-others');
    const isWaived = waiver !== undefined && !isOverWaiver(waiver, { today });
    const receivers = [...delivery.to, ...delivery.inExtra].map(receiverText);
    reports.set(resource, { identifier, receivers, values: [...own], isWaived: isWaived && hasEnded });
    const leave = (reason: Reason) => void leftOut.push({ resource, reason });
    if (hasEnded && !isWaived && !delivery.paused && isTracked(address)) ended.push(resource);
    else if (!deliversDashboard(kind)) leave('kind');
    else if (judged.every(({ allowed }) => allowed?.answer(everyRow) === 'may')) leave('every-row');
    else if (typeof format !== 'string' || families[format] === undefined)
      leave(unrendered[String(format)] ?? 'cannot-tell');
    else if (delivery.paused) leave('paused');
    else if (!isApplied(address)) leave('not-applied');
    else if (delivery.isFannedOut) leave('fan-out');
    else if ('unlimited' in rows) leave('no-filter');
    else {
      const filters = [...new Set(rows.shown.map(({ filter }) => filter))].sort(byCodeUnit);
      const maySee = seenByAll(judged, own, isWaived);
      const tile = stringIn(queryIdentifierMapKey);
      const watched = conditionType === undefined ? undefined : stringIn(conditionQueryMapKey);
      const key = JSON.stringify([identifier, tile, watched, filters, families[format]]);
      chosen.push({ resource, attributes, maySee, identifier, format, tile, watched, filters, key });
    }
  }
  const groups = [...groupBy(chosen, ({ key }) => key).values()].map((same): Group => {
    const [{ identifier, format, tile, watched, filters }] = same;
    return { identifier, format, tile, watched, filters, candidates: same };
  });
  return { groups, leftOut, ended, reports };
}

/** True if no line lets a receiver see anything today, or what no filter limits. */
function mayNoLonger(allowed: ReceiverPermissions | undefined, rows: ShownRows): boolean {
  if (allowed === undefined) return false;
  if (allowed.over !== undefined) return true;
  const shown = 'unlimited' in rows ? [everyRow] : rows.shown.map(({ value }) => value);
  return shown.some((value) => typeof allowed.answer(value) === 'object');
}

/** The tiles that are downloaded each by itself; undefined for the whole dashboard. */
export function onlyTiles({ tile, watched }: Group): readonly string[] | undefined {
  return tile === undefined ? undefined : [...new Set([tile, watched ?? tile])];
}

/** True if it has only the first page of its dashboard, if that has several. */
export function hasOnePage({ format, tile }: Group): boolean {
  return format === 'pdf' && tile === undefined;
}

/** The number of downloads for a group. With a value that nobody has, most of its reports ask for the same file. */
export function rendersOf(group: Group, { each, nobody }: { readonly each: boolean; readonly nobody: Nobody }): number {
  const { candidates, filters } = group;
  const taken = each ? candidates : candidates.slice(0, 1);
  const tiles = onlyTiles(group) ?? [undefined];
  const forNone = taken.flatMap(
    ({
      attributes,
      resource: {
        attributes: { owner },
      },
    }) =>
      filters.flatMap((filter) =>
        tiles.map((tile) =>
          JSON.stringify([toDownload(asCsv(forNobody(attributes, filter, nobody), tile), undefined), owner]),
        ),
      ),
  );
  return taken.length * tiles.length + new Set(forNone).size;
}

/** `own` stands for the values of whoever has no line, and of whoever a waiver lets receive them. */
function seenByAll(
  judged: readonly JudgedReceiver[],
  own: ReadonlySet<string>,
  isWaived: boolean,
): ReadonlySet<string> {
  const [first = own, ...others] = judged.flatMap(({ allowed }): readonly ReadonlySet<string>[] => {
    if (allowed === undefined) return [own];
    if (allowed.answer(everyRow) === 'may') return [];
    const values = allowed.lines.map(({ shows }) => shows);
    return [new Set(values.filter((value) => allowed.answer(value) === 'may'))];
  });
  const common = [...first].filter((value) => others.every((values) => values.has(value)));
  return new Set(isWaived ? [...common, ...own] : common);
}

/** A value that nobody has, for each type of a condition. */
export interface Nobody {
  readonly text: string;
  readonly number: number;
}

/** `uuid` is this run's. The number is below each in the table: ids are not negative. */
export function nobodyOf(uuid: string, { rows }: Pick<Loaded, 'rows'>): Nobody {
  const numbers = [...(rows?.rules.permissions.values() ?? [])].flatMap((value) => {
    const number = Number(value);
    return Number.isFinite(number) ? Math.ceil(Math.abs(number)) : [];
  });
  return { text: `almanac-prove-${uuid}`, number: -(numbers.reduce((most, each) => Math.max(most, each), 0) + 1) };
}

/** The most rows in a file of the tile, if Omni tells. */
export function rowLimitOf(
  { overrideRowLimit, maxRowLimit }: DeclaredObject,
  { query }: RemoteQuery,
): number | undefined {
  if (overrideRowLimit !== true) return query?.limit;
  return typeof maxRowLimit === 'number' ? maxRowLimit : undefined;
}

/** The request as CSV: a delivery in another format shows the same tiles. Without formatting a 0 is a 0. */
export function asCsv(attributes: DeclaredObject, tile?: string): DeclaredObject {
  const csv = { ...attributes, format: 'csv', enableFormatting: false };
  return tile === undefined ? csv : { ...csv, queryIdentifierMapKey: tile };
}

/** The same request with a value that nobody has in place of a filter's values. The rest of the condition stays. */
export function forNobody(attributes: DeclaredObject, filter: string, nobody: Nobody): DeclaredObject {
  const { filterConfig } = attributes;
  const filters = isMap(filterConfig) ? filterConfig : {};
  const condition = isMap(filters[filter]) ? filters[filter] : {};
  const { type, values } = condition;
  const isText = type !== 'number' || (Array.isArray(values) && typeof values[0] === 'string');
  const value: Json = type === 'number' ? (isText ? String(nobody.number) : nobody.number) : nobody.text;
  return { ...attributes, filterConfig: { ...filters, [filter]: { ...condition, values: [value] } } };
}
