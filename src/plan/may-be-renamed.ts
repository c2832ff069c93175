// Suggests the entry of `moved` that would keep a schedule. Where key and content changed in one commit, content alone
// cannot tell that schedule from one that goes and another that comes. Only a name and a dashboard of one of each are a
// sign, or within them the key of an item.

import { namedOf, onWordsOf } from '../model/fields/identity.ts';
import type { Change } from '../model/plan/plan.ts';
import { type Address, groupOf, itemOf, kindAt } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { sensitive } from '../model/values/secret.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfResource } from '../model/workspace/field-place.ts';
import type { Move, SealedResource } from '../model/workspace/resource.ts';

type PossibleRename = Pick<Move, 'from' | 'to'>;

/** `declared`: all declared addresses. */
export function mayBeRenamedFindings(
  changes: readonly Change[],
  declared: readonly SealedResource[],
): readonly Finding[] {
  const gone = named(changes, ({ action, reason }) => reason === 'not-declared' && action !== 'update', 'before');
  if (gone.size === 0) return [];
  const made = named(changes, ({ action, reason }) => action === 'create' && reason === 'not-in-state', 'after');
  const renamed = [...gone].flatMap(([key, from]) => pairs(from, made.get(key) ?? []));
  if (renamed.length === 0) return [];
  const resources = new Map(declared.map((resource) => [resource.address, resource]));
  const remainingAddresses = new Set([...[...gone.values()].flat(), ...resources.keys()]);
  for (const { from } of renamed) remainingAddresses.delete(from);
  const stays = new Set([...remainingAddresses].map(groupOf));
  return renameEntries(renamed, stays).map(([{ from, to }, first]): Finding => {
    const resource = resources.get(first.to);
    return {
      code: 'may-be-renamed',
      message: `The plan removes \`${from}\` and creates \`${to}\` with the same name on the same ${onWordsOf(kindAt(to))}.`,
      hint: `If \`${from}\` was renamed, this line in a source file keeps its id:\n  moved: [{ from: ${from}, to: ${to} }]`,
      address: first.to,
      place: resource && placeOfResource(resource),
    };
  });
}

/** The addresses by what a list would call them. */
function named(
  changes: readonly Change[],
  isMeant: (change: Change) => boolean,
  side: 'before' | 'after',
): ReadonlyMap<string, readonly Address[]> {
  const known = changes.filter(isMeant).flatMap(({ kind, address, [side]: fields }) => {
    const { identifier, name } = namedOf(kind, fields ?? {}) ?? {};
    return [identifier, name].every(isKnown) ? [{ address, key: JSON.stringify([kind, identifier, name]) }] : [];
  });
  const groups = groupBy(known, ({ key }) => key);
  return new Map([...groups].map(([key, same]) => [key, same.map(({ address }) => address)]));
}

function isKnown(value: unknown): boolean {
  return typeof value === 'string' && value !== sensitive;
}

function pairs(gone: readonly Address[], made: readonly Address[]): readonly PossibleRename[] {
  const [from, to] = [gone[0], made[0]];
  if (from !== undefined && to !== undefined && gone.length === 1 && made.length === 1) return [{ from, to }];
  const byItem = groupBy(made, itemOf);
  const goneByItem = groupBy(gone, itemOf);
  return gone.flatMap((each) => {
    const item = itemOf(each);
    const [other, ...others] = byItem.get(item) ?? [];
    const isOne = item !== undefined && goneByItem.get(item)?.length === 1 && others.length === 0;
    return other !== undefined && isOne ? [{ from: each, to: other }] : [];
  });
}

/** One for a whole loop of which nothing else is left, with the first of its instances. */
function renameEntries(
  renamed: readonly PossibleRename[],
  stayingGroups: ReadonlySet<Address>,
): readonly (readonly [entry: PossibleRename, first: PossibleRename])[] {
  const byLoops = groupBy(renamed, ({ from, to }) => {
    const isSameItem = itemOf(from) !== undefined && itemOf(from) === itemOf(to);
    return isSameItem && !stayingGroups.has(groupOf(from)) ? `${groupOf(from)} ${groupOf(to)}` : `${from} ${to}`;
  });
  return [...byLoops].map(([key, [first]]) => {
    const [from = '', to = ''] = key.split(' ');
    return [{ from, to }, first];
  });
}
