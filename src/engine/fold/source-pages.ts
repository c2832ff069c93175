// The source files as a stage reads them: their values, and how these stand in the text. Each is read once.

import { memoize } from '../../model/values/memoize.ts';
import { type OwnPlaces, ownPlaces } from '../../parse/edit/own-places.ts';
import { parseSource, type RawDocument } from '../../parse/parse-source.ts';
import type { FoldInput } from './fold-stage.ts';

export interface SourcePage {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly RawDocument[];
  readonly places: OwnPlaces;
}

/** By path; a file that may not change is empty. */
export type PageOf = (path: string) => SourcePage;

export function sourcePages({ files }: FoldInput): PageOf {
  return memoize((path) => {
    const text = files.get(path) ?? '';
    return { path, text, documents: parseSource({ path, text }).value, places: ownPlaces(text) };
  });
}
