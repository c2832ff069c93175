// The texts of the files after their declarations became loops: the first member of a group gets the items and a new key,
// the others go, and the entries that name them follow.

import type { Address } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { define, type Json } from '../../../model/values/json.ts';
import { pointerTo } from '../../../model/values/pointer.ts';
import type { Edit } from '../../../yaml/edit/edit-yaml.ts';
import { emptiedSections } from '../../../yaml/edit/prune-yaml.ts';
import type { FoldInput } from '../fold-stage.ts';
import { editSource } from '../source-pages.ts';
import type { Template } from './make-template.ts';
import type { Member } from './read-members.ts';

export interface LoopToWrite {
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
export function writeLoops(loops: readonly LoopToWrite[], input: FoldInput): Written {
  const edits = groupBy([...loops.flatMap((loop) => loopEdits(loop, input)), ...adoptEdits(loops, input)], fileOf);
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

function fileOf({ file }: EditOfFile): string {
  return file;
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
