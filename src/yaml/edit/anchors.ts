// The anchors of a document: where the value of an alias is written.

import type { CST } from 'yaml';
import { once } from '../../model/values/once.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { entriesOf, isCollection, isMap, isMergeEntry, keyOf, type Spot } from './source-entries.ts';

/**
 * The pointer of what an alias stands for; undefined where no pointer leads, as inside a map that is merged in place. The
 * document is walked when this is first asked.
 */
export type PointerOfAlias = (alias: CST.Token) => Pointer | undefined;

interface Anchored {
  readonly start: number;
  readonly pointer: Pointer | undefined;
}

export function pointersOfAliases(root: Spot): PointerOfAlias {
  const anchors = once(() => anchorsIn(root));
  return (alias) =>
    alias.type === 'alias'
      ? anchors()
          .get(alias.source.slice(1))
          ?.findLast(({ start }) => start < alias.offset)?.pointer
      : undefined;
}

function anchorsIn(root: Spot): ReadonlyMap<string, readonly Anchored[]> {
  const anchors = new Map<string, Anchored[]>();
  const visit = ({ anchor, head, value }: Spot, pointer: Pointer | undefined): void => {
    if (anchor !== undefined) anchors.set(anchor, [...(anchors.get(anchor) ?? []), { start: head, pointer }]);
    if (!isCollection(value)) return;
    const isOfMap = isMap(value);
    for (const [index, entry] of entriesOf(value).entries()) {
      const name = isOfMap ? keyOf(entry) : index;
      const isHidden = pointer === undefined || name === undefined || (isOfMap && isMergeEntry(entry));
      visit(entry, isHidden ? undefined : pointer + pointerTo(name));
    }
  };
  visit(root, '');
  return anchors;
}
