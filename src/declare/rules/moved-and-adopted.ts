// Checks the entries of moved, adopt and removed against the declarations. Only the state shows whether an entry is
// still needed; the planner decides that.

import { addressesInCircles, endFinder, groupOf, itemOf, kindOf, kinds } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Finding, type Origin, placeOf } from '../../model/workspace/diagnostic.ts';
import {
  type Adoption,
  type Desired,
  type Loop,
  type Move,
  meet,
  type Removal,
  type Resource,
} from '../../model/workspace/resource.ts';
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
  const loopAt = new Map(loops.map((loop) => [loop.address, loop]));
  // For a loop, its first instance.
  const at = new Map(
    resources
      .toReversed()
      .flatMap((each) => [each.item?.loop.address ?? [], each.address].flat().map((address) => [address, each])),
  );
  return [
    ...movesHold(moves, declared, loops, loopAt),
    ...adoptionsHold(adoptions, declared, tests, loopAt),
    ...removals.flatMap((removal) => removalHolds(removal, at, loopAt, elsewhere)),
  ];
}

function movesHold(
  moves: readonly Move[],
  declared: ReadonlySet<string>,
  loops: readonly Loop[],
  loopAt: LoopAt,
): readonly Finding[] {
  const next = new Map(expandMoves(moves, loops).map(({ from, to }) => [from, to]));
  const circles = addressesInCircles(next);
  const endOf = endFinder(next, (address) => declared.has(address) || !next.has(address));
  const loopOf = loopEnds(moves, loops);
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
    if (circles.has(from)) return complain('to', circle(from, to), noCircle);
    if (declared.has(from) && !targets.has(from)) {
      return complain('from', `\`${from}\` is still declared.`, 'Remove its declaration, or the entry.');
    }
    if (loopOf(move) !== undefined) {
      if (!isLoopAddress(from, loopAt) || targets.has(from)) return [];
      return complain('from', `\`${from}\` is still declared.`, 'Remove its declaration, or the entry.');
    }
    if (isLoopAddress(to, loopAt) && !next.has(to)) {
      const message = `\`${to}\` is a loop, and \`${from}\` can become only one of its instances.`;
      return complain('to', message, instanceOf(to, loopAt));
    }
    const end = endOf(to);
    // Without an end, it leads into a circle, which is reported there.
    if (end === undefined || declared.has(end)) return [];
    return complain('to', `\`${end}\` is not declared.`, didYouMean(end, declared) ?? stillThere);
  });
}

const circle = (from: string, to: string) =>
  `The entry from \`${from}\` to \`${to}\` is part of a circle, which looks the same before and after it was applied.`;
const noCircle =
  'If the entries were applied already, remove them. Otherwise move one of the resources to a free address, apply that, and then move the others.';

function instanceOf(address: string, loopAt: LoopAt): string {
  const [key = 'KEY'] = loopAt.get(address)?.keys ?? [];
  return `Name the instance, such as \`${address}.${key}\`.`;
}

const stillThere = 'Name its current address.';

function adoptionsHold(
  adoptions: readonly Adoption[],
  declared: ReadonlySet<string>,
  tests: ReadonlySet<string>,
  loopAt: LoopAt,
): readonly Finding[] {
  // One entry a place, each with its id.
  const isRepeated = repeatedIn(adoptions, ['to', 'id'], meet);
  return adoptions.flatMap((adoption) => {
    const { to, origin } = adoption;
    // An invalid address is called a schedule.
    const kind = kinds[kindOf(to) ?? 'schedule'].words;
    if (isLoopAddress(to, loopAt)) {
      const message = `\`${to}\` is a loop, and one ${kind} can be adopted only as one of its instances.`;
      return [problem('invalid-adopt', origin, 'to', message, instanceOf(to, loopAt))];
    }
    if (!declared.has(to)) {
      const message = `\`${to}\` is not declared, so the ${kind} cannot be adopted under this address.`;
      return [problem('invalid-adopt', origin, 'to', message, didYouMean(to, declared) ?? 'Declare it first.')];
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

interface RepeatedEntry<F extends string> {
  readonly field: F;
  readonly first: { readonly origin: Origin };
}

/** The first field of an entry whose value an earlier entry also has. */
function repeatedIn<F extends string, E extends Readonly<Record<F, string>> & { readonly origin: Origin }>(
  entries: readonly E[],
  fields: readonly F[],
  mayBeOne: (entry: E, other: E) => boolean = () => true,
): (entry: E) => RepeatedEntry<F> | undefined {
  const firsts = fields.map((field) => {
    const first = new Map<string, E>();
    for (const entry of entries) if (!first.has(entry[field])) first.set(entry[field], entry);
    return [field, first] as const;
  });
  return (entry) => {
    for (const [field, first] of firsts) {
      const other = first.get(entry[field]);
      if (other !== undefined && other !== entry && mayBeOne(entry, other)) return { field, first: other };
    }
    return undefined;
  };
}

function sameAs({ field, first }: RepeatedEntry<string>): readonly [message: string, hint: string] {
  return [`An earlier entry, in ${first.origin.file}, has the same \`${field}\`.`, 'Keep one of the two.'];
}

function removalHolds(
  { from, origin }: Removal,
  at: ReadonlyMap<string, Resource>,
  loopAt: LoopAt,
  elsewhere: ReadonlySet<string>,
): readonly Finding[] {
  const declared = at.get(from);
  if (declared === undefined && !isLoopAddress(from, loopAt)) return [];
  const isLimited = declared?.in !== undefined || elsewhere.has(declared?.address ?? from);
  const hint = 'Remove its declaration, or the entry.';
  return [
    problem(
      'invalid-removed',
      origin,
      'from',
      isLimited ? `\`${from}\` is still declared, for some environments.` : `\`${from}\` is still declared.`,
      isLimited
        ? `${hint} To stop tracking it where it no longer exists: \`${command('state rm', from, '--env', 'NAME')}\`.`
        : hint,
    ),
  ];
}

function problem(code: Code, origin: Origin, field: string, message: string, hint: string): Finding {
  return { code, message, hint, place: placeOf(origin, 'value', field) };
}

/** By entry: the loop that its instances end up in; undefined for an entry about a single resource. */
function loopEnds(moves: readonly Move[], loops: readonly Loop[]): (move: Move) => Loop | undefined {
  if (loops.length === 0) return () => undefined;
  const loopAt = new Map(loops.map((loop) => [loop.address, loop]));
  const next = new Map(moves.map((each) => [each.from, each.to]));
  // A resource that becomes an instance was a single one.
  const isSingle = (address: string) => [address, next.get(address) ?? ''].some((each) => itemOf(each) !== undefined);
  const endOf = endFinder(next, (address) => isSingle(address) || loopAt.has(address));
  return ({ from, to }) => {
    const end = itemOf(from) === undefined ? endOf(to) : undefined;
    return end === undefined || isSingle(end) ? undefined : loopAt.get(end);
  };
}

/** An entry about a loop becomes one for each instance; the same entries where there is no loop. */
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

type LoopAt = ReadonlyMap<string, Loop>;

function isLoopAddress(address: string, loopAt: LoopAt): boolean {
  return groupOf(address) === address && loopAt.has(address);
}
