// The schemas that editors of one workspace read, as short as they can be.

import { type SchemaSettings, schemasOfWorkspace } from '../../declare/workspace-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { publishedSchemas } from '../../published-schemas.ts';

export type EditorSchema = keyof typeof schemasOfWorkspace;

export function editorSchemaText(name: EditorSchema, settings: SchemaSettings): string {
  return compactText(schemasOfWorkspace[name](publishedSchemas[name] ?? {}, settings));
}

/** The keywords that hold schemas: one, a list of them, or a map of them by name. */
const holdingOne = ['additionalProperties', 'else', 'if', 'items', 'not', 'propertyNames', 'then'];
const holdingList = ['allOf', 'anyOf'];
const holdingMap = ['definitions', 'dependencies', 'patternProperties', 'properties'];

/** The length of a reference to a part, and of what stands beside the part itself. */
const [referenceLength, nameLength] = [`{"$ref":"#/$defs/00"}`.length, `"00":,`.length];

/** The schema on one line, with each part written once, below `$defs`, where that is shorter. */
function compactText(schema: JsonObject): string {
  const counts = new Map<string, number>();
  const count = (part: JsonObject): Json => {
    const text = JSON.stringify(part);
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    return before > 0 ? part : mapParts(part, count);
  };
  count(schema);
  const names = new Map<string, string>();
  const shared: Record<string, Json> = {};
  const share = (part: JsonObject): Json => {
    const text = JSON.stringify(part);
    const saved = (counts.get(text) ?? 0) * (text.length - referenceLength);
    if (saved <= text.length + nameLength) return mapParts(part, share);
    const name = names.get(text) ?? names.size.toString(36);
    if (!names.has(text)) {
      names.set(text, name);
      shared[name] = mapParts(part, share);
    }
    return { $ref: `#/$defs/${name}` };
  };
  return `${JSON.stringify({ ...mapParts(schema, share), $defs: shared })}\n`;
}

/** The schema with each of its parts replaced, without what only the program reads. */
function mapParts(schema: JsonObject, replace: (part: JsonObject) => Json): JsonObject {
  const each = (value: Json): Json => (isJsonObject(value) ? replace(value) : value);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (holdingOne.includes(keyword)) return [keyword, each(value)];
    if (holdingList.includes(keyword) && Array.isArray(value)) return [keyword, value.map(each)];
    if (!holdingMap.includes(keyword) || !isJsonObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part)]))];
  });
  return Object.fromEntries(entries.filter(([keyword]) => keyword !== 'x-code'));
}
