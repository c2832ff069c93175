// Checks the entries of moved, adopt and removed against the declarations. Only the state shows whether an entry is
// still needed; the planner decides that.

import { groupOf, itemOf, kindOf } from '../../model/values/address.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Finding, type Origin, placeOf } from '../../model/workspace/diagnostic.ts';
import type { Adoption, Desired, Loop, Move, Removal, Resource } from '../../model/workspace/resource.ts';
import { didYouMean } from '../findings/suggest.ts';

export function referencesHold({
  resources,
  moves,
  adoptions,
  removals,
  loops = [],
  absent = [],
}: Desired): readonly Finding[] {
  if (moves.length === 0 && adoptions.length === 0 && removals.length === 0) return [];
  const declared = new Set(resources.map(({ address }) => address));
  const tests = new Set(
    resources.flatMap(({ address, attributes }) => (attributes['testNow'] === true ? address : [])),
  );
  const elsewhere = new Set(absent.map(({ address }) => address));
  return [
    ...movesHold(moves, declared, loops),
    ...adoptionsHold(adoptions, declared, tests, loops),
    ...removals.flatMap((removal) => removalHolds(removal, resources, loops, elsewhere)),
  ];
}

function movesHold(moves: readonly Move[], declared: ReadonlySet<string>, loops: readonly Loop[]): readonly Finding[] {
  const next = new Map(expandMoves(moves, loops).map(({ from, to }) => [from, to]));
  const targets = new Set(moves.map(({ to }) => to));
  const isRepeated = repeatedIn(moves, ['from', 'to']);
  return moves.flatMap((move) => {
    const complain = (field: 'from' | 'to', message: string, hint: string) => [
      problem('invalid-moved', move.origin, field, message, hint),
    ];
    const { from, to } = move;
    if (kindOf(from) !== kindOf(to))
      return complain(
        'to',
        `\`${from}\` and \`${to}\` belong to different sections.`,
        'A resource keeps its kind when it moves. Correct one of the two.',
      );
    if (from === to) return complain('to', 'Both addresses are the same.', 'Remove the entry.');
    const repeated = isRepeated(move);
    if (repeated !== undefined) return complain(repeated.field, ...sameAs(repeated));
    if (isInCircle(from, next)) return complain('to', circle(from, to), noCircle);
    if (declared.has(from) && !targets.has(from)) {
      return complain('from', `\`${from}\` is still declared.`, 'Remove its declaration, or the entry.');
    }
    if (groupEnd(move, moves, loops) !== undefined) {
      if (!isLoopAddress(from, loops) || targets.has(from)) return [];
      return complain('from', `\`${from}\` is still declared.`, 'Remove its declaration, or the entry.');
    }
    if (isLoopAddress(to, loops) && !next.has(to)) {
      const message = `\`${to}\` is a loop, and \`${from}\` can become only one of its instances.`;
      return complain('to', message, instanceOf(to, loops));
    }
    // Another entry may lead into a circle, which is reported there.
    const way = wayFrom(to, next);
    const end = way.find((address) => declared.has(address)) ?? way.at(-1) ?? to;
    if (declared.has(end) || next.has(end)) return [];
    return complain('to', `\`${end}\` is not declared.`, didYouMean(end, [...declared]) ?? stillThere);
  });
}

/** The addresses that the entries lead through, from this one on, each of them once. */
export function wayFrom(address: string, next: ReadonlyMap<string, string>): readonly string[] {
  const way = new Set([address]);
  for (let at = next.get(address); at !== undefined && !way.has(at); at = next.get(at)) way.add(at);
  return [...way];
}

/** Whether the entries lead from an address back to it. */
function isInCircle(from: string, next: ReadonlyMap<string, string>): boolean {
  return next.get(wayFrom(from, next).at(-1) ?? from) === from;
}

const circle = (from: string, to: string) =>
  `The entry from \`${from}\` to \`${to}\` is part of a circle, which looks the same before and after it was applied.`;
const noCircle =
  'If it was applied already, remove the entries. Otherwise move one of the resources to a free address, apply that, and then move the others.';

function instanceOf(address: string, loops: readonly Loop[]): string {
  const [key = 'KEY'] = loops.find((loop) => loop.address === address)?.keys ?? [];
  return `Name the instance, such as \`${address}.${key}\`.`;
}

const stillThere = 'Name its current address.';

function adoptionsHold(
  adoptions: readonly Adoption[],
  declared: ReadonlySet<string>,
  tests: ReadonlySet<string>,
  loops: readonly Loop[],
): readonly Finding[] {
  const isRepeated = repeatedIn(adoptions, ['to', 'id']);
  return adoptions.flatMap((adoption) => {
    const { to, origin } = adoption;
    if (isLoopAddress(to, loops)) {
      const message = `\`${to}\` is a loop, and one schedule can be adopted only as one of its instances.`;
      return [problem('invalid-adopt', origin, 'to', message, instanceOf(to, loops))];
    }
    if (!declared.has(to)) {
      const message = `\`${to}\` is not declared, so the schedule cannot be adopted under this address.`;
      return [problem('invalid-adopt', origin, 'to', message, didYouMean(to, [...declared]) ?? 'Declare it first.')];
    }
    if (tests.has(to)) {
      const message = `\`${to}\` is a test delivery (testNow). An existing schedule cannot become one.`;
      return [
        problem('invalid-adopt', origin, 'to', message, 'Remove testNow from the declaration, or remove the entry.'),
      ];
    }
    const repeated = isRepeated(adoption);
    return repeated === undefined ? [] : [problem('invalid-adopt', origin, repeated.field, ...sameAs(repeated))];
  });
}

interface Repeated<F extends string> {
  readonly field: F;
  readonly first: { readonly origin: Origin };
}

/** The first field of an entry whose value an earlier entry also has. */
function repeatedIn<F extends string, E extends Readonly<Record<F, string>> & { readonly origin: Origin }>(
  entries: readonly E[],
  fields: readonly F[],
): (entry: E) => Repeated<F> | undefined {
  const firsts = fields.map((field) => {
    const first = new Map<string, E>();
    for (const entry of entries) if (!first.has(entry[field])) first.set(entry[field], entry);
    return [field, first] as const;
  });
  return (entry) => {
    for (const [field, first] of firsts) {
      const other = first.get(entry[field]);
      if (other !== undefined && other !== entry) return { field, first: other };
    }
    return undefined;
  };
}

function sameAs({ field, first }: Repeated<string>): readonly [message: string, hint: string] {
  return [`An earlier entry, in ${first.origin.file}, has the same \`${field}\`.`, 'Keep one of the two.'];
}

function removalHolds(
  { from, origin }: Removal,
  resources: readonly Resource[],
  loops: readonly Loop[],
  elsewhere: ReadonlySet<string>,
): readonly Finding[] {
  const declared = resources.find(({ address, item }) => address === from || item?.loop.address === from);
  if (declared === undefined && !isLoopAddress(from, loops)) return [];
  const isLimited = declared?.in !== undefined || elsewhere.has(declared?.address ?? from);
  const hint = 'Remove its declaration, or the entry.';
  return [
    problem(
      'invalid-removed',
      origin,
      'from',
      isLimited ? `\`${from}\` is still declared, for some environments.` : `\`${from}\` is still declared.`,
      isLimited
        ? `${hint} To stop tracking it where it no longer exists: \`almanac state rm ${from} --env NAME\`.`
        : hint,
    ),
  ];
}

function problem(code: Code, origin: Origin, field: string, message: string, hint: string): Finding {
  return { code, message, hint, place: placeOf(origin, 'value', field) };
}

// An entry of `moved` between two loops, or to a new name of a loop, moves every instance. Which instances there are, only
// the declarations tell: so such an entry becomes one for each item.

/** The loop that the instances of an entry end up in; undefined for an entry about a single resource. */
function groupEnd(move: Move, moves: readonly Move[], loops: readonly Loop[]): Loop | undefined {
  if (loops.length === 0 || itemOf(move.from) !== undefined || itemOf(move.to) !== undefined) return undefined;
  const next = new Map(moves.map((each) => [each.from, each.to]));
  for (const end of wayFrom(move.to, next)) {
    const following = next.get(end);
    // What becomes an instance was a single resource.
    if (itemOf(end) !== undefined || (following !== undefined && itemOf(following) !== undefined)) return undefined;
    const loop = loops.find(({ address }) => address === end);
    if (loop !== undefined) return loop;
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
function isLoopAddress(address: string, loops: readonly Loop[]): boolean {
  return groupOf(address) === address && loops.some((loop) => loop.address === address);
}
