// A source file to the values of its documents, with the line of each resource's key: what the rest of the pipeline
// works on, free of syntax trees.

import { isAlias, isMap, isScalar } from 'yaml';
import { sections } from '../model/address.ts';
import { type Finding, hasErrors } from '../model/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { type Pointer, pointerTo } from '../model/pointer.ts';
import type { Origin, SourceFile } from '../model/source-file.ts';
import { toValue } from './to-value.ts';
import { parseYaml, type YamlDocument, type YamlFile } from './yaml-documents.ts';

export interface RawDocument {
  readonly origin: Origin;
  /** As written; null for an empty document. */
  readonly value: Json;
  /** The line of each key of a section, by pointer, from 1. */
  readonly keyLines: ReadonlyMap<Pointer, number>;
}

/** Every document without errors, and the findings about the others. */
export function parseSource(file: SourceFile): { documents: readonly RawDocument[]; findings: readonly Finding[] } {
  const yaml = parseYaml(file);
  const findings = [...yaml.findings];
  const documents: RawDocument[] = [];
  for (const parsed of yaml.documents) {
    const { value, findings: own } = toValue(parsed.document, file.path);
    findings.push(...own);
    if (hasErrors(own.filter(({ code }) => code !== 'not-a-number'))) continue;
    documents.push({
      origin: { file: file.path, document: parsed.index, pointer: '' },
      value,
      keyLines: keyLinesOf(parsed, yaml),
    });
  }
  return { documents, findings };
}

function keyLinesOf({ document }: YamlDocument, { lines }: YamlFile): ReadonlyMap<Pointer, number> {
  const keyLines = new Map<Pointer, number>();
  if (!isMap(document.contents)) return keyLines;
  for (const pair of document.contents.items) {
    if (!isScalar(pair.key) || !(sections as readonly unknown[]).includes(pair.key.value)) continue;
    const section = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
    if (!isMap(section)) continue;
    for (const { key } of section.items) {
      if (isScalar(key))
        keyLines.set(pointerTo(String(pair.key.value), String(key.value)), lines.linePos(key.range?.[0] ?? 0).line);
    }
  }
  return keyLines;
}

/** The entries of a map; none for anything else, which validation reports. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

export function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
