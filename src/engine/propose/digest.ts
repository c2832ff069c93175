// Digests: of a plan and of each change, to check that what is applied is what was reviewed, and of the desired state, to
// notice that a saved plan is out of date. All are the same on every machine.

import { createHash } from 'node:crypto';
import { isRemark } from '../../model/fields/fields.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import { canonicalJson, type Json, type JsonObject } from '../../model/values/json.ts';
import { mapSealed, sensitive } from '../../model/values/secret.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';

/** SHA-256 as hex over what the plan does; never over files, lines, serials, diagnostics or versions. */
export function planDigest({ baseUrl, operations, changes }: Plan): string {
  return sha256({ baseUrl, operations, changes: changes.map(digested) });
}

/** As that of a plan, of one change alone: the same whatever else is planned. */
export function changeDigest({ baseUrl, operations }: Pick<Plan, 'baseUrl' | 'operations'>, change: Change): string {
  return sha256({ baseUrl, operations, ...digested(change) });
}

function digested({ address, action, id, previousAddress, diff: whole }: Change): JsonObject {
  const diff = whole.filter(({ path }) => !isRemark(path));
  // A move is recorded before the first request of its change. The rest of that change is what was reviewed: its id says of what.
  const isKnownById = id !== undefined && diff.length > 0;
  return {
    address,
    action,
    ...(id === undefined ? {} : { id }),
    ...(previousAddress === undefined || isKnownById ? {} : { previousAddress }),
    diff: diff.map((entry) => ({ ...entry })),
  };
}

/** Over what is declared; of a secret its text, because its value may not be known where a plan is made. */
export function desiredDigest(desired: Desired<SealedResource>): string {
  const { resources, moves, adoptions, removals } = desired;
  return sha256({
    resources: Object.fromEntries(
      resources.map(({ address, attributes }) => [address, mapSealed(attributes, ({ text }) => text ?? sensitive)]),
    ),
    moves: sorted(moves.map(({ from, to }) => [from, to])),
    adoptions: sorted(adoptions.map(({ to, id }) => [to, id])),
    removals: sorted(removals.map(({ from }) => [from])),
  });
}

/** The file that holds an entry makes no difference. */
function sorted(entries: readonly Json[]): Json {
  return entries.map(canonicalJson).sort();
}

function sha256(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
