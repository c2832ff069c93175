// Judges the form of ids: which are errors, and which are warnings. A cut UUID, a number and a name are errors. An id
// that the state or a look has seen is right in any form. The ids of a resource that an entry of `adopt` names were
// seen by an import, and the apply reads them again; until then they are warnings.

import { groupIdIn, isUuid } from '../model/fields/ids.ts';
import * as patterns from '../model/fields/patterns.ts';
import { textsIn } from '../model/plan/names.ts';
import type { Observation } from '../model/plan/observation.ts';
import type { State } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import type { Json } from '../model/values/json.ts';
import { type Pointer, valueAt } from '../model/values/pointer.ts';
import { nameSome } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { findingAt, placeOfField } from '../model/workspace/field-place.ts';
import { type DeclaredObject, type Desired, declaredAttributes, type Resource } from '../model/workspace/resource.ts';

const idShape = new RegExp(patterns.id);
const people = `\`${command('list people')}\``;
const models = `\`${command('list models')}\``;
const groups = `\`${command('list groups')}\``;

/** The places of ids in declarations of any kind, each with the advice for what is no id. Of a user group, only what has the prefix `id:` is one. */
const places: Readonly<Record<Pointer, string>> = {
  '/owner': `Write the e-mail address of the person, or the whole id that ${people} prints.`,
  '/userId': `Write the whole id that ${people} prints.`,
  '/modelId': `Write the whole id that ${models} prints.`,
  '/branchId': `Write the whole id that ${models} prints.`,
  '/conversationId': 'Write the whole id, the last part of the address of the conversation in Omni.',
  '/userGroups': `Write the name of the group, or \`id:\` and the whole id that ${groups} prints.`,
  '/destination/userGroupIds': `Write the whole id that ${groups} prints.`,
};

function idsAt(at: Pointer, attributes: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = textsIn(valueAt(attributes as DeclaredObject as Json, at));
  // What the schema refuses is said there.
  return at === '/userGroups' ? texts.flatMap((text) => groupIdIn(text) ?? []) : texts.filter((id) => idShape.test(id));
}

/** What a text is instead of an id, in words; undefined for a UUID, and for the short form that some organizations have. */
function misshape(id: string): string | undefined {
  if (isUuid(id)) return undefined;
  if (/^\d+$/.test(id)) return 'is a number, which no id of Omni is';
  if (/^[\da-f]{8}$/i.test(id) || /^[\da-f]+(?:-[\da-f]*)+$/i.test(id)) return 'is a part of a UUID';
  if (/^[A-Za-z\d]{6,24}$/.test(id)) return undefined;
  return id.includes('-') ? 'is a part of a UUID, or a name' : 'is a name, or a part of an id';
}

export interface Seen {
  /** Undefined if there is none yet; `unread` if this run reads none, and so knows no id. */
  readonly state: State | 'unread' | undefined;
  readonly observation?: Pick<Observation, 'observed'> | undefined;
  /** True if a look of this run judges the id of this resource. */
  readonly isJudged?: (resource: Resource, at: Pointer) => boolean;
}

export function judgeIds(
  { resources, adoptions }: Pick<Desired, 'resources' | 'adoptions'>,
  { state, observation, isJudged }: Seen,
): readonly Finding[] {
  const found = resources.flatMap((resource) => {
    const attributes = declaredAttributes(resource);
    return Object.keys(places).flatMap((at) =>
      idsAt(at, attributes).flatMap((id) => (isUuid(id) || id.includes('${') ? [] : [{ id, at, resource }])),
    );
  });
  if (found.length === 0) return [];
  const isUnread = state === 'unread';
  const known = idsSeen(isUnread ? undefined : state, observation);
  const unseen = found.filter(({ id, at, resource }) => !known.has(id) && isJudged?.(resource, at) !== true);
  const adopted = new Set(adoptions.map(({ to }) => to));
  const tracked = isUnread ? {} : (state?.resources ?? {});
  const isAwaited = ({ address }: Resource) =>
    adopted.has(address) && tracked[address] === undefined && observation?.observed.has(address) !== true;
  const isWrong = ({ id, resource }: (typeof unseen)[number]) =>
    !isUnread && !isAwaited(resource) && misshape(id) !== undefined;
  const errors = unseen.filter(isWrong).map(
    ({ id, at, resource }): Finding => ({
      code: 'invalid-id',
      message: `\`${id}\` ${misshape(id)}.`,
      hint: places[at] ?? '',
      ...findingAt(resource, at),
    }),
  );
  const short = unseen.filter(
    (each) => !isWrong(each) && (each.at !== '/userGroups' || misshape(each.id) !== undefined),
  );
  return [...errors, ...warningOf(short)];
}

/** One for a workspace. */
function warningOf(short: readonly { readonly id: string; readonly at: Pointer; readonly resource: Resource }[]) {
  const [first] = short;
  if (first === undefined) return [];
  const ids = [...new Set(short.map(({ id }) => id))];
  const { isInherited: _, isPart: __, ...place } = placeOfField(first.resource, first.at);
  const warning: Finding = {
    code: 'short-id',
    message: `${nameSome(ids.map((id) => `\`${id}\``))} ${ids.length === 1 ? 'is' : 'are'} not in the form that Omni documents for its ids, and neither the state nor a look at Omni has ${ids.length === 1 ? 'this id' : 'these ids'}.`,
    hint: `If Omni shows ids in this form, as ${models} and ${people} print them, set \`checks: { short-id: off }\`. Otherwise write the whole id.`,
    ...place,
  };
  return [warning];
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
    ...[...recorded, ...observed].flatMap((attributes) => Object.keys(places).flatMap((at) => idsAt(at, attributes))),
  ]);
}
