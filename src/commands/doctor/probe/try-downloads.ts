// The downloads of a probe, which come before it makes anything. They are one tile, a few rows of it as CSV with one
// condition after the other, and a picture of it with and without one. Files are in memory only, and the record only
// says whether there are rows, and whether two pictures are the same.

import type { RemoteQuery } from '../../../model/service/documents.ts';
import type { RemoteFilters } from '../../../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { separators, visitRows } from '../../../observe/downloads/csv-rows.ts';
import { judgeFile, openMemory } from '../../../observe/downloads/file-type.ts';
import { render } from '../../../observe/downloads/render.ts';
import { refusesOne } from '../../../observe/sending.ts';
import type { ScriptPorts } from './script.ts';
import type { StatementId, Verdicts } from './statements.ts';

export interface TileToTry {
  readonly key: string;
  /** The id of a text filter. */
  readonly filter: string;
  /** The id of another filter on the same field. */
  readonly second: string | undefined;
  /** A value that rows have, if the dashboard names one. */
  readonly value: string | undefined;
  /** The column of the filter's values in a file; -1 if it is not known. */
  readonly column: number;
  readonly width: number;
}

/** Prefers a tile that shows the filter's field, which the filter most likely limits. Undefined if there is none. */
export function tileToTry(
  filters: RemoteFilters['filters'],
  queries: readonly RemoteQuery[] | undefined = [],
): TileToTry | undefined {
  // Filters do not reach SQL that a person wrote.
  const tiles = queries.filter(({ query }) => (query?.userEditedSQL ?? '') === '');
  const texts = Object.entries(filters).flatMap(([id, filter]) =>
    isJsonObject(filter) && filter['type'] === 'string' ? [{ id, filter, field: filter['fieldName'] }] : [],
  );
  const choices = texts.map((first, index) => {
    const second = texts.find(
      (each, at) => at > index && each.field === first.field && typeof first.field === 'string',
    );
    return { first, second, tile: tiles.find(({ query }) => query?.fields?.includes(String(first.field))) };
  });
  const inOrder = [...choices.filter(({ second }) => second), ...choices.filter(({ second }) => !second)];
  const chosen = inOrder.find(({ tile }) => tile !== undefined) ?? inOrder[0];
  const tile = chosen?.tile ?? tiles[0];
  if (chosen === undefined || tile === undefined) return undefined;
  const { first, second } = chosen;
  const { fields = [], pivots = [] } = tile.query ?? {};
  return {
    key: tile.key,
    filter: first.id,
    second: second?.id,
    value: [first, second].flatMap((each) => valuesOf(each?.filter))[0],
    column: pivots.length > 0 ? -1 : fields.indexOf(String(first.field)),
    width: fields.length,
  };
}

function valuesOf(filter: JsonObject | undefined): readonly string[] {
  const { values, kind, is_negative: isNegative } = filter ?? {};
  if (kind !== 'EQUALS' || isNegative === true || !Array.isArray(values)) return [];
  return values.filter((value: Json) => typeof value === 'string');
}

/** The most files that are downloaded; each takes two requests, and one more every few seconds while it is rendered. */
export function maxDownloads(tile: TileToTry | undefined): number {
  if (tile === undefined) return 0;
  return tile.second === undefined ? 5 : 7;
}

export const ofTile: readonly StatementId[] = [
  'short-filter-limits',
  'no-rows-have-heads',
  'png-follows-filters',
  'filters-on-one-field-join',
];

/** Throws what a refusal of one download does not explain. */
export async function tryDownloads(
  identifier: string,
  tile: TileToTry,
  ports: Omit<ScriptPorts, 'leftovers'>,
  verdicts: Verdicts,
): Promise<void> {
  const nobody = `almanac-probe-${ports.randomness.uuid()}`;
  const { filter, second, key } = tile;
  // Only one of two filters on a field has a value, except where both are tried.
  const neutral = second === undefined ? {} : { [second]: condition([]) };
  const withOne = (of: JsonObject, more: JsonObject = neutral) => ({ filterConfig: { ...more, [filter]: of } });
  const common = { identifier, queryIdentifierMapKey: key };
  const linesWith = async (conditions: object) =>
    linesIn(await download({ ...common, ...conditions, ...fewRows }, ports));
  const rowsWith = async (conditions: object) => rowsAmong(await linesWith(conditions));
  try {
    const saved = await linesWith({});
    const asSaved = rowsAmong(saved);
    if (asSaved.length === 0) return verdicts.notTried('The tile has no rows.', ...ofTile);
    const none = await linesWith(withOne(condition([nobody])));
    if (rowsAmong(none).length > 0) return verdicts.notTried('The filter does not limit the tile.', ...ofTile);
    const hasHeads = none[0]?.join() === saved[0]?.join();
    const instead = none.length === 0 ? 'No byte comes.' : 'Other heads come, or a sentence.';
    verdicts.holds('no-rows-have-heads', hasHeads, instead);
    const isDropped = (await rowsWith(withOne({ values: [nobody] }))).length > 0;
    verdicts.holds('short-filter-limits', !isDropped, 'Rows come that do not have the value: it is dropped.');
    const picture = { ...common, format: 'png', showFilters: false };
    const whole = await download(picture, ports);
    const limited = await download({ ...picture, ...withOne(condition([nobody])) }, ports);
    const isSame = imageIn(whole).equals(imageIn(limited));
    const came = 'The picture is the same without the filter: it shows what was saved.';
    verdicts.holds('png-follows-filters', !isSame, came);
    const left = (why: string) => verdicts.notTried(why, 'filters-on-one-field-join');
    if (second === undefined) return left('The dashboard has no two filters of texts on one field.');
    const value = tile.value ?? asSaved.find(({ length }) => length === tile.width)?.[tile.column];
    if (value === undefined || value === '') return left('Omni names no value of that field.');
    const hasFirst = (await rowsWith(withOne(condition([value])))).length > 0;
    if (!hasFirst) return left('The tile has no rows with the first value of that field.');
    const both = withOne(condition([value]), { [second]: condition([nobody]) });
    const isJoined = (await rowsWith(both)).length > 0;
    verdicts.holds('filters-on-one-field-join', isJoined, 'Nothing comes: a row must pass both.');
  } catch (error) {
    if (!isOfOne(error)) throw error;
    verdicts.notTried('A download failed.', ...ofTile);
  }
}

/** The condition that Almanac sends if `{ values }` is declared. */
function condition(values: readonly string[]): JsonObject {
  return { type: 'string', kind: 'EQUALS', values };
}

/** A download that fails, takes too long or is too large says nothing about the rest of the probe. */
function isOfOne(error: unknown): boolean {
  if (refusesOne(error)) return true;
  return error instanceof Failure && ['api-rejected', 'api-answer-lost', 'refused'].includes(error.code);
}

const fewRows = { format: 'csv', overrideRowLimit: true, maxRowLimit: 10 };
const maxBytes = 8 * 1024 * 1024;
/** Seconds for one file. */
const wait = 120;

async function download(attributes: JsonObject, ports: Omit<ScriptPorts, 'leftovers'>): Promise<Buffer> {
  const sink = openMemory(maxBytes);
  const file = await render(attributes, undefined, sink, { ...ports, wait, onStarted: () => {} });
  const bytes = sink.bytes();
  const format = String(attributes['format']);
  // A tile without rows may have no byte.
  if (format === 'csv' && bytes.length === 0 && file.isBounded) return bytes;
  const judged = judgeFile(format, file, { size: bytes.length, head: bytes.subarray(0, 1024) });
  if ('extension' in judged && judged.extension === format) return bytes;
  throw new Failure('refused', `What Omni sent is not a tile as ${format}.`);
}

function linesIn(bytes: Buffer): readonly (readonly string[])[] {
  const read = separators.map((separator) => {
    const lines: (readonly string[])[] = [];
    const end = visitRows(bytes, separator, (row) => lines.push(row.texts()) > 0);
    return { end, lines, width: lines[0]?.length ?? 0 };
  });
  const { end, lines } = read.reduce((best, each) => (each.width > best.width ? each : best));
  if (end !== 'whole') throw new Failure('refused', 'What Omni sent cannot be read as CSV.');
  return lines;
}

/** The rows that contain more than blanks and zeros: a tile of measures alone has a row even if nothing passes. */
function rowsAmong([, ...rows]: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.filter((row) => row.some((text) => /[\p{L}1-9]/u.test(text)));
}

/** The picture of a PNG, without its texts and times. */
function imageIn(png: Buffer): Buffer {
  const shown: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (['IHDR', 'PLTE', 'tRNS', 'IDAT'].includes(type)) shown.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(shown);
}
