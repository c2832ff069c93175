// Who uses a place: every field of every resource, by the places and names that its value refers to.

import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { Declaring } from './value-place.ts';
import { textFilePath, type Use, type ValuePlace } from './value-place.ts';
import type { Walk } from './walk-value.ts';

/** Every use of the text at a place and of what lies in it. */
export function collectUses(resources: readonly Declaring[], walk: Walk): (place: ValuePlace) => readonly Use[] {
  const texts = new Map<string, Map<Pointer, Use[]>>();
  const names = new Map<string, Use[]>();
  const add = <K>(map: Map<K, Use[]>, key: K, use: Use): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [use]);
    else known.push(use);
  };
  const addText = (origin: Origin, use: Use): void => {
    const key = documentKey(origin);
    const inDocument = texts.get(key) ?? new Map<Pointer, Use[]>();
    texts.set(key, inDocument);
    add(inDocument, origin.pointer, use);
  };
  for (const resource of resources) {
    for (const field of Object.keys(resource.attributes)) {
      walk(resource, field, {
        part: ({ place, value, path, isWhole }) => {
          // A key names its item, and nothing is written there.
          if (place.kind === 'item' && place.part === 'key') return;
          const { origin } = place;
          const use = { resource, field, path, isWhole };
          addText(origin, use);
          if (value.pointer !== origin.pointer) addText({ ...origin, pointer: value.pointer }, use);
        },
        reference: ({ namespace, name }, { place, path, isWhole }) => {
          const use = { resource, field, path, isWhole };
          if (namespace === 'file') add(names, textFileKey(textFilePath(place.origin.file, name)), use);
          if (namespace === 'var') add(names, variableKey(name), use);
          if (namespace === 'audience') add(names, audienceKey(name), use);
        },
      });
    }
  }
  const sortedPointers = memoize((key: string) => [...(texts.get(key)?.keys() ?? [])].sort(byCodeUnit));
  const within = (origin: Origin): readonly Use[] => {
    const key = documentKey(origin);
    const found = pointersWithin(sortedPointers(key), origin.pointer);
    return found.flatMap((pointer) => texts.get(key)?.get(pointer) ?? []);
  };
  return (place) => {
    if (place.kind === 'text-file') return names.get(textFileKey(place.path)) ?? [];
    if (place.kind !== 'variable' && place.kind !== 'audience') return within(place.origin);
    const key = place.kind === 'variable' ? variableKey(place.name) : audienceKey(place.name);
    return [...(names.get(key) ?? []), ...within(place.origin)];
  };
}

/** A pointer, and those that begin with it and a slash: they are next to each other. */
function pointersWithin(sorted: readonly Pointer[], pointer: Pointer): readonly Pointer[] {
  const firstFrom = (text: string) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const own = firstFrom(pointer);
  // `0` is the character after the slash.
  const below = sorted.slice(firstFrom(`${pointer}/`), firstFrom(`${pointer}0`));
  return sorted[own] === pointer ? [pointer, ...below] : below;
}

function documentKey({ file, document }: Origin): string {
  return `${document} ${file}`;
}

function variableKey(name: string): string {
  return `var ${name}`;
}

function audienceKey(name: string): string {
  return `audience ${name}`;
}

function textFileKey(path: string): string {
  return `file ${path}`;
}
