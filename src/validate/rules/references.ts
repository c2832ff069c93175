// The entries of moved, adopt and removed against what is declared. Whether an entry still has work to do only the
// state can tell; that is the planner's.

import { kindOf } from '../../model/address.ts';
import type { Code } from '../../model/codes.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Adoption, Desired, Move, Removal } from '../../model/resource.ts';
import { type Origin, placeOf } from '../../model/source-file.ts';
import { didYouMean } from '../suggest.ts';

export function referencesHold({ resources, moves, adoptions, removals }: Desired): readonly Finding[] {
  const declared = new Set(resources.map(({ address }) => address));
  return [
    ...movesHold(moves, declared),
    ...adoptions.flatMap((adoption) => adoptionHolds(adoption, adoptions, declared)),
    ...removals.flatMap((removal) => removalHolds(removal, declared)),
  ];
}

function movesHold(moves: readonly Move[], declared: ReadonlySet<string>): readonly Finding[] {
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const targets = new Set(moves.map(({ to }) => to));
  return moves.flatMap((move) => {
    const complain = (field: 'from' | 'to', message: string, hint: string) => [
      problem('invalid-moved', move.origin, field, message, hint),
    ];
    const { from, to } = move;
    if (kindOf(from) !== kindOf(to))
      return complain(
        'to',
        `\`${from}\` and \`${to}\` are of different sections.`,
        'A resource keeps its kind when it moves.',
      );
    if (from === to) return complain('to', 'It moves to where it is.', 'Take the entry out.');
    const earlier = moves.find((other) => other !== move && (other.from === from || other.to === to));
    if (earlier !== undefined && moves.indexOf(earlier) < moves.indexOf(move)) {
      const field = earlier.from === from ? 'from' : 'to';
      return complain(field, `Another entry has the same ${field}.`, 'Keep one of the two.');
    }
    if (declared.has(from) && !targets.has(from)) {
      return complain('from', `\`${from}\` is still declared.`, 'Take its declaration out, or the entry.');
    }
    const seen = new Set([from]);
    let end = to;
    for (let step = next.get(end); !declared.has(end) && step !== undefined && !seen.has(end); step = next.get(end)) {
      seen.add(end);
      end = step;
    }
    if (declared.has(end)) return [];
    return complain(
      'to',
      `\`${end}\` is not declared.`,
      didYouMean(end, [...declared]) ?? 'Name the address that it has now.',
    );
  });
}

function adoptionHolds(
  adoption: Adoption,
  all: readonly Adoption[],
  declared: ReadonlySet<string>,
): readonly Finding[] {
  const { to, id, origin } = adoption;
  if (!declared.has(to)) {
    const message = `\`${to}\` is not declared, so there is nothing to adopt the schedule as.`;
    return [problem('invalid-adopt', origin, 'to', message, didYouMean(to, [...declared]) ?? 'Declare it first.')];
  }
  const earlier = all.slice(0, all.indexOf(adoption)).find((other) => other.to === to || other.id === id);
  if (earlier === undefined) return [];
  const field = earlier.to === to ? 'to' : 'id';
  return [problem('invalid-adopt', origin, field, `Another entry has the same ${field}.`, 'Keep one of the two.')];
}

function removalHolds({ from, origin }: Removal, declared: ReadonlySet<string>): readonly Finding[] {
  if (!declared.has(from)) return [];
  return [
    problem(
      'invalid-removed',
      origin,
      'from',
      `\`${from}\` is still declared.`,
      'Take its declaration out, or the entry.',
    ),
  ];
}

function problem(code: Code, origin: Origin, field: string, message: string, hint: string): Finding {
  return { code, message, hint, place: placeOf(origin, 'value', field) };
}
