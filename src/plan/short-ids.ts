// Ids that are not UUIDs: some organizations have them, and a name or a UUID that was cut off looks the same. One warning for a
// workspace, about those that neither the state nor a look has seen.

import { isUuid } from '../model/fields/ids.ts';
import { textsIn } from '../model/plan/names.ts';
import type { Observation } from '../model/plan/observation.ts';
import type { State } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import type { Json } from '../model/values/json.ts';
import { type Pointer, valueAt } from '../model/values/pointer.ts';
import { nameSome } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { type DeclaredObject, declaredAttributes, type Resource } from '../model/workspace/resource.ts';

/** The places of ids that Omni documents as UUIDs, in declarations of any kind. Under `userGroups` an id has the prefix `id:`. */
const places: readonly Pointer[] = [
  '/owner',
  '/userId',
  '/modelId',
  '/branchId',
  '/conversationId',
  '/destination/userGroupIds',
];

function idsAt(at: Pointer, attributes: Readonly<Record<string, unknown>>): readonly string[] {
  return textsIn(valueAt(attributes as DeclaredObject as Json, at)).filter((text) => !text.includes('@'));
}

export function shortIds(
  resources: readonly Resource[],
  state: State | undefined,
  observation?: Pick<Observation, 'observed'>,
): readonly Finding[] {
  const found = resources.flatMap((resource) => {
    const attributes = declaredAttributes(resource);
    return places.flatMap((at) =>
      idsAt(at, attributes).flatMap((id) => (isUuid(id) || id.includes('${') ? [] : [{ id, at, resource }])),
    );
  });
  if (found.length === 0) return [];
  const known = idsSeen(state, observation);
  const unseen = found.filter(({ id }) => !known.has(id));
  const [first] = unseen;
  if (first === undefined) return [];
  const ids = [...new Set(unseen.map(({ id }) => id))];
  const { isInherited: _, isPart: __, ...place } = placeOfField(first.resource, first.at);
  return [
    {
      code: 'short-id',
      message: `${nameSome(ids.map((id) => `\`${id}\``))} ${ids.length === 1 ? 'is' : 'are'} not in the form that Omni documents for its ids, and neither the state nor a look at Omni has ${ids.length === 1 ? 'this id' : 'these ids'}.`,
      hint: `If Omni shows ids in this form, as \`${command('list models')}\` and \`${command('list people')}\` print them, set \`checks: { short-id: off }\`. Otherwise write the whole id.`,
      ...place,
    },
  ];
}

function idsSeen(
  state: State | undefined,
  observation: Pick<Observation, 'observed'> | undefined,
): ReadonlySet<string> {
  const recorded = Object.values(state?.resources ?? {}).map(({ attributes }) => attributes);
  const observed = [...(observation?.observed.values() ?? [])].flatMap((each) => (each.found ? [each.attributes] : []));
  return new Set([
    ...Object.keys(state?.names ?? {}),
    ...Object.values(state?.owners ?? {}),
    ...[...recorded, ...observed].flatMap((attributes) => places.flatMap((at) => idsAt(at, attributes))),
  ]);
}
