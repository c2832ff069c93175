// The references of a text in a source file, as it is written. interpolate.ts decides what they are worth.

import type { Json } from '../model/values/json.ts';
import { referenceTokens } from '../model/values/references.ts';
import { mapLeaves } from '../model/workspace/map-leaves.ts';

export interface Reference {
  readonly namespace: 'var' | 'env' | 'file' | 'audience' | 'each';
  readonly name: string;
}

export interface References {
  readonly all: readonly Reference[];
  /** The one reference that is the whole text. */
  readonly whole?: Reference;
}

const named = /^(var|env|file|audience|each)\.(.+)$/s;

export function referencesIn(text: string): References {
  const found = referenceTokens(text);
  const all = found.flatMap(({ inner = '', isClosed }) => {
    const [, namespace, name = ''] = (isClosed && named.exec(inner)) || [];
    return namespace === undefined ? [] : { namespace: namespace as Reference['namespace'], name };
  });
  const [first] = all;
  return found[0]?.written === text && first !== undefined ? { all, whole: first } : { all };
}

export function namesIn(value: Json, wanted: Reference['namespace']): ReadonlySet<string> {
  const names = new Set<string>();
  mapLeaves(value, (leaf) => {
    if (typeof leaf === 'string')
      for (const { namespace, name } of referencesIn(leaf).all) if (namespace === wanted) names.add(name);
    return leaf;
  });
  return names;
}
