// The entries of moved, adopt and removed in the documents of a workspace.

import { isJsonObject, type Json } from '../model/values/json.ts';
import { pointerSegments, pointerTo } from '../model/values/pointer.ts';
import type { Desired } from '../model/workspace/resource.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import type { PlacedFinding } from './findings/rule.ts';

/** The entries of moved, adopt and removed that are valid by their schema. */
export function entriesIn(
  documents: readonly RawDocument[],
  findings: readonly (readonly PlacedFinding[])[],
): Pick<Desired, 'moves' | 'adoptions' | 'removals'> {
  const entries = (name: string) =>
    documents.flatMap(({ value, origin }, document) => {
      const list = listIn(value, name);
      if (list.length === 0) return [];
      const broken = new Set(
        findings[document]?.map(({ place }) => pointerSegments(place.pointer).slice(0, 2).join('/')),
      );
      return list.flatMap((entry, index) =>
        isJsonObject(entry) && !broken.has(`${name}/${index}`)
          ? [
              {
                from: String(entry['from']),
                to: String(entry['to']),
                id: String(entry['id']),
                origin: { ...origin, pointer: pointerTo(name, index) },
              },
            ]
          : [],
      );
    });
  return {
    moves: entries('moved').map(({ from, to, origin }) => ({ from, to, origin })),
    // Case makes no difference in a UUID; the service writes lower case.
    adoptions: entries('adopt').map(({ to, id, origin }) => ({ to, id: id.toLowerCase(), origin })),
    removals: entries('removed').map(({ from, origin }) => ({ from, origin })),
  };
}

function listIn(value: Json, name: string): readonly Json[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
