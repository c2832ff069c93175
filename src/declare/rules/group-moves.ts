// An entry of `moved` between two loops, or to a new name of a loop, moves every instance. Which instances there are, only
// the declarations tell: so such an entry becomes one for each item.

import { groupOf, itemOf } from '../../model/values/address.ts';
import type { Loop, Move } from '../../model/workspace/resource.ts';

/** The loop that the instances of an entry end up in; undefined for an entry about a single resource. */
export function groupEnd(move: Move, moves: readonly Move[], loops: readonly Loop[]): Loop | undefined {
  if (loops.length === 0 || itemOf(move.from) !== undefined || itemOf(move.to) !== undefined) return undefined;
  const next = new Map(moves.map((each) => [each.from, each.to]));
  const seen = new Set<string>();
  for (let end: string | undefined = move.to; end !== undefined && !seen.has(end); end = next.get(end)) {
    const following = next.get(end);
    // What becomes an instance was a single resource.
    if (itemOf(end) !== undefined || (following !== undefined && itemOf(following) !== undefined)) return undefined;
    const loop = loops.find(({ address }) => address === end);
    if (loop !== undefined) return loop;
    seen.add(end);
  }
  return undefined;
}

/** The same entries where there is no loop. */
export function expandMoves(moves: readonly Move[], loops: readonly Loop[]): readonly Move[] {
  if (loops.length === 0) return moves;
  const named = moves.flatMap(({ from, to }) => [itemOf(from) ?? [], itemOf(to) ?? []].flat());
  const froms = new Set(moves.map(({ from }) => from));
  const targets = new Set(moves.map(({ to }) => to));
  return moves.flatMap((move) => {
    const loop = groupEnd(move, moves, loops);
    if (loop === undefined) return [move];
    const group = { from: move.from, to: move.to };
    const { origin } = move;
    const instances = [...new Set([...loop.keys, ...named])]
      .map((item): Move => ({ from: `${group.from}.${item}`, to: `${group.to}.${item}`, origin, group }))
      .filter(({ from, to }) => !froms.has(from) && !targets.has(to));
    // Where other entries name all of its instances, the planner still has to know of it.
    return instances.length > 0 ? instances : [{ ...move, group }];
  });
}

/** Whether an address is that of a loop, and not of a resource. */
export function isLoopAddress(address: string, loops: readonly Loop[]): boolean {
  return groupOf(address) === address && loops.some((loop) => loop.address === address);
}
