// The anchors of a document, and the places to which aliases and merge keys carry their values.

import type { CST } from 'yaml';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import {
  entriesOf,
  isCollection,
  isMap,
  isMergeEntry,
  keyOf,
  mergeSources,
  type SourceEntry,
  type Spot,
} from './source-entries.ts';

export interface Anchors {
  /** The pointer of what an alias stands for; undefined where no pointer leads, as inside a map that is merged in place. */
  pointerOf(alias: CST.Token): Pointer | undefined;
  /** All pointers that lead to the value at this one: itself, and those through aliases and merge keys. */
  samePlaces(pointer: Pointer): ReadonlySet<Pointer>;
}

interface Anchored {
  readonly start: number;
  readonly pointer: Pointer | undefined;
}

/** The value at `pointer` is that of `target`. */
interface Reference {
  readonly pointer: Pointer;
  readonly target: Pointer;
  /** Of a merge: the keys that the map has from elsewhere; undefined for an alias. */
  readonly hidden: ReadonlySet<string> | undefined;
}

interface Collected {
  readonly anchors: Map<string, Anchored[]>;
  readonly references: Reference[];
}

/** Collected when first asked for. */
export function anchorsOf(root: Spot): Anchors {
  let known: Collected | undefined;
  const collected = () => {
    known ??= collect(root);
    return known;
  };
  return {
    pointerOf: (alias) => targetOf(alias, collected().anchors),
    samePlaces: (pointer) => {
      const { references } = collected();
      const places = new Set([pointer]);
      for (const place of places) {
        for (const reference of references) {
          const other = throughReference(place, reference);
          if (other !== undefined) places.add(other);
        }
      }
      return places;
    },
  };
}

function throughReference(place: Pointer, { pointer, target, hidden }: Reference): Pointer | undefined {
  if (!isWithin(place, target)) return undefined;
  const rest = place.slice(target.length);
  if (hidden === undefined) return pointer + rest;
  const [key] = pointerSegments(rest);
  return key === undefined || hidden.has(key) ? undefined : pointer + rest;
}

function targetOf(alias: CST.Token, anchors: Collected['anchors']): Pointer | undefined {
  if (alias.type !== 'alias') return undefined;
  return anchors.get(alias.source.slice(1))?.findLast(({ start }) => start < alias.offset)?.pointer;
}

function collect(root: Spot): Collected {
  const found: Collected = { anchors: new Map(), references: [] };
  const visit = ({ anchor, head, value }: Spot, pointer: Pointer | undefined): void => {
    if (anchor !== undefined) {
      const anchored = { start: head, pointer };
      const others = found.anchors.get(anchor);
      if (others === undefined) found.anchors.set(anchor, [anchored]);
      else others.push(anchored);
    }
    if (value !== undefined && pointer !== undefined) addReference(value, pointer, undefined);
    if (!isCollection(value)) return;
    const entries = entriesOf(value);
    const isOfMap = isMap(value);
    entries.forEach((entry, index) => {
      const name = isOfMap ? keyOf(entry) : index;
      const isHidden = pointer === undefined || name === undefined || (isOfMap && isMergeEntry(entry));
      visit(entry, isHidden ? undefined : pointer + pointerTo(name));
    });
    if (isOfMap && pointer !== undefined) addMerges(entries, pointer);
  };
  const addReference = (alias: CST.Token, pointer: Pointer, hidden: Reference['hidden']) => {
    const target = targetOf(alias, found.anchors);
    if (target !== undefined) found.references.push({ pointer, target, hidden });
  };
  const addMerges = (entries: readonly SourceEntry[], pointer: Pointer) => {
    const sources = mergeSources(entries);
    // With several sources, which of them has a key is not known here.
    const [source] = sources;
    if (source !== undefined && sources.length === 1)
      addReference(source, pointer, new Set(entries.flatMap((entry) => keyOf(entry) ?? [])));
  };
  visit(root, '');
  return found;
}
