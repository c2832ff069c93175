// Where each part of a field has its value from, as people want to know it: who receives a report because of what.

import type { SealedResource } from '../../model/workspace/resource.ts';
import { referencesIn } from '../../parse/written/references-in.ts';
import { type Trace, textFilePath } from './value-place.ts';
import type { Walk } from './walk-value.ts';

export function traceValue(resource: SealedResource, field: string, walk: Walk): readonly Trace[] {
  const traces: Trace[] = [];
  walk(resource, field, {
    part: ({ path, place, raw, isWhole }) => {
      const isLeaf = typeof raw !== 'object' || raw === null || Object.keys(raw).length === 0;
      const whole =
        typeof raw === 'string' && place.kind !== 'variable' ? referencesIn(raw).whole?.namespace : undefined;
      // The reference itself gives nothing, and the pieces of a text are named once.
      const isReference = whole !== undefined && whole !== 'env';
      if (isLeaf && !isReference && isWhole) traces.push({ path, place });
    },
    reference: ({ namespace, name }, { path, place, isWhole }, to) => {
      if (namespace === 'file')
        traces.push({ path, place: { kind: 'text-file', path: textFilePath(place.origin.file, name) } });
      else if (to !== undefined && !isWhole) traces.push({ path, place: to.place });
    },
  });
  return traces;
}
