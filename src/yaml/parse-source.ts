// Turns a source file into the values of its documents with the yaml package. Its errors come from there. Follows
// aliases and merge keys, and reports everything that JSON cannot represent or that would silently become something
// else. Values under an anchor are shared, not copied; their expanded size is counted, so that a few lines of aliases
// cannot fill the memory.

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { sections } from '../model/values/address.ts';
import { pushAll } from '../model/values/collections.ts';
import { define, isJsonObject, type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { secretKey } from '../model/values/secret.ts';
import { codeList, grouped } from '../model/values/words.ts';
import type { Code } from '../model/workspace/codes.ts';
import {
  type Finding,
  hasErrors,
  type SourceFile,
  type Span,
  type WithFindings,
} from '../model/workspace/diagnostic.ts';
import { audienceSection } from '../model/workspace/resource.ts';
import { filtersOfDelivery, type ParsedSource, type RawDocument, takenFromMerges } from './raw-document.ts';
import { type AnchoredValue, isKept, maxValues } from './read-values.ts';
import { writtenDocument } from './written-document.ts';
import { isMerge, parseYaml, type YamlDocument, type YamlFile } from './yaml-documents.ts';

/** Errors of a single value: the rest of the document is checked as if they did not exist. */
const ofOneValue: ReadonlySet<Code> = new Set(['not-a-number', 'unknown-anchor', 'reserved-key', 'filter-dropped']);

/** Every readable document, and the findings for the others. `yaml`: what the file was parsed to, where that is known. */
export function parseSource(file: SourceFile, yaml: YamlFile = parseYaml(file)): ParsedSource {
  const findings: Finding[] = [...yaml.findings];
  const documents: RawDocument[] = [];
  for (const parsed of yaml.documents) {
    const { value, isInexact, findings: own } = toValue(parsed.document, file.path);
    for (const finding of own) findings.push(finding);
    if (hasErrors(own.filter(({ code }) => !ofOneValue.has(code)))) continue;
    documents.push({
      origin: { file: file.path, document: parsed.index, pointer: '' },
      value,
      ...keysIn(parsed, yaml.lines, value),
      ...(isInexact && { isInexact }),
    });
  }
  return { value: documents, findings };
}

/** The lines of the declarations of a section and of the items of loops, and where a loop names its items. What lies behind an alias or a merge is where it is. */
function keysIn(
  { document }: YamlDocument,
  lines: LineCounter,
  value: Json,
): Pick<RawDocument, 'keyLines' | 'loopKeys'> {
  const keyLines = new Map<Pointer, number>();
  const loopKeys = new Map<Pointer, Span>();
  const written = writtenDocument(document, lines);
  const rangeOf = (pointer: Pointer) => written.nodeAt(pointer).key?.range ?? [];
  const add = (pointer: Pointer) => {
    const [start] = rangeOf(pointer);
    if (start !== undefined) keyLines.set(pointer, lines.linePos(start).line);
  };
  const { contents } = document;
  const named: readonly string[] = [...sections, audienceSection];
  for (const section of Object.keys(mapAt(value))) {
    if (!named.includes(section) || !isMap(contents) || !contents.has(section)) continue;
    for (const [key, declared] of Object.entries(mapAt(value, section))) {
      add(pointerTo(section, key));
      for (const name of ['forEach', 'forEachRow'].filter((each) => Object.hasOwn(mapAt(declared), each))) {
        const [start, end] = rangeOf(pointerTo(section, key, name));
        if (start !== undefined && end !== undefined) loopKeys.set(pointerTo(section, key, name), { start, end });
      }
      for (const item of Object.keys(mapAt(declared, 'forEach'))) add(pointerTo(section, key, 'forEach', item));
    }
  }
  return { keyLines, loopKeys };
}

interface Conversion {
  readonly file: string;
  readonly findings: Finding[];
  readonly anchors: Map<string, AnchoredValue | 'open'>;
  nodes: number;
  exhausted: boolean;
  /** A number was found that is not kept as written. */
  isInexact?: true;
}

/** The value of the document; findings are errors if the value must not be used. */
function toValue(document: Document.Parsed, file: string): WithFindings<Json> & Pick<RawDocument, 'isInexact'> {
  const conversion: Conversion = {
    file,
    findings: [],
    anchors: new Map(),
    nodes: 0,
    exhausted: false,
  };
  const value = convert(document.contents, conversion);
  const { findings, isInexact } = conversion;
  return { value, isInexact, findings };
}

function convert(node: Node | null | undefined, to: Conversion): Json {
  if (node === null || node === undefined || to.exhausted) return null;
  if (isAlias(node)) return followAlias(node.source, node, to);
  to.nodes += 1;
  const before = to.nodes - 1;
  const anchor = 'anchor' in node ? (node.anchor as string | undefined) : undefined;
  if (anchor !== undefined) to.anchors.set(anchor, 'open');
  const value = isMap(node)
    ? convertMap(node, to)
    : isSeq(node)
      ? node.items.map((item) => convert(item as Node, to))
      : scalar(node, to);
  if (anchor !== undefined) to.anchors.set(anchor, { value, size: to.nodes - before });
  return value;
}

function followAlias(name: string, node: Node, to: Conversion): Json {
  const anchored = to.anchors.get(name);
  if (anchored === undefined || anchored === 'open') {
    report(to, node, 'unknown-anchor', {
      message:
        anchored === 'open'
          ? 'The alias is inside the value of its own anchor.'
          : 'No anchor with this name comes before the alias.',
      hint: 'Put the anchor before it, or quote the value if the * is part of the text.',
    });
    return null;
  }
  to.nodes += anchored.size;
  if (to.nodes > maxValues && !to.exhausted) {
    to.exhausted = true;
    report(to, node, 'alias-expansion', {
      message: `Expanded, the aliases of this file make more than ${grouped(maxValues)} values.`,
      hint: 'Nest fewer aliases.',
    });
  }
  return anchored.value;
}

function convertMap(map: YAMLMap, to: Conversion): Json {
  const own: Record<string, Json> = {};
  const merged: Json[] = [];
  for (const pair of map.items) {
    if (isMerge(pair)) pushAll(merged, mergeSources(pair, to));
    else {
      const key = keyOf(pair, to);
      define(own, key, convert(pair.value as Node | null, to));
    }
  }
  for (const source of merged) {
    if (!isJsonObject(source)) continue;
    for (const [key, value] of Object.entries(source)) {
      if (!Object.hasOwn(own, key)) define(own, key, value);
      else if (key === filtersOfDelivery) layFilters(map, mapAt(own[key]), mapAt(value), to);
      else if (own[key] === null) takeAway(own, [key]);
    }
  }
  return own;
}

/** A merge joins no maps inside, so a filter of a merged map that the other map leaves out would limit nothing. */
function layFilters(map: YAMLMap, filters: JsonObject, merged: JsonObject, to: Conversion): void {
  const ids = Object.keys(merged);
  const lost = ids.filter((id) => !Object.hasOwn(filters, id));
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === filtersOfDelivery) ?? map.items.find(isMerge);
  if (lost.length > 0)
    report(to, pair?.key as Node, 'filter-dropped', {
      message: `This map takes the place of one that \`<<\` merges, and leaves out ${codeList(lost)}.`,
      hint: 'Merge the other map inside this one (`<<: *anchor`), or write `null` for what the report is not limited by.',
    });
  takeAway(
    filters,
    ids.filter((id) => filters[id] === null),
  );
}

function takeAway(map: JsonObject, keys: readonly string[]): void {
  if (keys.length > 0) takenFromMerges.set(map, [...(takenFromMerges.get(map) ?? []), ...keys]);
}

function keyOf(pair: Pair, to: Conversion): string {
  const { key } = pair;
  if (!isScalar(key) || typeof key.value !== 'string') {
    report(to, key as Node | null, 'invalid-key', {
      message: 'The key of a map must be a string.',
      hint: 'Write a name before the colon.',
    });
    return '';
  }
  if (key.value === secretKey) {
    report(to, key, 'reserved-key', {
      message: `The key ${secretKey} marks secrets in the state file, so a declaration cannot contain it.`,
      hint: 'Remove it, or rename it.',
    });
  }
  return key.value;
}

function mergeSources(pair: Pair, to: Conversion): Json[] {
  const value = convert(pair.value as Node | null, to);
  const sources: readonly Json[] = Array.isArray(value) ? value : [value];
  if (!sources.every(isJsonObject) && !to.exhausted) {
    // If the value is an alias without an anchor, the alias is the mistake, not the key.
    const at = isAlias(pair.value) && typeof to.anchors.get(pair.value.source) !== 'object' ? pair.value : pair.key;
    report(to, at as Node, 'invalid-merge', {
      message: 'The merge key << accepts a map or a list of maps, usually as an alias.',
      hint: 'Write <<: *anchor, with the anchor on a map.',
    });
  }
  return [...sources];
}

function scalar(node: Node, to: Conversion): Json {
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value !== 'number' && typeof value !== 'bigint') return value as Json;
  const number = Number(value);
  if (!Number.isFinite(number)) {
    report(to, node, 'not-a-number', {
      message: 'YAML reads this as a number, and JSON cannot represent it.',
      hint: 'Quote it if it is a string.',
    });
    // The source text, so that the rest of the document is still checked.
    return source ?? null;
  }
  if (!isKept(number, source ?? '')) to.isInexact = true;
  return number;
}

/** The faulty text is not quoted: it could be a password, and the snippet shows the place. */
function report(
  to: Conversion,
  node: Node | null | undefined,
  code: Finding['code'],
  words: { message: string; hint?: string },
): void {
  const range = node?.range ?? [0, 0, 0];
  to.findings.push({
    code,
    ...words,
    place: { file: to.file, span: { start: range[0], end: Math.max(range[1], range[0] + 1) } },
  });
}
