// Turns a composed YAML document into plain JSON: follows aliases and merge keys, and reports everything that JSON cannot
// represent or that would silently become something else. Values under an anchor are shared, not copied; their expanded
// size is counted, so that a few lines of aliases cannot fill the memory.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { pushAll } from '../model/values/collections.ts';
import { define, isJsonObject, type Json } from '../model/values/json.ts';
import { secretKey } from '../model/values/secret.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import { mostValues } from './read-values.ts';

interface Anchored {
  readonly value: Json;
  readonly size: number;
}

interface Conversion {
  readonly file: string;
  readonly findings: Finding[];
  readonly anchors: Map<string, Anchored | 'open'>;
  nodes: number;
  exhausted: boolean;
}

/** The value of the document; findings are errors if the value must not be used. */
export function toValue(document: Document.Parsed, file: string): WithFindings<Json> {
  const conversion: Conversion = { file, findings: [], anchors: new Map(), nodes: 0, exhausted: false };
  const value = convert(document.contents, conversion);
  return { value, findings: conversion.findings };
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
  if (to.nodes > mostValues && !to.exhausted) {
    to.exhausted = true;
    report(to, node, 'alias-expansion', {
      message: `Expanded, the aliases of this file make more than ${mostValues.toLocaleString('en')} values.`,
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
    else define(own, keyOf(pair, to), convert(pair.value as Node | null, to));
  }
  for (const source of merged) {
    if (!isJsonObject(source)) continue;
    for (const [key, value] of Object.entries(source)) if (!Object.hasOwn(own, key)) define(own, key, value);
  }
  return own;
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

/** Whether a pair is the merge key `<<`, written plain. */
export function isMerge(pair: Pair): boolean {
  const { key } = pair;
  return (
    isScalar(key) &&
    key.type === 'PLAIN' &&
    (key.value === '<<' || (typeof key.value === 'symbol' && key.value.description === '<<'))
  );
}

function mergeSources(pair: Pair, to: Conversion): Json[] {
  const value = convert(pair.value as Node | null, to);
  const sources: readonly Json[] = Array.isArray(value) ? value : [value];
  if (!sources.every(isJsonObject) && !to.exhausted) {
    report(to, pair.key as Node, 'invalid-merge', {
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
  if ((Number.isInteger(number) && !Number.isSafeInteger(number)) || /^[-+]?0\d/.test(source ?? '')) {
    report(to, node, 'inexact-number', {
      message: `YAML reads this as a number, which keeps ${Number.isSafeInteger(number) ? 'no leading zeros' : 'no more than 15 digits'}.`,
      hint: 'Quote it if it is a string.',
    });
  }
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
