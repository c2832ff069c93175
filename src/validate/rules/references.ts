// The entries of moved, adopt and removed against what is declared. Whether an entry still has work to do only the
// state can tell; that is the planner's.

import { kindOf } from '../../model/values/address.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Adoption, Desired, Move, Removal } from '../../model/workspace/resource.ts';
import { type Origin, placeOf } from '../../model/workspace/source-file.ts';
import { didYouMean } from '../findings/suggest.ts';

export function referencesHold({ resources, moves, adoptions, removals }: Desired): readonly Finding[] {
  const declared = new Set(resources.map(({ address }) => address));
  const tests = new Set(
    resources.flatMap(({ address, attributes }) => (attributes['testNow'] === true ? address : [])),
  );
  return [
    ...movesHold(moves, declared),
    ...adoptionsHold(adoptions, declared, tests),
    ...removals.flatMap((removal) => removalHolds(removal, declared)),
  ];
}

function movesHold(moves: readonly Move[], declared: ReadonlySet<string>): readonly Finding[] {
  const next = new Map(moves.map(({ from, to }) => [from, to]));
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
        `\`${from}\` and \`${to}\` are of different sections.`,
        'A resource keeps its kind when it moves: correct one of the two.',
      );
    if (from === to) return complain('to', 'It moves to where it is.', 'Take the entry out.');
    const repeated = isRepeated(move);
    if (repeated !== undefined) return complain(repeated.field, ...sameAs(repeated));
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
    if (seen.has(end))
      return complain('to', `From \`${to}\` the entries lead in a circle, to nothing that is declared.`, stillThere);
    return complain('to', `\`${end}\` is not declared.`, didYouMean(end, [...declared]) ?? stillThere);
  });
}

const stillThere = 'Name the address that it has now.';

function adoptionsHold(
  adoptions: readonly Adoption[],
  declared: ReadonlySet<string>,
  tests: ReadonlySet<string>,
): readonly Finding[] {
  const isRepeated = repeatedIn(adoptions, ['to', 'id']);
  return adoptions.flatMap((adoption) => {
    const { to, origin } = adoption;
    if (!declared.has(to)) {
      const message = `\`${to}\` is not declared, so there is nothing to adopt the schedule as.`;
      return [problem('invalid-adopt', origin, 'to', message, didYouMean(to, [...declared]) ?? 'Declare it first.')];
    }
    if (tests.has(to)) {
      const message = `\`${to}\` is a test delivery (testNow), which nothing that exists can be.`;
      return [problem('invalid-adopt', origin, 'to', message, 'Take testNow out of the declaration, or the entry.')];
    }
    const repeated = isRepeated(adoption);
    return repeated === undefined ? [] : [problem('invalid-adopt', origin, repeated.field, ...sameAs(repeated))];
  });
}

interface Repeated<F extends string> {
  readonly field: F;
  readonly first: { readonly origin: Origin };
}

/** The first field of an entry that an entry before it has as well. */
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
  return [`An entry before it, in ${first.origin.file}, has the same \`${field}\`.`, 'Keep one of the two.'];
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
