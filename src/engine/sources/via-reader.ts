// The place of a value as people look it up: a file and a line.

import type { Via } from '../../model/workspace/composed/resolved.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { makeLocator } from '../../parse/locate.ts';
import type { ValuePlace } from './value-place.ts';
import type { ValueSources } from './value-source.ts';

export function viaReader(
  sources: Pick<ValueSources, 'lineOf'>,
  fileNamed: (path: string) => SourceFile | undefined,
): (place: ValuePlace) => Via {
  // For the cells of CSV files: the files of YAML are open.
  const locator = makeLocator(fileNamed);
  return (place) => {
    if (place.kind === 'text-file') return { kind: place.kind, file: place.path };
    const line = sources.lineOf(place.origin) ?? locator.locate({ ...place.origin, at: 'value' })?.line;
    return {
      kind: place.kind,
      ...('name' in place ? { name: place.name } : {}),
      file: place.origin.file,
      ...(line === undefined ? {} : { line }),
    };
  };
}
