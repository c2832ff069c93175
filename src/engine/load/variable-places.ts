// Where almanac.yaml sets a variable, for the places of a loop's items.

import { pointerTo } from '../../model/values/pointer.ts';
import { valueAt } from '../../model/values/value-at.ts';
import { placeOf, type SourceFile } from '../../model/workspace/source-file.ts';
import type { Scope } from '../../parse/expand/resolve-reference.ts';
import { makeLocator } from '../../parse/locate.ts';
import { parseSource } from '../../parse/parse-source.ts';

/** In the chosen environment, or else in the shared part of almanac.yaml. */
export function variablePlacesIn(
  file: SourceFile,
  environmentName: string | undefined,
): NonNullable<Scope['variablePlace']> {
  return (name) => {
    const [document] = parseSource(file).value;
    if (document === undefined) return undefined;
    const pointers = [
      ...(environmentName === undefined ? [] : [pointerTo('environments', environmentName, 'variables', name)]),
      pointerTo('variables', name),
    ];
    const pointer = pointers.find((each) => valueAt(document.value, each) !== undefined);
    if (pointer === undefined) return undefined;
    const origin = { ...document.origin, pointer };
    const locator = makeLocator(() => file);
    return { origin, lineOf: (key: string) => locator.locate(placeOf(origin, 'key', key))?.line ?? 1 };
  };
}
