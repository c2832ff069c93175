// The stage that makes one declaration of many: the loop stands where the first of them stood, and each has an entry in
// `moved`, so that the state follows.

import { type Address, addressOf } from '../../../model/values/address.ts';
import type { Fold, FoldInput, FoldStep, NotFolded } from '../fold-stage.ts';
import { chooseGroups, fewestMembers } from './choose-groups.ts';
import { itemKeys, loopName, takenKeys } from './choose-names.ts';
import { makeTemplate } from './make-template.ts';
import { type Member, readMembers } from './read-members.ts';
import { type LoopToWrite, writeLoops } from './write-loops.ts';

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
