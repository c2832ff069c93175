// An accepted warning is a remark and changes no plan. Whatever is declared and tracked, an acceptance sends nothing,
// and neither the requests nor the digests of the other changes show it.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import { kinds } from '../../src/model/values/address.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { acceptableCodes } from '../../src/model/workspace/codes.ts';
import { withDigests } from '../../src/plan/digest.ts';
import { declare, type Entries, plan, stateOf } from '../support/plan/planning.ts';
import { arbitraryFullDeclarations, type Declarations } from '../support/property/arbitrary-declarations.ts';
import { runs } from '../support/runs/runs.ts';

type Resources = Readonly<Record<string, JsonObject>>;

function addressed({ schedules, dashboards, aiJobs }: Declarations): Resources {
  const section = (kind: keyof typeof kinds, entries: Resources) =>
    Object.entries(entries).map(([key, fields]) => [`${kinds[kind].section}.${key}`, fields] as const);
  const all = [...section('dashboard', dashboards), ...section('schedule', schedules), ...section('aiJob', aiJobs)];
  return Object.fromEntries(all);
}

/** Some resources keep what was applied, and some keep it under another key. */
const workspace = fc
  .tuple(arbitraryFullDeclarations, arbitraryFullDeclarations, fc.infiniteStream(fc.nat(3)))
  .map(([before, after, choices]) => {
    const [applied, declared] = [addressed(before), { ...addressed(after) }];
    for (const [address, fields] of Object.entries(applied)) {
      const choice = choices.next().value;
      if (choice > 1) declared[address] = fields;
      if (choice === 1) delete declared[address];
      if (choice === 1 && address.startsWith('schedules.')) declared[`${address}-moved`] = fields;
    }
    return { applied, declared };
  });

const acceptances = fc.dictionary(fc.constantFrom(...acceptableCodes), fc.constantFrom('agreed', 'looked at'), {
  maxKeys: 2,
  noNullPrototype: true,
});

/** The acceptances of one resource after the other; an empty one says nothing. */
const remarks = fc.infiniteStream(fc.option(acceptances));

function remarked(resources: Resources, stream: Iterator<JsonObject | null>): Resources {
  const entries = Object.entries(resources).map(([address, fields]) => {
    const accept: JsonObject | null = stream.next().value;
    return [address, accept === null ? fields : { ...fields, accept }] as const;
  });
  return Object.fromEntries(entries);
}

function planned(declared: Resources, applied: Resources, operations: 'core' | 'full', entries: Entries) {
  const state = stateOf(applied);
  const { value: outcome } = { value: plan(declare(declared, entries), state, { operations }) };
  return withDigests(outcome.plan);
}

const isRemarkAlone = ({ action, requests, diff }: Change) =>
  action === 'update' && requests === 0 && diff.length > 0 && diff.every(({ path }) => path.startsWith('/accept'));

const inBrief = ({ address, id, previousAddress, requests }: Change) => ({ address, id, previousAddress, requests });

it('an acceptance changes neither the requests nor the digests of the other changes', () => {
  fc.assert(
    fc.property(
      workspace,
      remarks,
      remarks,
      fc.constantFrom('core' as const, 'full' as const),
      ({ applied, declared }, now, before, operations) => {
        const without = planned(declared, applied, operations, {});
        const changes = planned(remarked(declared, now), remarked(applied, before), operations, {});
        const others = changes.filter((change) => change.previousAddress !== undefined || !isRemarkAlone(change));
        expect(others.map(inBrief)).toEqual(without.map(inBrief));
        // A move with an acceptance is an update, which has a digest of its own.
        const ownDigests = (all: readonly Change[]) =>
          all.flatMap(({ address, previousAddress, digest }) =>
            previousAddress === undefined ? { address, digest } : [],
          );
        expect(ownDigests(others)).toEqual(ownDigests(without));
        for (const change of changes.filter((each) => !others.includes(each)))
          expect({ ...inBrief(change), digest: change.digest }).toMatchObject({ requests: 0, digest: undefined });
        for (const { requests, digest } of others) if (requests > 0) expect(digest).toMatch(/^[0-9a-f]{64}$/);
      },
    ),
    { numRuns: runs(300) },
  );
});
