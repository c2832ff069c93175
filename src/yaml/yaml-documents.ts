// Turns text into YAML documents with the yaml package: decides which YAML is accepted, and reports errors as findings.
//
// The guard on depth is not cosmetic. The package composes documents recursively, and a few thousand brackets can
// abort the whole process (V8 gives up inside a regular expression, which no `catch` sees). Its tokens are made
// without recursion, so the depth is measured on them first, and what is too deep is never composed.

import { Composer, type CST, type Document, isScalar, LineCounter, type Pair, Parser } from 'yaml';
import { pushAll } from '../model/values/collections.ts';
import type { Finding, SourceFile } from '../model/workspace/diagnostic.ts';
import { maxDepth } from './read-values.ts';
import { complaintsOf } from './yaml-complaints.ts';

export interface YamlDocument {
  readonly document: Document.Parsed;
  /** The number of the document, from 0. */
  readonly index: number;
}

export interface YamlFile {
  readonly documents: readonly YamlDocument[];
  readonly lines: LineCounter;
  readonly findings: readonly Finding[];
}

/** The documents without errors, and the findings for the others. Never throws. */
export function parseYaml(file: SourceFile): YamlFile {
  const lines = new LineCounter();
  const tokens: CST.Token[] = [];
  for (const token of new Parser(lines.addNewLine).parse(file.text)) {
    const deep = tooDeep(token);
    if (deep !== undefined) {
      const finding: Finding = {
        code: 'too-deep',
        message: `Maps and lists are nested more than ${maxDepth} levels deep; no valid declaration is.`,
        hint: 'Look for unclosed brackets, and for an indentation that grows from line to line.',
        place: { file: file.path, span: { start: deep, end: deep + 1 } },
      };
      return { documents: [], lines, findings: [finding] };
    }
    tokens.push(token);
  }
  const composer = new Composer({
    version: '1.2',
    merge: true,
    stringKeys: true,
    // Compares every pair of keys in a map: minutes for a map of 100,000. complaintsOf finds duplicates instead.
    uniqueKeys: false,
    prettyErrors: false,
    // !!set, !!binary, !!timestamp and similar tags make values that JSON does not have.
    resolveKnownTags: false,
    lineCounter: lines,
  });
  const findings: Finding[] = [];
  const documents: YamlDocument[] = [];
  let index = 0;
  for (const document of composer.compose(tokens, false, file.text.length)) {
    const complaints = complaintsOf(document, file, lines);
    if (complaints.length === 0) documents.push({ document: document as Document.Parsed, index });
    else pushAll(findings, complaints);
    index += 1;
  }
  return { documents, lines, findings };
}

/** The offset of a token that is nested too deeply. */
function tooDeep(token: CST.Token): number | undefined {
  const stack: [CST.Token, number][] = [[token, 0]];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [current, depth] = entry;
    if (depth > maxDepth) return current.offset;
    if ('value' in current && current.value !== null && typeof current.value === 'object')
      stack.push([current.value, depth]);
    if (!('items' in current)) continue;
    for (const item of current.items) {
      if (item.key) stack.push([item.key, depth + 1]);
      if (item.value) stack.push([item.value, depth + 1]);
    }
  }
  return undefined;
}

/** True if a pair is the merge key `<<`, written plain. */
export function isMerge(pair: Pair): boolean {
  const { key } = pair;
  return (
    isScalar(key) &&
    key.type === 'PLAIN' &&
    (key.value === '<<' || (typeof key.value === 'symbol' && key.value.description === '<<'))
  );
}
