// The source files as a stage reads them: their values, and how these stand in the text. Each is read once. And how a
// stage edits them.

import type { Section } from '../../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Edit, editYaml } from '../../yaml/edit/edit-yaml.ts';
import { type Layout, layoutOf } from '../../yaml/edit/layout.ts';
import { sourceOrder } from '../../yaml/format/canonical-order.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import type { FoldInput } from './fold-stage.ts';

export interface SourcePage {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly RawDocument[];
  readonly layout: Layout;
}

/** By path; a file that may not change is empty. */
export type PageOf = (path: string) => SourcePage;

export function sourcePages({ files, parse }: FoldInput): PageOf {
  return memoize((path) => {
    const text = files.get(path) ?? '';
    return { path, text, documents: parse({ path, text }).value, layout: layoutOf(text) };
  });
}

/** Undefined if the layout of the file is not supported. */
export function editSource(
  path: string,
  text: string,
  edits: readonly Edit[],
  { parse }: FoldInput,
): string | undefined {
  return editYaml(text, edits, sourceOrder, (each) => parse({ path, text: each }));
}

/** The default that the file has already. As in each file, the last document with one counts. */
export function defaultIn(documents: readonly RawDocument[], section: Section, field: string): Json | undefined {
  return documents.map((document) => defaultsOf(document, section)[field]).findLast((value) => value !== undefined);
}

function defaultsOf({ value }: RawDocument, section: Section): JsonObject {
  const defaults = isJsonObject(value) ? value['defaults'] : undefined;
  const ofSection = isJsonObject(defaults) ? defaults[section] : undefined;
  return isJsonObject(ofSection) ? ofSection : {};
}
