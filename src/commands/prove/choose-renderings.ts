// Chooses the renderings of a proof, and explains the reports left out. Each choice is for a dashboard, a set of
// filters that divide the rows and a family of formats: the reports that show the same tiles. Pure.

import type { Loaded } from '../../declare/load/load.ts';
import { isShared, judgedReceivers, type RowRules, shownRows } from '../../declare/rows/judge-rows.ts';
import type { ReceiverPermissions } from '../../declare/rows/permissions.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { RemoteQuery } from '../../model/service/documents.ts';
import { deliversDashboard } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, isJsonObject, type Json } from '../../model/values/json.ts';
import {
  type Declared,
  type DeclaredObject,
  declaredAttributes,
  type Resource,
} from '../../model/workspace/resource.ts';
import { toDownload } from '../../omni/operations.ts';
import type { Reason } from './prove-document.ts';

export interface RenderableReport {
  readonly resource: Resource;
  /** Its declared attributes, before sinks. */
  readonly attributes: DeclaredObject;
  /** The values that the table lets its receivers see; `values` of the filters if no line names one of them. */
  readonly maySee: ReadonlySet<string>;
}

/** Reports that show the same tiles, divided by the same filters. */
export interface Group {
  readonly identifier: string;
  /** The format of the first one: others of its family send the same tiles. */
  readonly format: string;
  /** Undefined for the whole dashboard. */
  readonly tile: string | undefined;
  readonly filters: readonly string[];
  /** In the order of their addresses. */
  readonly candidates: readonly RenderableReport[];
}

export interface LeftOut {
  readonly resource: Resource;
  readonly identifier: string;
  readonly reason: Reason;
}

export interface Renderings {
  readonly groups: readonly Group[];
  readonly leftOut: readonly LeftOut[];
}

/** The formats that are proven by CSV, each with its family. */
const families: Readonly<Record<string, string>> = { csv: 'rows', xlsx: 'rows', json: 'rows', pdf: 'pages' };

const unrendered: Readonly<Record<string, Reason>> = { png: 'png', link_only: 'link' };

/** Chooses among the resources that `safety.rows` judges. */
export function chooseRenderings(resources: readonly Resource[], rules: RowRules): Renderings {
  const leftOut: LeftOut[] = [];
  const chosen: (RenderableReport & Omit<Group, 'candidates'> & { readonly key: string })[] = [];
  for (const resource of resources.toSorted((a, b) => byCodeUnit(a.address, b.address))) {
    const attributes = declaredAttributes<DeclaredObject>(resource);
    const { kind } = resource;
    const delivery = deliveryOf(kind, attributes);
    const judged = judgedReceivers(kind, delivery, rules);
    if (judged.length === 0 || isShared(delivery, rules)) continue;
    const { identifier: named, format, queryIdentifierMapKey: tile } = attributes;
    const identifier = typeof named === 'string' ? named : '';
    const leave = (reason: Reason) => void leftOut.push({ resource, identifier, reason });
    const rows = shownRows(kind, delivery, rules);
    if (!deliversDashboard(kind)) leave('kind');
    else if (judged.every(({ allowed }) => allowed?.isAll)) leave('every-row');
    else if (typeof format !== 'string' || families[format] === undefined)
      leave(unrendered[String(format)] ?? 'cannot-tell');
    else if (delivery.isFannedOut) leave('fan-out');
    else if ('unlimited' in rows) leave('no-filter');
    else {
      const filters = [...new Set(rows.shown.map(({ filter }) => filter))].sort(byCodeUnit);
      const own = new Set(rows.shown.map(({ value }) => value));
      const limited = judged.flatMap(({ allowed }) => (allowed?.isAll ? [] : [allowed]));
      const maySee = seenByAll(limited, own);
      const ofTile = typeof tile === 'string' ? tile : undefined;
      const key = JSON.stringify([identifier, ofTile, filters, families[format]]);
      chosen.push({ resource, attributes, maySee, identifier, format, tile: ofTile, filters, key });
    }
  }
  const groups = [...groupBy(chosen, ({ key }) => key).values()].flatMap((same): readonly Group[] => {
    const [first] = same;
    if (first === undefined) return [];
    const { identifier, format, tile, filters } = first;
    return [{ identifier, format, tile, filters, candidates: same }];
  });
  return { groups, leftOut };
}

/** True if it has only the first page of its dashboard, if that has several. */
export function hasOnePage({ format, tile }: Group): boolean {
  return format === 'pdf' && tile === undefined;
}

/** The number of downloads for a group. With a value that nobody has, most of its reports ask for the same file. */
export function rendersOf(
  { candidates, filters, tile }: Group,
  { each, nobody }: { readonly each: boolean; readonly nobody: Nobody },
): number {
  const taken = each ? candidates : candidates.slice(0, 1);
  const forNone = taken.flatMap(
    ({
      attributes,
      resource: {
        attributes: { owner },
      },
    }) =>
      filters.map((filter) =>
        JSON.stringify([toDownload(asCsv(forNobody(attributes, filter, nobody), tile), undefined), owner]),
      ),
  );
  return taken.length + new Set(forNone).size;
}

function seenByAll(
  receivers: readonly (ReceiverPermissions | undefined)[],
  own: ReadonlySet<string>,
): ReadonlySet<string> {
  const [first = own, ...others] = receivers.map((allowed) => allowed?.values ?? own);
  return new Set([...first].filter((value) => others.every((values) => values.has(value))));
}

/** A value that nobody has, for each type of a condition. */
export interface Nobody {
  readonly text: string;
  readonly number: number;
}

/** `uuid` is this run's. The number is below each in the table: ids are not negative. */
export function nobodyOf(uuid: string, { rows }: Pick<Loaded, 'rows'>): Nobody {
  const numbers = (rows?.rules.permissions.permissions() ?? []).flatMap(({ shows }) => {
    const number = Number(shows);
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

function isMap(value: Declared | undefined): value is DeclaredObject {
  return isJsonObject(value);
}
