// Proposes loops for groups of declarations: their names, and the edits that make them. It edits nothing and proves
// nothing: fold-workspace.ts does.

import type { FileEdit } from '../../edit/edit-files.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { smallest } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { byName, define, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import type { PlacedRefusal } from '../../model/values/refusal.ts';
import { kebabOf } from '../../model/values/words.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import { chooseGroups, fewestMembers } from './choose-groups.ts';
import { type ChosenMembers, chooseNamed } from './choose-named.ts';
import type { FoldedLoop } from './fold-document.ts';
import { type ItemsIn, rowsOf } from './item-rows.ts';
import { makeTemplate, type Template } from './make-template.ts';
import { type Member, readMembers, type Sources } from './read-members.ts';

export interface FoldInput extends Sources {
  /** The addresses that any state knows: only these need an entry in `moved`. */
  readonly state: KnownAddresses;
}

/** `unknown` if a state could not be read. */
export type KnownAddresses = ReadonlySet<Address> | 'unknown';

/** A loop that is made as a whole or not at all, independently of others. */
export interface ProposedLoop {
  readonly loop: FoldedLoop;
  readonly edits: readonly FileEdit[];
}

interface Proposals {
  readonly proposed: readonly ProposedLoop[];
  /** Declarations that stay as they are, whatever becomes of the loops. */
  readonly notFolded: readonly PlacedRefusal[];
}

/** The first member of a group gets the items and a new key, the others go, and the entries that name them follow. */
interface Loop {
  /** The loop is written at the first. */
  readonly members: readonly [Member, ...(readonly Member[])];
  readonly template: Template;
  readonly name: string;
  /** The keys of the items, in the order of the members. */
  readonly keys: readonly string[];
}

export interface WantedLoop {
  readonly name?: string | undefined;
  /** The path of the new CSV file whose rows are its items. */
  readonly table?: string | undefined;
}

/** A loop takes the place of the first of its members, and each has an entry in `moved`, so that the state follows. */
export function proposeLoops(input: FoldInput): Proposals {
  const members = readMembers(input);
  const declared = input.loaded.desired.resources.map(({ address }) => address);
  const taken = keysTaken(input);
  const choices = chooseGroups(members).map((group) => {
    const choice = chooseNamed(group, 'declaration');
    return withStar(choice, members, declared) ?? { ...choice, selectors: choice.group.map(({ address }) => address) };
  });
  const proposed = choices
    .filter(({ group }) => group.length >= fewestMembers)
    .map(({ group, selectors }) => {
      const { loop, edits } = editsFor(nameLoop(group, taken), input);
      return { edits, loop: { ...loop, command: command('fold', ...selectors) } };
    });
  // An outlier of one loop may fit another.
  const folded = new Set(proposed.flatMap(({ loop }) => loop.instances.map(({ from }) => from)));
  const left = choices.flatMap((choice) => choice.notFolded);
  return { proposed, notFolded: left.filter(({ about }) => !about.every((each) => folded.has(each))) };
}

/** A star that names no others than those that become the same loop, and those that are left out of it. */
function withStar({ group }: ChosenMembers, members: readonly Member[], declared: readonly Address[]) {
  const [first = '', ...others] = group.map(({ address }) => address);
  let end = first.length;
  while (others.some((each) => !each.startsWith(first.slice(0, end)))) end -= 1;
  const shared = first.slice(0, end);
  const named = members.filter(({ address }) => address.startsWith(shared));
  const areMembers = declared.filter((each) => each.startsWith(shared)).length === named.length;
  if (!shared.includes('.') || !areMembers) return undefined;
  const choice = chooseNamed(named, 'declaration');
  const isSame = choice.group.length === group.length && group.every((member) => choice.group.includes(member));
  return isSame ? { ...choice, selectors: [`${shared}*`] } : undefined;
}

/** One loop of all of the members, of which there is at least one. */
export function proposeLoop(members: readonly Member[], input: FoldInput, { name, table }: WantedLoop): ProposedLoop {
  const { name: chosen, ...loop } = nameLoop(members, keysTaken(input), table === undefined ? 'declaration' : 'table');
  return editsFor({ ...loop, name: name ?? chosen }, input, table);
}

function editsFor({ members, template, name, keys }: Loop, input: FoldInput, table?: string): ProposedLoop {
  const [{ kind, file, entry }, ...otherMembers] = members;
  const place = { file, document: entry.document };
  const instances = members
    .map(({ address }, index) => ({ from: address, to: addressOf(kind, name, keys[index]) }))
    .sort((a, b) => byName(a.to, b.to));
  const set = (pointer: Pointer, value: Json): FileEdit => ({ ...place, pointer, value });
  return {
    loop: { address: addressOf(kind, name), file, table, instances, values: [...template.values.keys()] },
    edits: [
      { ...place, pointer: entry.pointer, value: undefined, key: name },
      ...itemEdits(),
      ...[...template.edits].map(([below, value]) => set(entry.pointer + below, value)),
      ...otherMembers.map((other) => ({
        file: other.file,
        document: other.entry.document,
        pointer: other.entry.pointer,
        value: undefined,
      })),
      ...followers(instances, place, input),
    ],
  };

  function itemEdits(): readonly FileEdit[] {
    if (table === undefined) return [set(`${entry.pointer}/forEach`, itemsOf(keys, template))];
    const { text, forEachRow } = rowsOf(keys, template.values, { table, file });
    return [newFile(table, text), set(`${entry.pointer}/forEachRow`, forEachRow)];
  }
}

/** Edits of entries with the old addresses: one in `moved` for each that a state knows, and those yet to be adopted. */
export function followers(
  instances: FoldedLoop['instances'],
  { file, document }: Pick<Origin, 'file' | 'document'>,
  { state, loaded }: FoldInput,
): readonly FileEdit[] {
  const moved = instances.filter(({ from }) => state === 'unknown' || state.has(from));
  const to = new Map(instances.map((each) => [each.from, each.to]));
  const adopted = loaded.desired.adoptions.flatMap(({ to: known, origin }): readonly FileEdit[] => {
    const value = to.get(known);
    return value === undefined ? [] : [{ ...origin, pointer: `${origin.pointer}/to`, value }];
  });
  return [...moved.map((each) => ({ file, document, pointer: '/moved/-', value: { ...each } })), ...adopted];
}

export function newFile(file: string, value: string): FileEdit {
  return { file, document: 0, pointer: '', value };
}

function itemsOf(keys: readonly string[], { values }: Template): JsonObject {
  const items: Record<string, Json> = {};
  const inOrder = [...keys.entries()].sort(([, a], [, b]) => byName(a, b));
  for (const [index, key] of inOrder) {
    const item: Record<string, Json> = {};
    for (const [name, each] of values) {
      const value = each[index];
      if (value !== undefined) define(item, name, value);
    }
    define(items, key, item);
  }
  return items;
}

type TakenKeys = ReturnType<typeof takenKeys>;

/** Keyed by section. */
export function keysTaken({ loaded, state }: FoldInput): TakenKeys {
  const { resources, moves, removals, loops = [], absent = [] } = loaded.desired;
  return takenKeys([
    ...[...resources, ...loops, ...absent].map(({ address }) => address),
    ...[...moves, ...removals].map(({ from }) => from),
    ...(state === 'unknown' ? [] : state),
  ]);
}

function nameLoop(group: readonly Member[], taken: TakenKeys, itemsIn?: ItemsIn): Loop {
  const [first, ...others] = group as readonly [Member, ...Member[]];
  const members = [first, ...others] as const;
  const template = makeTemplate(members, itemsIn);
  const name = loopName(members, taken.get(first.section) ?? new Set());
  return { members, template, name, keys: itemKeys(members, template) };
}

// Names a loop by what its members share, and its items by what differs.

/** The words that all keys share, or else the file. Adds the result to `taken`, the keys of the section. */
function loopName(members: readonly Member[], taken: Set<string>): string {
  const { before, after } = sharedWords(members.map(({ key }) => key));
  const shared = [...before, ...after].join('-');
  const label = members[0]?.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '') ?? '';
  return takeName([/^[a-z]/i.test(shared) ? shared : keyFrom(label, 'loop')], taken);
}

function itemKeys(members: readonly Member[], { values }: Template): readonly string[] {
  const keys = members.map(({ key }) => key);
  const { before, after } = sharedWords(keys);
  const rests = keys.map((key) =>
    wordsOfKey(key)
      .slice(before.length, wordsOfKey(key).length - after.length)
      .join('-'),
  );
  const isNumbered = rests.every((rest) => /^[\d-]*$/.test(rest));
  const ofValues = [...values]
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, each]) => each.map((value) => labelOf(name, value)));
  const candidates = [
    ...(before.length + after.length > 0 && !isNumbered ? [rests] : []),
    ...ofValues.filter((labels) => labels.every(({ length }) => length <= maxLabelLength)),
    ...(before.length + after.length > 0 ? [rests] : []),
  ];
  return candidates.find(areKeys) ?? keys;
}

/** A name says the most, and an identifier nothing. */
function rankOf(name: string): number {
  return name === 'name' ? 0 : ['identifier', 'modelId', 'userId'].includes(name) ? 2 : 1;
}

/** Longer texts are not names. */
const maxLabelLength = 32;

function areKeys(labels: readonly string[]): boolean {
  return new Set(labels).size === labels.length && labels.every((label) => /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(label));
}

function labelOf(name: string, value: Json | undefined): string {
  if (typeof value !== 'string' || value.includes('${')) return '';
  return kebabOf(name === 'timezone' ? value.replace(/^.*\//, '') : value);
}

/** The words that all keys begin and end with; at least one word of each is left. */
function sharedWords(keys: readonly string[]): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  const words = keys.map(wordsOfKey);
  const [first = []] = words;
  const shortest = smallest(words.map(({ length }) => length));
  let [start, end] = [0, 0];
  while (start < shortest - 1 && words.every((each) => each[start] === first[start])) start += 1;
  while (end < shortest - 1 - start && words.every((each) => each.at(-1 - end) === first.at(-1 - end))) end += 1;
  return { before: first.slice(0, start), after: end === 0 ? [] : first.slice(-end) };
}

function wordsOfKey(key: string): readonly string[] {
  return key.split(/[-_]/);
}

/** The keys that a new loop must not have: those declared now, and those from before. */
function takenKeys(addresses: Iterable<Address>): ReadonlyMap<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const address of addresses) {
    const [section = '', key = ''] = address.split('.');
    const known = taken.get(section) ?? new Set();
    taken.set(section, known.add(key));
  }
  return taken;
}
