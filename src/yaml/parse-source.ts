// Turns a source file into the values of its documents with the yaml package, which knows what is wrong with it.

import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { sections } from '../model/values/address.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { Code } from '../model/workspace/codes.ts';
import { type Finding, hasErrors, type SourceFile } from '../model/workspace/diagnostic.ts';
import { audienceSection } from '../model/workspace/resource.ts';
import type { ParsedSource, RawDocument } from './raw-document.ts';
import { isMerge, toValue } from './to-value.ts';
import { parseYaml, type YamlDocument, type YamlFile } from './yaml-documents.ts';

/** Errors of a single value: the rest of the document is checked as if they did not exist. */
const ofOneValue: ReadonlySet<Code> = new Set(['not-a-number', 'unknown-anchor', 'reserved-key']);

/** Every readable document, and the findings for the others. `yaml`: what the file was parsed to, where that is known. */
export function parseSource(file: SourceFile, yaml: YamlFile = parseYaml(file)): ParsedSource {
  const findings: Finding[] = [...yaml.findings];
  const documents: RawDocument[] = [];
  for (const parsed of yaml.documents) {
    const { value, findings: own } = toValue(parsed.document, file.path);
    for (const finding of own) findings.push(finding);
    if (hasErrors(own.filter(({ code }) => !ofOneValue.has(code)))) continue;
    documents.push({
      origin: { file: file.path, document: parsed.index, pointer: '' },
      value,
      keyLines: keyLinesOf(parsed, yaml, file.text.includes('forEach')),
    });
  }
  return { value: documents, findings };
}

function keyLinesOf(
  { document }: YamlDocument,
  { lines }: YamlFile,
  mayHoldLoops: boolean,
): ReadonlyMap<Pointer, number> {
  const keyLines = new Map<Pointer, number>();
  const named: readonly unknown[] = [...sections, audienceSection];
  if (!isMap(document.contents)) return keyLines;
  for (const pair of document.contents.items) {
    if (!isScalar(pair.key) || !named.includes(pair.key.value)) continue;
    addKeyLines(pair.value as Node | null, String(pair.key.value));
  }
  return keyLines;

  /** The lines of the items of a loop, whose map may stand behind an anchor. */
  function addItemLines(value: unknown, pointer: Pointer): void {
    const node = isAlias(value) ? value.resolve(document) : value;
    if (!isMap(node)) return;
    for (const { key, value: entries } of node.items) {
      const items = isAlias(entries) ? entries.resolve(document) : entries;
      if (!isScalar(key) || key.value !== 'forEach' || !isMap(items)) continue;
      for (const item of items.items) {
        if (!isScalar(item.key)) continue;
        const { value: name, range } = item.key;
        keyLines.set(pointer + pointerTo('forEach', String(name)), lines.linePos(range?.[0] ?? 0).line);
      }
    }
    for (const pair of node.items) if (isMerge(pair)) addItemLines(pair.value, pointer);
  }

  /** Also the keys of a merged map, unless the map has the key itself. */
  function addKeyLines(value: unknown, section: string): void {
    const node = isAlias(value) ? value.resolve(document) : value;
    if (isSeq(node)) for (const item of node.items) addKeyLines(item, section);
    if (!isMap(node)) return;
    for (const { key, value: declared } of node.items) {
      const pointer = isScalar(key) ? pointerTo(section, String(key.value)) : undefined;
      if (pointer === undefined || keyLines.has(pointer)) continue;
      keyLines.set(pointer, lines.linePos((key as Scalar).range?.[0] ?? 0).line);
      if (mayHoldLoops) addItemLines(declared, pointer);
    }
    for (const pair of node.items) if (isMerge(pair)) addKeyLines(pair.value, section);
  }
}
