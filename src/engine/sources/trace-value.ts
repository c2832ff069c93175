// Where each part of a field has its value from, as people want to know it: who receives a report because of what.

import type { Pointer } from '../../model/values/pointer.ts';
import { referencesIn } from '../../parse/written/references-in.ts';
import type { Declaring } from './value-place.ts';
import { type LocatedPlace, type Trace, textFilePath } from './value-place.ts';
import type { Walk } from './walk-value.ts';

export function traceValue(resource: Declaring, field: string, walk: Walk): readonly Trace[] {
  const traces: Trace[] = [];
  walk(resource, field, {
    part: ({ path, place, value, raw, isWhole }) => {
      const isLeaf = typeof raw !== 'object' || raw === null || Object.keys(raw).length === 0;
      const whole =
        typeof raw === 'string' && place.kind !== 'variable' ? referencesIn(raw).whole?.namespace : undefined;
      // The reference itself gives nothing, and the pieces of a text are named once.
      const isReference = whole !== undefined && whole !== 'env';
      if (isLeaf && !isReference && isWhole) traces.push({ path, place: behindAlias(place, value.pointer) });
    },
    reference: ({ namespace, name }, { path, place, isWhole }, to) => {
      if (namespace === 'file')
        traces.push({ path, place: { kind: 'text-file', path: textFilePath(place.origin.file, name) } });
      else if (to !== undefined && !isWhole) traces.push({ path, place: to.place });
    },
  });
  return traces;
}

/** An alias stands for what is written at its anchor. */
function behindAlias(place: LocatedPlace, pointer: Pointer): LocatedPlace {
  const origin = { ...place.origin, pointer };
  if (pointer === place.origin.pointer) return place;
  return 'name' in place ? { ...place, origin } : { kind: 'anchor', origin };
}
