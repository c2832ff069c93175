// Receivers outside who get rows that nothing showed them before, as the lines of the table of permissions say it: a receiver and
// a value, or every row. The table has no memory of its own, so compared is what was applied. A line that the base branch lacks
// comes with its use, and nobody has reviewed it alone. What mixed-rows.ts says of them is not repeated.

import { pairsOf, type RowPair } from '../../declare/rows/judge-rows.ts';
import { everyRow } from '../../declare/rows/permissions.ts';
import { receiverKey, shownNames } from '../../model/fields/receiver.ts';
import { addressWords, concernedBySubject, type FoundDanger, type Gravity } from '../../model/plan/danger.ts';
import { kindAt } from '../../model/values/address.ts';
import { once } from '../../model/values/memoize.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import type { Step } from '../plan.ts';
import { type MixedRows, mixedRows } from './mixed-rows.ts';
import type { DangerRule, World } from './world.ts';

/** New rows, and those that others got. */
export const rowsOfReceivers: DangerRule = (steps, world) => {
  const mixed = mixedRows(world);
  return [...mixed.dangers, newRows(steps, world, mixed.isSaid)].flat();
};

function newRows(
  steps: readonly Step[],
  { rows, baseRows, applied }: World,
  isSaid: MixedRows['isSaid'],
): readonly FoundDanger[] {
  if (rows === undefined) return [];
  const known = once(() => {
    const keys = new Set<string>();
    for (const [address, delivery] of applied())
      for (const pair of pairsOf(kindAt(address), delivery, rows)) keys.add(keyOf(pair));
    return keys;
  });
  const fresh = steps.flatMap(({ change: { address, kind }, delivered }) => {
    const { after } = delivered();
    const pairs = after === undefined ? [] : pairsOf(kind, after, rows);
    // Whoever got every row gets nothing new.
    const isKnown = (pair: RowPair) =>
      known().size > 0 && (known().has(keyOf(pair)) || known().has(keyOf({ ...pair, shows: everyRow })));
    const isNew = (pair: RowPair) => !isKnown(pair) && !isSaid(address, pair.receiver, pair.shows);
    return pairs.filter(isNew).map((pair) => ({ address, pair }));
  });
  const gravityOf = ({ receiver, shows }: RowPair): Gravity => {
    if (baseRows === undefined) return 'caution';
    const { values, isAll = false } = baseRows.allowedTo(receiver) ?? {};
    return isAll || values?.has(shows) ? 'caution' : 'grave';
  };
  return (['grave', 'caution'] as const).map((gravity) => {
    const found = fresh.filter(({ pair }) => gravityOf(pair) === gravity);
    const byPair = concernedBySubject(found.map(({ pair, address }) => [JSON.stringify(wordsOf(pair)), address]));
    const items = [...byPair].map(([words, addresses]) => {
      const [subject, what] = JSON.parse(words) as ReturnType<typeof wordsOf>;
      return { subject, detail: `${what}, in ${addressWords(addresses)}` };
    });
    const receivers = new Set(found.map(({ pair }) => receiverKey(pair.receiver))).size;
    const get = countOf(receivers, 'receiver gets', 'receivers get');
    const title =
      gravity === 'grave'
        ? `${get} rows by a line that the base branch does not have`
        : `${get} rows that nothing showed them before`;
    return { code: 'new-rows', gravity, title, items };
  });
}

function keyOf({ receiver, shows }: RowPair): string {
  return JSON.stringify([receiverKey(receiver), receiver.path, receiver.file, shows]);
}

function wordsOf({ receiver, shows }: RowPair): readonly [subject: string, what: string] {
  const [name = receiver.shown] = shownNames(receiver);
  return [name, `gets ${shows === everyRow ? 'rows that no filter limits' : inBackticks(shows)}`];
}
