// What a file was parsed to, as text: one thread hands it to another, and one run keeps it for the next. To read JSON takes
// a fraction of the time that the YAML took, and less than the copy that Node makes of objects for another thread.

import { isJsonObject, type Json } from '../model/values/json.ts';
import type { Pointer } from '../model/values/pointer.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { SourceFile } from '../model/workspace/source-file.ts';
import type { ParsedSource, RawDocument } from './parse-source.ts';

/** Of a document: its number, its value, and the lines of its keys, each after its key: pairs would be many small lists. */
type Written = readonly [
  documents: readonly (readonly [number, Json, readonly (Pointer | number)[]])[],
  findings: readonly Finding[],
];

/** Aliases can make a little text a large value, whose text would be larger than a string can be. */
const longest = 4;
/** For quotes, commas and brackets. */
const perValue = 3;

/** Undefined where it would not be the same when it is read again, or much longer than the file. */
export function textOfParsed({ value, findings }: ParsedSource, file: SourceFile): string | undefined {
  const room = { left: longest * file.text.length };
  if (!value.every((each) => fits(each.value, room))) return undefined;
  const written: Written = [
    value.map(({ origin, value: json, keyLines }) => [origin.document, json, [...keyLines].flat()]),
    findings,
  ];
  return JSON.stringify(written);
}

/** `text` must be what `textOfParsed` made of this file. */
export function parsedFromText(text: string, { path }: SourceFile): ParsedSource {
  const [written, findings] = JSON.parse(text) as Written;
  const documents = written.map(([document, value, keyLines]) => ({
    origin: { file: path, document, pointer: '' },
    value,
    keyLines: mapOf(keyLines),
  }));
  return { value: asLiteral(documents, text), findings };
}

/** `text`: what `textOfParsed` made of these documents, which shows whether one of them holds a reference. */
export function asLiteral(documents: readonly RawDocument[], text: string): readonly RawDocument[] {
  if (text.includes('${')) return documents;
  return documents.map(({ origin, value, keyLines }) => ({ origin, value, keyLines, isLiteral: true }));
}

function mapOf(keyLines: readonly (Pointer | number)[]): ReadonlyMap<Pointer, number> {
  const map = new Map<Pointer, number>();
  for (let at = 0; at < keyLines.length; at += 2) map.set(keyLines[at] as Pointer, keyLines[at + 1] as number);
  return map;
}

function fits(value: Json, room: { left: number }): boolean {
  room.left -= perValue + (typeof value === 'string' ? value.length : 0);
  if (room.left < 0 || Object.is(value, -0)) return false;
  if (Array.isArray(value)) return value.every((each) => fits(each, room));
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([key, entry]) => {
    room.left -= key.length;
    return fits(entry, room);
  });
}
