// The planner's findings: consequences of a plan that its changes do not show.

import { otherTypes } from '../declare/online/filter-types.ts';
import type { Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf, stateOnlyFields } from '../model/fields/fields.ts';
import { namesAnother } from '../model/fields/identity.ts';
import { isGroupId } from '../model/fields/ids.ts';
import type { OwnFilters } from '../model/plan/observation.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import { groupNamed } from '../model/plan/user-groups.ts';
import { type Kind, kinds } from '../model/values/address.ts';
import { byCodeUnit, equalJson } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { variablesIn } from '../model/values/secret.ts';
import { quote } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfField, placeOfResource } from '../model/workspace/field-place.ts';
import type { DecidedMatch } from './decide.ts';
import { otherValues } from './difference.ts';
import type { SeenMatch } from './drift.ts';
import type { GroupWork } from './group-work.ts';
import { ignoreChangesOf } from './kept.ts';
import type { Match } from './match.ts';
import { type RequestKind, sendsDeclaration } from './requests.ts';

export function becomesTest({ address, desired, prior }: Match): Finding {
  return {
    code: 'tracked-becomes-test',
    message: `\`${address}\` is a recurring schedule with the id ${prior?.id}. As a test delivery it would keep running and no longer be tracked.`,
    hint: 'Remove testNow, or declare the test delivery under a key of its own.',
    address,
    place: desired && placeOfField(desired, '/testNow', { at: 'key' }).place,
  };
}

/**
 * Declared groups that a change sends to although Omni calls them otherwise, as a look has heard: whoever may write the state could
 * have given a name the id and the name of other people.
 */
export function calledOtherwise({ address, desired }: Match, { declared, onRecord }: GroupWork): readonly Finding[] {
  return declared.flatMap((text): readonly Finding[] => {
    const { id, name = text } = groupNamed(text, onRecord) ?? {};
    if (id === undefined || isGroupId(text) || name === text) return [];
    return [
      {
        code: 'group-name',
        message: `The user group ${quote(text)} of \`${address}\` is called ${quote(name)} in Omni, according to the state. The id of a group counts (${id}), so the change goes to this group.`,
        hint: 'You can declare the group by its new name.',
        address,
        place: desired && placeOfField(desired, '/userGroups').place,
      },
    ];
  });
}

/** A look knows the types of the dashboard's filters. What is sent with another one is left, so it is no error of the plan. */
export function otherTypesOf(
  { effective: { desired }, renamedTo: on }: SeenMatch,
  sends: readonly RequestKind[],
  ownFilters: OwnFilters | undefined,
): readonly Finding[] {
  const own = ownFilters?.get(on ?? String(desired?.attributes['identifier']));
  if (desired === undefined || own === undefined || !sendsDeclaration(sends)) return nothingFound;
  return otherTypes(desired, own).map((finding) => ({ ...finding, severity: 'warning' }));
}

/** An adopted resource is recorded as it is in Omni, so the next plan shows what differs from its declaration. */
export function adoptedAsIs({ address, desired }: Match, fields: readonly string[]): readonly Finding[] {
  if (fields.length === 0) return [];
  const ignored = ignoreChangesOf(desired?.attributes ?? {});
  const keptFields = fields.filter((field) => ignored.includes(field));
  const changed = fields.filter((field) => !ignored.includes(field));
  const parts = [
    ...(changed.length === 0
      ? []
      : [`the next apply changes ${keptFields.length === 0 ? 'these fields' : changed.join(', ')}`]),
    ...(keptFields.length === 0
      ? []
      : [`ignoreChanges keeps ${changed.length === 0 ? 'these fields' : keptFields.join(', ')}`]),
  ];
  const message = `${address} is adopted as it is in Omni, which differs from its declaration (${fields.join(', ')}): ${parts.join(', and ')}.`;
  return [{ code: 'adopted-as-is', message, address, ...(desired && { place: placeOfResource(desired) }) }];
}

/** Reports what the requests of a change leave as it is, or put back, although nobody asked for it. */
type Consequence = (found: SeenMatch, decided: DecidedMatch, sends: readonly RequestKind[]) => readonly Finding[];

const consequences: Readonly<Record<Kind, readonly Consequence[]>> = {
  dashboard: [notRemoved],
  schedule: [secretWaits, mayStay, ignoredIsSent],
  routine: [],
  aiJob: [secretWaits],
};

const nothingFound: readonly Finding[] = [];

export const findingsOf: Consequence = (found, decided, sends) => {
  let findings = nothingFound;
  for (const consequence of consequences[decided.facts.kind]) {
    const more = consequence(found, decided, sends);
    if (more.length > 0) findings = [...findings, ...more];
  }
  return findings;
};

/** Reports secrets that have another value and are not sent for that alone. */
function secretWaits(
  { effective: entry }: SeenMatch,
  { facts: { waiting } }: DecidedMatch,
  sends: readonly RequestKind[],
): readonly Finding[] {
  if (waiting === undefined || sendsDeclaration(sends)) return nothingFound;
  const { address, desired } = entry;
  const names = [...new Set(otherValues(entry).flatMap(variablesIn))].sort(byCodeUnit);
  if (names.length === 0) return nothingFound;
  return [
    {
      code: 'secret-waits',
      message: `${names.length === 1 ? 'The value of' : 'The values of'} ${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} changed. ${waiting.why}, so ${names.length === 1 ? 'the new value goes' : 'the new values go'} with the next change of ${address}.`,
      hint: `To send ${names.length === 1 ? 'the new value' : 'the new values'} now: ${waiting.wayOf(address)}.`,
      address,
      place: desired && placeOfResource(desired),
    },
  ];
}

/** Fields that a PUT leaves out: sources disagree on whether the service then keeps them. */
function mayStay(
  { effective: { address, desired } }: SeenMatch,
  { difference: { diff, after = {} }, facts: { kind } }: DecidedMatch,
  sends: readonly RequestKind[],
): readonly Finding[] {
  if (!sends.includes('put')) return nothingFound;
  const isLeftOut = ({ path, op }: FieldDiff) => {
    const [name = '', ...rest] = pointerSegments(path);
    if (op !== 'remove' || (rest.length > 0 && name !== 'extra')) return false;
    const field = fieldsOf[kind][name];
    return name === 'extra' || (field !== undefined && isSentWithoutDefault(field) && fieldApplies(field, after));
  };
  return diff.filter(isLeftOut).map(({ path }) => ({
    code: 'removed-may-stay',
    message: `\`${pointerSegments(path).join('.')}\` is no longer declared and has no default to send, so Omni may keep its old value.`,
    hint: 'Check the delivery in Omni after the apply, or replace the schedule with --replace.',
    address,
    place: desired && placeOfResource(desired),
  }));
}

/** Fields under ignoreChanges that go out with their last applied values, because they were not observed. */
function ignoredIsSent(
  { effective: { address, desired, prior }, observedFields }: SeenMatch,
  { difference: { after = {} }, facts: { kind } }: DecidedMatch,
  sends: readonly RequestKind[],
): readonly Finding[] {
  if (desired === undefined || prior === undefined || !sendsDeclaration(sends)) return nothingFound;
  const names = ignoreChangesOf(after).filter((name) => {
    const field = fieldsOf[kind][name];
    const isSent = field !== undefined && field.sent === undefined && fieldApplies(field, after);
    return isSent && !observedFields.has(name) && equalJson(after[name], prior.attributes[name]);
  });
  if (names.length === 0) return [];
  return [
    {
      code: 'ignored-is-sent',
      message: `The request carries the whole ${kinds[kind].words}, so these fields under ignoreChanges are reset to their last applied values: ${names.map((name) => `\`${name}\``).join(', ')}.`,
      hint: 'Plan with --refresh=deep, which keeps what can be read back. For the rest, declare the values that Omni has.',
      address,
      place: placeOfResource(desired),
    },
  ];
}

function isSentWithoutDefault(field: Field): boolean {
  // A password is sent or lost: what may become of one is a danger.
  return field.default === undefined && field.cleared === undefined && field.sent === undefined && !field.secret;
}

/** Reports what a partial update cannot remove: an entry, a key of an entry, a whole field. A list is sent as a whole. */
function notRemoved(
  { effective: { address, desired, prior } }: SeenMatch,
  { difference: { diff, after }, facts: { kind } }: DecidedMatch,
): readonly Finding[] {
  if (prior === undefined || after === undefined || namesAnother(kind, prior.attributes, after)) return nothingFound;
  const isLeft = ({ path, op }: FieldDiff) => {
    const [field = '', ...rest] = pointerSegments(path);
    if (op !== 'remove' || stateOnlyFields.includes(field)) return false;
    return rest.length === 0 || (field !== 'filterOrder' && rest.length <= (field === 'extra' ? 1 : 2));
  };
  return diff.filter(isLeft).map(({ path }) => ({
    code: 'entry-left-as-is',
    message: `\`${pointerSegments(path).join('.')}\` is no longer declared; it stays on the dashboard as it is.`,
    hint: 'Change it in Omni, or declare the value that you want.',
    address,
    place: desired && placeOfResource(desired),
  }));
}
