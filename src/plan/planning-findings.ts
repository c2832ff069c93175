// What the planner has to say besides its changes.

import type { Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Field } from '../model/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields.ts';
import type { FieldDiff } from '../model/plan.ts';
import { pointerSegments } from '../model/pointer.ts';
import type { Desired, SealedResource } from '../model/resource.ts';
import { placeOf } from '../model/source-file.ts';
import type { State } from '../model/state.ts';
import { type Difference, namesAnother } from './facts.ts';
import type { Match } from './match.ts';

export function unknownTargets(
  desired: Desired<SealedResource>,
  state: State | undefined,
  policy: { readonly targets: readonly Address[] | undefined; readonly replace: readonly Address[] },
): readonly Finding[] {
  const named = [...(policy.targets ?? []), ...policy.replace];
  if (named.length === 0) return [];
  const known = new Set([
    ...desired.resources.map(({ address }) => address),
    ...Object.keys(state?.resources ?? {}),
    ...(state?.unresolved ?? []).map(({ address }) => address),
    ...(state?.orphans ?? []).flatMap(({ address, replaced }) => (replaced ? address : [])),
  ]);
  return named
    .filter((address) => !known.has(address))
    .map((address) => ({
      code: 'unknown-target',
      message: `\`${address}\` is neither declared nor in the state.`,
      hint: 'An address is a section and a key, such as `schedules.weekly-sales`.',
    }));
}

export function becomesTest({ address, desired, prior }: Match): Finding {
  return {
    code: 'tracked-becomes-test',
    message: `\`${address}\` recurs, with the id ${prior?.id}; as a test delivery it would no longer be tracked and keep running.`,
    hint: 'Take testNow out, or declare the test delivery under a key of its own.',
    address,
    ...(desired === undefined ? {} : { place: placeOf(desired.origin, 'key', 'testNow') }),
  };
}

/** What an update of a schedule leaves out: sources disagree on whether the service then keeps it. */
export function mayStay({ address, desired }: Match, { diff, after = {} }: Difference): readonly Finding[] {
  const isLeftOut = ({ path, op }: FieldDiff) => {
    const [name = '', ...rest] = pointerSegments(path);
    if (op !== 'remove' || (rest.length > 0 && name !== 'extra')) return false;
    const field = fieldsOf.schedule[name];
    return name === 'extra' || (field !== undefined && isSentWithoutDefault(field) && fieldApplies(field, after));
  };
  return diff.filter(isLeftOut).map(({ path }) => ({
    code: 'removed-may-stay',
    message: `\`${pointerSegments(path).join('.')}\` is no longer declared and has no default that could be sent; Omni may keep what it was.`,
    hint: 'Look at the delivery in Omni after the apply, or replace it with --replace.',
    address,
    ...(desired === undefined ? {} : { place: placeOf(desired.origin, 'key') }),
  }));
}

function isSentWithoutDefault(field: Field): boolean {
  return field.default === undefined && field.sent === undefined;
}

/** What a partial update can't take back: an entry, a key of one, a whole field. A list is sent as a whole. */
export function leftAsIs({ address, desired, prior }: Match, { diff, after }: Difference): readonly Finding[] {
  if (prior === undefined || after === undefined || namesAnother(prior.attributes, after)) return [];
  const isLeft = ({ path, op }: FieldDiff) => {
    const [field = '', ...rest] = pointerSegments(path);
    if (op !== 'remove' || field === 'lifecycle') return false;
    return rest.length === 0 || (field !== 'filterOrder' && rest.length <= (field === 'extra' ? 1 : 2));
  };
  return diff.filter(isLeft).map(({ path }) => ({
    code: 'entry-left-as-is',
    message: `\`${pointerSegments(path).join('.')}\` is no longer declared; on the dashboard it stays as it is.`,
    hint: 'Change it in Omni, or declare the value that it shall have.',
    address,
    ...(desired === undefined ? {} : { place: placeOf(desired.origin, 'key') }),
  }));
}
