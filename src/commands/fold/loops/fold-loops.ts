// Proposes loops for groups of declarations: chooses the groups and names them. Whoever calls writes and proves them.

import { addressOf } from '../../../model/values/address.ts';
import { define, type Json } from '../../../model/values/json.ts';
import type { Pointer } from '../../../model/values/pointer.ts';
import type { FileEdit } from '../../base/edit/edit-files.ts';
import type { FoldInput, FoldStep, NotFolded, ProposedFold } from '../fold-stage.ts';
import { chooseGroups, fewestMembers } from './choose-groups.ts';
import { makeTemplate, type Template } from './make-template.ts';
import { itemKeys, loopName, takenKeys } from './name-loop.ts';
import { type Member, readMembers } from './read-members.ts';

/** The first member of a group gets the items and a new key, the others go, and the entries that name them follow. */
interface Loop {
  /** The first is where the loop is written. */
  readonly members: readonly [Member, ...(readonly Member[])];
  readonly template: Template;
  readonly name: string;
  /** Of the items, by member. */
  readonly keys: readonly string[];
}

/**
 * The stage that makes one declaration of many: the loop stands where the first of them stood, and each has an entry in
 * `moved`, so that the state follows.
 */
export function foldLoops(input: FoldInput): FoldStep {
  const left: NotFolded[] = [];
  const groups = chooseGroups(readMembers(input)).flatMap((group) => {
    const { kept, lost } = splitByComments(group);
    if (lost.length > 0) left.push(commented(lost));
    return kept.length < fewestMembers ? [] : [kept];
  });
  return { folds: nameLoops(groups, input).map((loop) => proposed(loop, input)), left };
}

function proposed({ members, template, name, keys }: Loop, { state, loaded }: FoldInput): ProposedFold {
  const [{ address: first, kind, file, entry }, ...others] = members;
  const place = { file, document: entry.document };
  const instances = members.map(({ address }, index) => ({ from: address, to: addressOf(kind, name, keys[index]) }));
  const items: Record<string, Json> = {};
  for (const [index, key] of keys.entries()) {
    const item: Record<string, Json> = {};
    for (const [name, each] of template.values) {
      const value = each[index];
      if (value !== undefined) define(item, name, value);
    }
    define(items, key, item);
  }
  const set = (pointer: Pointer, value: Json): FileEdit => ({ ...place, pointer, value });
  const moved = instances.filter(({ from }) => state === 'unknown' || state.has(from));
  const to = new Map(instances.map((each) => [each.from, each.to]));
  // What is yet to be adopted is adopted as an instance.
  const adopted = loaded.desired.adoptions.flatMap(({ to: known, origin }): readonly FileEdit[] => {
    const value = to.get(known);
    return value === undefined ? [] : [{ ...origin, pointer: `${origin.pointer}/to`, value }];
  });
  return {
    fold: {
      id: `loop ${first}`,
      kind: 'loop',
      file,
      address: addressOf(kind, name),
      instances,
      values: [...template.values.keys()],
    },
    edits: [
      { ...place, pointer: entry.pointer, value: undefined, key: name },
      set(`${entry.pointer}/forEach`, items),
      ...[...template.edits].map(([below, value]) => set(entry.pointer + below, value)),
      ...moved.map((each) => set('/moved/-', { ...each })),
      ...others.map((other) => ({
        file: other.file,
        document: other.entry.document,
        pointer: other.entry.pointer,
        value: undefined,
      })),
      ...adopted,
    ],
  };
}

/** What a member says in comments would be lost, unless the first one says the same. */
function splitByComments(group: readonly Member[]): {
  readonly kept: readonly Member[];
  readonly lost: readonly Member[];
} {
  const [first, ...rest] = group;
  if (first === undefined) return { kept: [], lost: [] };
  const said = new Set(first.entry.comments);
  const isKept = ({ entry }: Member) => !entry.hasCommentAbove && entry.comments.every((comment) => said.has(comment));
  return { kept: [first, ...rest.filter(isKept)], lost: rest.filter((member) => !isKept(member)) };
}

function commented(members: readonly Member[]): NotFolded {
  const message =
    members.length === 1
      ? 'It has comments of its own, which an item cannot hold.'
      : 'They have comments of their own, which an item cannot hold.';
  return { file: members[0]?.file ?? '', addresses: members.map(({ address }) => address), message };
}

function nameLoops(groups: readonly (readonly Member[])[], { loaded, state }: FoldInput): readonly Loop[] {
  const { resources, moves, removals, loops = [], absent = [] } = loaded.desired;
  const taken = takenKeys([
    ...[...resources, ...loops, ...absent].map(({ address }) => address),
    ...[...moves, ...removals].map(({ from }) => from),
    ...(state === 'unknown' ? [] : state),
  ]);
  return groups.flatMap((all): readonly Loop[] => {
    const [first, ...others] = all;
    if (first === undefined) return [];
    const members = [first, ...others] as const;
    const template = makeTemplate(members);
    const name = loopName(members, taken.get(first.section) ?? new Set());
    return [{ members, template, name, keys: itemKeys(members, template) }];
  });
}
