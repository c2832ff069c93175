// Turns a source file into the values of its documents with the yaml package, which knows what is wrong with it.

import { isMap, type LineCounter } from 'yaml';
import { sections } from '../model/values/address.ts';
import { type Json, mapAt } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { Code } from '../model/workspace/codes.ts';
import { type Finding, hasErrors, type SourceFile, type Span } from '../model/workspace/diagnostic.ts';
import { audienceSection } from '../model/workspace/resource.ts';
import type { ParsedSource, RawDocument } from './raw-document.ts';
import { toValue } from './to-value.ts';
import { writtenDocument } from './written/written-values.ts';
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
      ...keysIn(parsed, yaml.lines, value),
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
