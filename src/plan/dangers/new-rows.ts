// Receivers outside who get rows that nothing showed them before. Rows are named as in the table of permissions: a
// receiver and a value, or every row. That table does not remember who got what, so the plan is compared with what was
// applied. A line that the base branch lacks comes in the same change as its use, so nobody has reviewed the line
// alone. What mixed-rows.ts reports is not repeated.

import { type RowsOfReceiver, rowsByReceiver } from '../../declare/rows/judge-rows.ts';
import { everyRow, type ReceiverPermissions } from '../../declare/rows/permissions.ts';
import { type Receiver, receiverKey, shownNames } from '../../model/fields/receiver.ts';
import { addressWords, concernedBySubject, type FoundDanger, type Gravity } from '../../model/plan/danger.ts';
import { type Address, kindAt } from '../../model/values/address.ts';
import { memoize, once } from '../../model/values/collections.ts';
import { countOf, inBackticks, nameSome } from '../../model/values/words.ts';
import type { Step } from '../plan.ts';
import { type MixedRows, mixedRows } from './mixed-rows.ts';
import type { DangerRule, World } from './world.ts';

/** New rows, and those that others got. */
export const rowsOfReceivers: DangerRule = (steps, world) => {
  const mixed = mixedRows(world);
  return [...mixed.dangers, newRows(steps, world, mixed)].flat();
};

function newRows(steps: readonly Step[], { rows, baseRows, applied }: World, mixed: MixedRows): readonly FoundDanger[] {
  if (rows === undefined) return [];
  const known = once(() => {
    const all = new KnownValues();
    for (const [address, delivery] of applied())
      for (const each of rowsByReceiver(kindAt(address), delivery, rows)) all.add(each);
    return all;
  });
  // Divides the new values of a receiver: those that the base branch does not allow are grave, the others a caution.
  const divided = memoize((values: readonly string[]) =>
    memoize((allowed: ReceiverPermissions | undefined): Readonly<Record<Gravity, readonly string[]>> => {
      const isAllowed = (value: string) => allowed?.answer(value) === 'may';
      return { grave: values.filter((value) => !isAllowed(value)), caution: values.filter(isAllowed) };
    }),
  );
  const found: Record<Gravity, Fresh[]> = { grave: [], caution: [] };
  for (const { change, delivered } of steps) {
    const { after } = delivered();
    if (after === undefined) continue;
    for (const each of rowsByReceiver(change.kind, after, rows)) {
      const { receiver } = each;
      const fresh = known().freshOf(each);
      const isSaid = (value: string) => mixed.isSaid(change.address, receiver, value);
      const values = mixed.dangers.length === 0 ? fresh : fresh.filter((value) => !isSaid(value));
      if (values.length === 0) continue;
      const of =
        baseRows === undefined ? { grave: [], caution: values } : divided(values)(baseRows.allowedTo(receiver));
      for (const gravity of ['grave', 'caution'] as const)
        if (of[gravity].length > 0) found[gravity].push({ address: change.address, receiver, values: of[gravity] });
    }
  }
  const what = memoize(whatWords);
  return (['grave', 'caution'] as const).map((gravity) => {
    const fresh = found[gravity];
    const bySubject = concernedBySubject(
      fresh.map(({ receiver, values, address }) => [JSON.stringify([nameOf(receiver), what(values)]), address]),
    );
    const items = [...bySubject].map(([words, addresses]) => {
      const [subject = '', gets] = JSON.parse(words) as readonly string[];
      return { subject, detail: `${gets}, in ${addressWords(addresses)}` };
    });
    const receivers = new Set(fresh.map(({ receiver }) => receiverKey(receiver))).size;
    const get = countOf(receivers, 'receiver gets', 'receivers get');
    const title =
      gravity === 'grave'
        ? `${get} rows by a line that the base branch does not have`
        : `${get} rows that no report showed them before`;
    return { code: 'new-rows', gravity, title, items };
  });
}

/** A receiver and the values that nothing showed it before. */
interface Fresh {
  readonly address: Address;
  readonly receiver: Receiver;
  readonly values: readonly string[];
}

interface KnownOfOne {
  readonly values: Set<string>;
  /** The long lists, which many receivers share. */
  readonly shared: Set<ReadonlySet<string>>;
}

/** A longer list of values is not copied for each receiver. */
const few = 16;

/** The values that each receiver already gets. Receivers times values may not fit into memory, so long lists are shared. */
class KnownValues {
  readonly #byReceiver = new Map<string, KnownOfOne>();
  readonly #all = memoize((shows: ReadonlySet<string>): readonly string[] => [...shows]);

  add({ receiver, shows }: RowsOfReceiver): void {
    const key = keyOf(receiver);
    const known = this.#byReceiver.get(key) ?? { values: new Set<string>(), shared: new Set() };
    this.#byReceiver.set(key, known);
    if (shows.size > few) known.shared.add(shows);
    else for (const value of shows) known.values.add(value);
  }

  /** The same list for receivers of one delivery who got nothing so far. Whoever got every row gets nothing new. */
  freshOf({ receiver, shows }: RowsOfReceiver): readonly string[] {
    const known = this.#byReceiver.get(keyOf(receiver));
    if (known === undefined) return this.#all(shows);
    const isKnown = (value: string) => known.values.has(value) || [...known.shared].some((each) => each.has(value));
    return known.values.has(everyRow) ? [] : [...shows].filter((value) => !isKnown(value));
  }
}

function keyOf(receiver: Receiver): string {
  return JSON.stringify([receiverKey(receiver), receiver.path, receiver.file]);
}

function nameOf(receiver: Receiver): string {
  return shownNames(receiver)[0] ?? receiver.shown;
}

function whatWords(values: readonly string[]): string {
  const shown = values.map((value) => (value === everyRow ? 'rows that no filter limits' : inBackticks(value)));
  return `gets ${nameSome(shown)}`;
}
