// Edits that do not hold together: those at fault are found with few proofs, because each loads the whole workspace.

import { expect, it } from 'vitest';
import { driftedField } from '../../src/commands/drift/drift-goals.ts';
import type { PlaceEdit } from '../../src/commands/drift/place-edit.ts';
import { driftUnits } from '../../src/commands/drift/prove-edits.ts';
import { keepWhatHolds, type Proof as ProofOf } from '../../src/edit/propose.ts';
import type { NotWrittenReason } from '../../src/model/plan/drift-document.ts';
import { addressOf } from '../../src/model/values/address.ts';

type Proof = ProofOf<ReadonlyMap<string, string>, NotWrittenReason>;

const origin = { file: 'a.yaml', document: 0, pointer: '' };

function edit(key: string, field: string): PlaceEdit {
  const resource = { kind: 'schedule', address: addressOf('schedule', key), attributes: {}, origin, line: 1 } as const;
  return { goals: [{ resource, field, declared: 1, value: 2 }], place: { kind: 'resource', origin }, edits: [] };
}

const nameOf = ({ goals }: PlaceEdit) => goals.map(({ resource, field }) => `${resource.address} ${field}`).join();

/** Refuses the fields that are named, and says whose they are if `blames`. */
function prover(bad: readonly string[], blames: boolean) {
  let count = 0;
  const prove = async (edits: readonly PlaceEdit[]): Promise<Proof> => {
    count += 1;
    const wrong = edits.filter((each) => bad.some((name) => nameOf(each).endsWith(name)));
    if (wrong.length === 0) return { holds: true, result: new Map([['a.yaml', edits.map(nameOf).join('; ')]]) };
    if (!blames) return { holds: false, faults: [{ about: [], reason: 'invalid', message: 'wrong' }] };
    const faultOf = (name: string) => ({
      about: [name.split(' ')[0] ?? ''],
      reason: 'invalid' as const,
      message: `${name} is wrong`,
    });
    return { holds: false, faults: wrong.map(nameOf).map(faultOf) };
  };
  return { prove, count: () => count };
}

async function settled(edits: readonly PlaceEdit[], prove: (edits: readonly PlaceEdit[]) => Promise<Proof>) {
  const { refused, ...found } = await keepWhatHolds(edits, prove, driftUnits);
  const rowsOf = ({ about, ...why }: (typeof refused)[number]) =>
    about.flatMap(({ goals }) => goals.map((goal) => ({ ...driftedField(goal), ...why })));
  return { ...found, refused: refused.flatMap(rowsOf) };
}

const keys = Array.from({ length: 300 }, (_, index) => `s${index}`);

it('edits that hold together take one proof', async () => {
  const { prove, count } = prover([], true);
  const { keptEdits, refused } = await settled(
    keys.map((key) => edit(key, 'name')),
    prove,
  );
  expect([keptEdits.length, refused, count()]).toEqual([300, [], 1]);
});

it('a hundred edits at fault take a handful of proofs, and spoil no other field of their resources', async () => {
  const { prove, count } = prover([' format'], true);
  const edits = keys.flatMap((key, index) =>
    index % 3 === 0 ? [edit(key, 'name'), edit(key, 'format')] : [edit(key, 'name')],
  );
  const { keptEdits, refused, result } = await settled(edits, prove);
  expect(keptEdits.map(nameOf).toSorted()).toEqual(keys.map((key) => `schedules.${key} name`).toSorted());
  expect(refused).toHaveLength(100);
  expect(refused[0]).toEqual({
    address: 'schedules.s0',
    path: '/format',
    reason: 'invalid',
    message: 'schedules.s0 format is wrong',
  });
  expect(result?.get('a.yaml')?.split('; ')).toHaveLength(300);
  expect(count()).toBeLessThan(10);
});

it('an edit of which nobody says that it is at fault is found by halving', async () => {
  const { prove, count } = prover(['schedules.s77 name'], false);
  const { keptEdits, refused } = await settled(
    keys.map((key) => edit(key, 'name')),
    prove,
  );
  expect(refused.map(({ address }) => address)).toEqual(['schedules.s77']);
  expect(keptEdits).toHaveLength(299);
  expect(count()).toBeLessThan(25);
});

it('fields that are valid only together stay together', async () => {
  const prove = async (edits: readonly PlaceEdit[]): Promise<Proof> => {
    const fields = edits.flatMap(({ goals }) => goals.map(({ field }) => field));
    const isWrong =
      fields.includes('format') || fields.includes('conditionType') !== fields.includes('conditionQueryMapKey');
    return isWrong
      ? { holds: false, faults: [{ about: [], reason: 'invalid', message: 'wrong' }] }
      : { holds: true, result: new Map() };
  };
  const edits = ['conditionType', 'format', 'conditionQueryMapKey', 'name'].map((field) => edit('a', field));
  const { refused } = await settled(edits, prove);
  expect(refused.map(({ path }) => path)).toEqual(['/format']);
});

it('an edit that ten thousand others share a resource with takes no quadratic time', async () => {
  const { prove } = prover([], true);
  const many = Array.from({ length: 10_000 }, (_, index) => ({ addresses: [`schedules.s${index}`] }));
  const all = { addresses: many.flatMap(({ addresses }) => addresses) };
  const { keptEdits } = await keepWhatHolds([all, ...many], async () => prove([]), {
    addressesOf: ({ addresses }) => addresses,
  });
  expect(keptEdits).toHaveLength(many.length + 1);
});

it('of many edits of one resource, the one at fault is found by halving', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `part${index}`);
  const { prove, count } = prover(['part77'], true);
  const { keptEdits, refused } = await keepWhatHolds(
    names.map((name) => edit('s', name)),
    prove,
    { addressesOf: driftUnits.addressesOf },
  );
  expect([keptEdits.length, refused.flatMap(({ about }) => about.map(nameOf))]).toEqual([299, ['schedules.s part77']]);
  expect(count()).toBeLessThan(25);
});
