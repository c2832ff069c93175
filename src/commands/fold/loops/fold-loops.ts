// Groups of declarations become loops: chosen, named, written, and proven by whoever calls.

import { type Address, addressOf } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { define, type Json } from '../../../model/values/json.ts';
import { pointerTo } from '../../../model/values/pointer.ts';
import type { Edit } from '../../../yaml/edit/edit-yaml.ts';
import { emptiedSections } from '../../../yaml/edit/prune-yaml.ts';
import type { Fold, FoldInput, FoldStep, NotFolded } from '../fold-stage.ts';
import { editSource } from '../recipient-lists.ts';
import {
  chooseGroups,
  fewestMembers,
  itemKeys,
  loopName,
  type Member,
  readMembers,
  takenKeys,
} from './choose-groups.ts';
import { makeTemplate, type Template } from './make-template.ts';

/**
 * The texts of the files after their declarations became loops: the first member of a group gets the items and a new key,
 * the others go, and the entries that name them follow.
 */
interface LoopToWrite {
  readonly id: string;
  /** The first is where the loop is written. */
  readonly members: readonly Member[];
  readonly template: Template;
  readonly name: string;
  /** Of the items, by member. */
  readonly keys: readonly string[];
  /** The addresses of the instances. */
  readonly to: ReadonlyMap<Address, Address>;
}

type Written = { readonly texts: ReadonlyMap<string, string> } | { readonly unsupported: string };

/** `unsupported`: a file whose layout cannot be edited. */
function writeLoops(loops: readonly LoopToWrite[], input: FoldInput): Written {
  const edits = groupBy(
    [...loops.flatMap((loop) => loopEdits(loop, input)), ...adoptEdits(loops, input)],
    ({ file }) => file,
  );
  const hosts = groupBy(loops, ({ members }) => members[0]?.file ?? '');
  const texts = new Map<string, string>();
  for (const [file, own] of edits) {
    const before = input.files.get(file);
    if (before === undefined) return { unsupported: file };
    const renamed = withNewKeys(before, hosts.get(file) ?? []);
    const inFile = own.map(({ edit }) => edit);
    // The new keys change no number of entries.
    const empty = emptiedSections(input.parse({ path: file, text: before }).value, inFile);
    const after = editSource(file, renamed, [...inFile, ...empty], input);
    if (after === undefined) return { unsupported: file };
    texts.set(file, after);
  }
  return { texts };
}

interface EditOfFile {
  readonly file: string;
  readonly edit: Edit;
}

function loopEdits({ members, template, name, keys, to }: LoopToWrite, { state }: FoldInput): readonly EditOfFile[] {
  const [first, ...others] = members;
  if (first === undefined) return [];
  const { file, section } = first;
  const { document } = first.entry;
  const items: Record<string, Json> = {};
  for (const [index, key] of keys.entries()) {
    const item: Record<string, Json> = {};
    for (const [value, each] of template.values) define(item, value, each[index] ?? null);
    define(items, key, item);
  }
  const at = pointerTo(section, name);
  const written: readonly Edit[] = [
    { document, pointer: `${at}/forEach`, value: items },
    ...[...template.edits].map(([below, value]): Edit => ({ document, pointer: at + below, value })),
    ...members
      .filter(({ address }) => state === 'unknown' || state.has(address))
      .map(
        ({ address }): Edit => ({ document, pointer: '/moved/-', value: { from: address, to: to.get(address) ?? '' } }),
      ),
  ];
  const removed = others.map(
    (member): EditOfFile => ({
      file: member.file,
      edit: { document: member.entry.document, pointer: member.entry.pointer, value: undefined },
    }),
  );
  return [...written.map((edit) => ({ file, edit })), ...removed];
}

/** What is yet to be adopted is adopted as an instance. */
function adoptEdits(loops: readonly LoopToWrite[], { loaded }: FoldInput): readonly EditOfFile[] {
  const renamed = new Map(loops.flatMap(({ to }) => [...to]));
  return loaded.desired.adoptions.flatMap(({ to, origin: { file, document, pointer } }) => {
    const value = renamed.get(to);
    return value === undefined ? [] : [{ file, edit: { document, pointer: `${pointer}/to`, value } }];
  });
}

function withNewKeys(text: string, loops: readonly LoopToWrite[]): string {
  const keys = loops.flatMap(({ members: [first], name }) => (first === undefined ? [] : { ...first.entry.key, name }));
  return keys
    .sort((a, b) => b.start - a.start)
    .reduce((after, { start, end, name }) => after.slice(0, start) + name + after.slice(end), text);
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
    return kept.length < fewestMembers || input.skip.has(idOf(kept)) ? [] : [kept];
  });
  let loops = nameLoops(groups, input);
  let written = writeLoops(loops, input);
  while ('unsupported' in written) {
    const { unsupported } = written;
    const isHere = ({ members }: LoopToWrite) => members.some(({ file }) => file === unsupported);
    for (const { members } of loops.filter(isHere)) left.push(notEdited(members, unsupported));
    loops = loops.filter((loop) => !isHere(loop));
    written = writeLoops(loops, input);
  }
  return { texts: written.texts, folds: loops.map(foldOf), left };
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

function notEdited(members: readonly Member[], file: string): NotFolded {
  return {
    file,
    addresses: members.map(({ address }) => address),
    message: `The layout of ${file} cannot be edited.`,
  };
}

function nameLoops(groups: readonly (readonly Member[])[], { loaded, state }: FoldInput): readonly LoopToWrite[] {
  const { resources, moves, removals, loops = [], absent = [] } = loaded.desired;
  const taken = takenKeys([
    ...[...resources, ...loops, ...absent].map(({ address }) => address),
    ...[...moves, ...removals].map(({ from }) => from),
    ...(state === 'unknown' ? [] : state),
  ]);
  return groups.map((members): LoopToWrite => {
    const template = makeTemplate(members);
    const [{ kind, section }] = members as readonly [Member];
    const name = loopName(members, taken.get(section) ?? new Set());
    const keys = itemKeys(members, template);
    const to = new Map<Address, Address>(
      members.map(({ address }, item) => [address, addressOf(kind, name, keys[item] ?? '')]),
    );
    return { id: idOf(members), members, template, name, keys, to };
  });
}

function idOf([first]: readonly Member[]): string {
  return `loop ${first?.address ?? ''}`;
}

function foldOf({ id, members, template, name, to }: LoopToWrite): Fold {
  const [{ kind, file }] = members as [Member];
  return {
    id,
    kind: 'loop',
    file,
    address: addressOf(kind, name),
    instances: members.map(({ address }) => ({ from: address, to: to.get(address) ?? address })),
    values: [...template.values.keys()],
  };
}
