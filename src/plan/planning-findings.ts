// What the planner has to say besides its changes.

import type { Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import { equalJson } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOf } from '../model/workspace/source-file.ts';
import { type Difference, ignoreChangesOf, namesAnother } from './facts.ts';
import type { Match } from './match.ts';

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

/** The fields under ignoreChanges that a request with all of a schedule holds as they were applied, for want of a look. */
export function ignoredIsSent(
  { address, desired, prior }: Match,
  { after = {} }: Difference,
  observedFields: ReadonlySet<string>,
): readonly Finding[] {
  if (desired === undefined || prior === undefined) return [];
  const names = ignoreChangesOf(after).filter((name) => {
    const field = fieldsOf.schedule[name];
    const isSent = name === 'extra' || (field !== undefined && field.sent === undefined && fieldApplies(field, after));
    return isSent && !observedFields.has(name) && equalJson(after[name], prior.attributes[name]);
  });
  if (names.length === 0) return [];
  return [
    {
      code: 'ignored-is-sent',
      message: `What is sent holds all of the schedule, the fields under ignoreChanges as they were applied last: what was set in Omni since is put back. They are ${names.map((name) => `\`${name}\``).join(', ')}.`,
      hint: 'Plan with --refresh=deep, which keeps what can be read back; of the rest, declare what is in Omni.',
      address,
      place: placeOf(desired.origin, 'key'),
    },
  ];
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
