// Turns an entry of `moved` about a loop into one for each instance. A move between two loops, or to a new name of a
// loop, moves every instance, and only the declarations tell which instances there are.

import { groupOf, itemOf } from '../../model/values/address.ts';
import { endFinder } from '../../model/workspace/move-ways.ts';
import type { Loop, Move } from '../../model/workspace/resource.ts';

/** By entry: the loop that its instances end up in; undefined for an entry about a single resource. */
export function loopEnds(moves: readonly Move[], loops: readonly Loop[]): (move: Move) => Loop | undefined {
  if (loops.length === 0) return () => undefined;
  const loopAt = new Map(loops.map((loop) => [loop.address, loop]));
  const next = new Map(moves.map((each) => [each.from, each.to]));
  // What becomes an instance was a single resource.
  const isSingle = (address: string) => [address, next.get(address) ?? ''].some((each) => itemOf(each) !== undefined);
  const endOf = endFinder(next, (address) => isSingle(address) || loopAt.has(address));
  return ({ from, to }) => {
    const end = itemOf(from) === undefined ? endOf(to) : undefined;
    return end === undefined || isSingle(end) ? undefined : loopAt.get(end);
  };
}

/** The same entries where there is no loop. */
export function expandMoves(moves: readonly Move[], loops: readonly Loop[]): readonly Move[] {
  if (loops.length === 0) return moves;
  const named = moves.flatMap(({ from, to }) => [itemOf(from) ?? [], itemOf(to) ?? []].flat());
  const froms = new Set(moves.map(({ from }) => from));
  const targets = new Set(moves.map(({ to }) => to));
  const loopOf = loopEnds(moves, loops);
  return moves.flatMap((move) => {
    const loop = loopOf(move);
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

export type LoopAt = ReadonlyMap<string, Loop>;

/** Whether an address is that of a loop, and not of a resource. */
export function isLoopAddress(address: string, loopAt: LoopAt): boolean {
  return groupOf(address) === address && loopAt.has(address);
}
