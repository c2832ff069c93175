// Which tracked resource stands where after the entries of `moved`.
//
// An entry is followed from where a resource was to the first address on its way that is declared, so chains and
// shifts work. An entry whose `from` is declared and tracked as well is part of a swap, or of a shift, and such an
// entry looks the same before and after it was applied: `a -> b, b -> a` would swap back at the next plan. So the
// resources themselves are asked. When one of them already has the content that is declared where it stands, the
// entries have done their work; when one has the content that is declared where it would go, they have not. When
// neither is so, nothing is guessed: it is an error that asks for the entries to be taken out.

import type { Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Desired, Move, SealedResource } from '../model/resource.ts';
import { placeOf } from '../model/source-file.ts';
import type { StateResource } from '../model/state.ts';
import { diffAttributes } from './diff-attributes.ts';

type Tracked = ReadonlyMap<Address, StateResource>;

export interface Followed {
  /** New address by old one. */
  readonly moved: ReadonlyMap<Address, Address>;
  readonly findings: readonly Finding[];
}

export function followMoves(desired: Desired<SealedResource>, tracked: Tracked): Followed {
  const declared = new Map(desired.resources.map((resource) => [resource.address, resource]));
  const next = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const moved = new Map<Address, Address>();
  const findings: Finding[] = [];
  for (const move of desired.moves) {
    if (!tracked.has(move.from)) {
      findings.push(stale(move));
      continue;
    }
    const end = endOf(move, next, declared);
    if (end !== undefined && declared.has(end)) moved.set(move.from, end);
  }
  settleOccupied(desired.moves, moved, declared, tracked, findings);
  return { moved, findings };
}

function endOf(
  move: Move,
  next: ReadonlyMap<Address, Address>,
  declared: ReadonlyMap<Address, unknown>,
): Address | undefined {
  const seen = new Set([move.from]);
  let end: Address | undefined = move.to;
  while (end !== undefined && !declared.has(end) && !seen.has(end)) {
    seen.add(end);
    end = next.get(end);
  }
  return end;
}

/** Decides the moves that go to an address which is tracked already. */
function settleOccupied(
  moves: readonly Move[],
  moved: Map<Address, Address>,
  declared: ReadonlyMap<Address, SealedResource>,
  tracked: Tracked,
  findings: Finding[],
): void {
  for (const move of moves) {
    const to = moved.get(move.from);
    if (to === undefined || !tracked.has(to)) continue;
    const cycle = groupOf(move.from, moved);
    if (!declared.has(move.from) || ![...cycle.values()].every((end) => tracked.has(end) || cycle.has(end))) {
      if (moved.has(to)) continue;
      moved.delete(move.from);
      findings.push(occupied(move, to));
      continue;
    }
    const settled = [...cycle.keys()].some((address) => equal(declared.get(address), tracked.get(address)));
    const pending = [...cycle].some(([from, end]) => equal(declared.get(end), tracked.get(from)));
    if (!settled && pending) continue;
    for (const from of cycle.keys()) moved.delete(from);
    findings.push(settled ? stale(move) : undecided(move));
  }
}

/** The moves that hang together with the one from this address. */
function groupOf(start: Address, moved: ReadonlyMap<Address, Address>): ReadonlyMap<Address, Address> {
  const group = new Map<Address, Address>();
  for (let from = start, to = moved.get(from); to !== undefined && !group.has(from); from = to, to = moved.get(from)) {
    group.set(from, to);
  }
  return group;
}

function equal(resource: SealedResource | undefined, prior: StateResource | undefined): boolean {
  return (
    resource !== undefined &&
    prior !== undefined &&
    diffAttributes(resource.kind, prior.attributes, resource.attributes).length === 0
  );
}

function stale(move: Move): Finding {
  return {
    code: 'stale-moved',
    message: `Nothing is left to move from \`${move.from}\`.`,
    hint: 'Take the entry out when every environment has been applied.',
    place: placeOf(move.origin),
  };
}

function occupied(move: Move, to: Address): Finding {
  return {
    code: 'invalid-moved',
    message: `\`${move.from}\` and \`${to}\` are both tracked, so one can not become the other.`,
    hint: `Take the entry out, or release one of them with a removed entry.`,
    place: placeOf(move.origin),
  };
}

function undecided(move: Move): Finding {
  return {
    code: 'invalid-moved',
    message: `\`${move.from}\` and \`${move.to}\` change places and change as well; whether they have changed places already can not be told.`,
    hint: 'Apply the exchange alone first; if it was applied, take the entries out.',
    place: placeOf(move.origin),
  };
}
