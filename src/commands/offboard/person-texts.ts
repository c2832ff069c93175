// Finds the edits that remove a person from source files, or name a successor. Texts that may name people are
// searched; only references to variables are resolved in them. The proof decides whether an edit has the right effect.

import { addressesInCell, cellOfList } from '../../declare/expand/cells.ts';
import type { Use, ValuePlaces } from '../../declare/value-places.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { forAllReaders, type ValueEdit } from '../../edit/edit-files.ts';
import type { EnvironmentState } from '../../edit/in-environment.ts';
import { ownerAt, receiversAt } from '../../model/fields/delivery.ts';
import { type Address, type Kind, kindAt, kinds, kindsInOrder } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { type Json, stringIn } from '../../model/values/json.ts';
import { isWithin, type Pointer, parentOf, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { replaceReferences } from '../../model/values/references.ts';
import type { Origin, SourceFile } from '../../model/workspace/diagnostic.ts';
import { mapLeaves } from '../../model/workspace/map-leaves.ts';
import { isSameId } from '../../observe/owners/owners.ts';
import { fileAndLine } from '../../report/text/words.ts';
import { parseTable } from '../../yaml/parse-table.ts';

export interface Leaver {
  /** In lower case. */
  readonly email: string;
  /** The successor; undefined if there is none. */
  readonly to: string | undefined;
  /** The membership id of the person; undefined if Omni was not asked, or knows nobody with the address. */
  readonly memberId?: string | undefined;
  /** A whole sentence: why the successor cannot own anything; undefined if no reason is known. */
  readonly whyNoOwner?: string | undefined;
}

export interface PersonEdit {
  readonly origin: Origin;
  readonly line: number | undefined;
  readonly before: string;
  /** Undefined removes it from its list. */
  readonly value: string | undefined;
  /** Everything that uses the text; if nothing does, the place where it is written. */
  readonly addresses: readonly Address[];
  /** A whole sentence: why it cannot be made; undefined if the proof decides. */
  readonly why: string | undefined;
  /** An edit at each place that has the text. */
  readonly edits: readonly (ValueEdit & Origin)[];
}

export type Person = Pick<Leaver, 'email' | 'memberId'>;

/** True if an address or a membership id is that of the person. */
export function isThem(name: unknown, { email, memberId }: Person): name is string {
  if (typeof name !== 'string') return false;
  return isSameId(name, email) || (memberId !== undefined && isSameId(name, memberId));
}

export function withVariables(text: string, { config }: EnvironmentState['loaded']): string {
  return replaceReferences(text, (inner) =>
    inner.startsWith('var.') ? stringIn(config?.variables[inner.slice('var.'.length)]) : undefined,
  );
}

interface TextSearch extends Leaver {
  readonly workspace: Pick<Workspace, 'readOnlyReason'>;
  readonly files: readonly SourceFile[];
  readonly environments: readonly EnvironmentState[];
  readonly places: ValuePlaces;
  /** Sources that would have nobody left: resources, and the addresses of sinks and audiences. */
  readonly lastOnes: ReadonlySet<unknown>;
}

/** Sorted by file, in their order there; each text once. */
export function personEdits(searched: TextSearch): readonly PersonEdit[] {
  const { files, places } = searched;
  const texts = files.flatMap((file) => (file.isTable ? cellsIn(file, searched) : textsIn(file, searched)));
  const byPlace = new Map(texts.map((text) => [JSON.stringify(text.origin), text]));
  return [...byPlace.values()].map(({ origin, changed, before, value }) => {
    const place = { kind: 'resource', origin } as const;
    const uses = places.usesOf(place);
    const holder = pointerSegments(origin.pointer).slice(0, 2).join('.');
    const { line } = places.viaOf(place);
    const edits = forAllReaders(changed, [{ pointer: origin.pointer, value }], places.documents);
    return {
      origin,
      line,
      before,
      value,
      addresses: uses.length === 0 ? [holder] : [...new Set(uses.map(({ resource }) => resource.address))],
      why: reasonNotEdited({ origin, line }, uses, holder, searched),
      edits: edits.map((each) => ({ ...origin, ...each })),
    };
  });
}

interface PersonText extends Pick<PersonEdit, 'before' | 'value'> {
  readonly origin: Origin;
  /** The text itself, or the list that it is an item of. */
  readonly changed: Origin;
}

/** The places in a source file, and in almanac.yaml, where people are named, as part of a regular expression. */
const namingPlaces: readonly string[] = kindsInOrder.flatMap((kind) => {
  const { section } = kinds[kind];
  const named = namedAt(kind);
  if (named.length === 0) return [];
  return [
    `/${section}/[^/]+(${[...named, '/forEach'].join('|')})`,
    `(/environments/[^/]+)?/defaults/${section}(${named.join('|')})`,
  ];
});

/** Places in a source file, and in almanac.yaml. Values from aliases and merge keys are found where they are used. */
const namesPeople = new RegExp(
  [...namingPlaces, '/audiences/[^/]+/emails', '(/environments/[^/]+)?/(variables|deliver/email)']
    .map((place) => `^${place}(/|$)`)
    .join('|'),
);

function textsIn({ path }: SourceFile, searched: TextSearch): readonly PersonText[] {
  const { environments, places, to } = searched;
  const { documents } = places;
  const reads = (item: Json, isName: (text: string) => boolean) =>
    typeof item === 'string' && environments.some(({ loaded }) => isName(withVariables(item, loaded)));
  const isTheirs = (item: Json) => reads(item, (text) => isThem(text, searched));
  const isSuccessor = (item: Json) => to !== undefined && reads(item, (text) => isSameId(text, to));
  const found: PersonText[] = [];
  const add = (before: string, document: Origin, pointer: Pointer): void => {
    const written = places.writtenAt({ kind: 'resource', origin: { ...document, pointer } });
    const list = documents.valueAt({ ...document, pointer: parentOf(pointer) });
    if (written === undefined) return;
    if (!Array.isArray(list)) {
      const { origin } = written.text;
      if (to !== undefined) found.push({ origin, changed: origin, before, value: to });
      return;
    }
    const { origin } = written.slot;
    // Otherwise the list would name the successor twice.
    const at = Number(pointerSegments(pointer).at(-1));
    const isTaken = list.some((each, index) => index !== at && (isSuccessor(each) || (index < at && isTheirs(each))));
    const changed = { ...origin, pointer: parentOf(origin.pointer) };
    found.push({ origin, changed, before, value: isTaken ? undefined : to });
  };
  for (const document of documents.documentsOf(path))
    mapLeaves(documents.valueAt(document) ?? null, (leaf, pointer) => {
      if (typeof leaf === 'string' && isTheirs(leaf) && namesPeople.test(pointer())) add(leaf, document, pointer());
      return leaf;
    });
  return found;
}

/** Without a successor, a cell that names only the person stays as it is, because no row lacks a cell. */
function cellsIn({ path: file, text }: SourceFile, searched: TextSearch): readonly PersonText[] {
  const { header, rows } = parseTable(text);
  return rows.flatMap(({ cells }, row) =>
    cells.flatMap(({ text: before }, column): readonly PersonText[] => {
      const value = cellWithout(before, searched);
      if (value === undefined) return [];
      const origin = { file, document: 0, pointer: pointerTo(row, header?.cells[column]?.text ?? '') };
      return [{ origin, changed: origin, before, value }];
    }),
  );
}

/** Undefined if the cell does not name the person, or would be empty. */
function cellWithout(text: string, searched: TextSearch): string | undefined {
  const { to } = searched;
  if (isThem(text, searched)) return to;
  const listed = addressesInCell(text);
  const others = listed.filter((each) => !isThem(each, searched));
  if (others.length === 0 || others.length === listed.length) return undefined;
  const isTaken = to === undefined || others.some((each) => isSameId(each, to));
  return cellOfList(isTaken ? others : [...others, to]);
}

/** The first reason; the proof finds others. `holder` is the declaration that contains the text. */
function reasonNotEdited(
  { origin: { file }, line }: Pick<PersonEdit, 'origin' | 'line'>,
  uses: readonly Use[],
  holder: Address,
  { workspace, lastOnes, whyNoOwner }: TextSearch,
): string | undefined {
  const readOnlyReason = workspace.readOnlyReason(file);
  if (readOnlyReason !== undefined) return `${file} cannot be written: ${readOnlyReason}.`;
  const where = fileAndLine({ file, line });
  const isAt = ({ field, path }: Use, at: Pointer | undefined) =>
    at !== undefined && isWithin(pointerTo(field) + path, at);
  const kindOfUse = ({ resource }: Use) => kindAt(resource.address);
  const lastUse = uses.find((use) => lastOnes.has(use.resource) && isAt(use, mailedAt(kindOfUse(use))));
  const last = uses.length === 0 && lastOnes.has(holder) ? holder : lastUse?.resource.address;
  if (last !== undefined) return `It shares the address in ${where} with ${last}, which would have no recipients.`;
  const isNaming = (use: Use) => {
    const kind = kindOfUse(use);
    return isAt(use, mailedAt(kind)) || (whyNoOwner === undefined && isAt(use, ownerAt(kind)));
  };
  if (uses.every((use) => use.isWhole && isNaming(use))) return undefined;
  return `The address in ${where} says more than who receives or owns it. Change the text yourself.`;
}

// The places where each kind names people, and advice about acting for a leaver.

/** The end of a sentence: advice if the `userId` of a declaration is the leaver's membership id. */
export const insteadOfUserId: Readonly<Record<Kind, string>> = {
  dashboard: 'Remove it, or name another member.',
  schedule: 'Remove it, or declare an `owner` instead.',
  routine: 'Remove it, or declare an `owner` instead.',
  aiJob: 'Remove it, or name another member.',
};

interface NoTransfer {
  /** A whole sentence: how to give a tracked one to somebody else. */
  readonly tracked: string;
  readonly untracked: (email: string) => string;
}

/** Advice about an owned resource that Omni cannot transfer; undefined if it can. */
export const insteadOfTransfer: Readonly<Record<Kind, NoTransfer | undefined>> = {
  dashboard: undefined,
  schedule: undefined,
  routine: {
    tracked: `Omni cannot transfer a routine. Declare another \`owner\` and run ${command('apply')} before the account is gone: it makes the routine for them and deletes this one.`,
    untracked: (email) =>
      `Omni cannot transfer a routine. Before the account is gone, run ${command('import', '--owners', email)}, apply, declare another \`owner\`, and apply again.`,
  },
  aiJob: undefined,
};

/** The place of e-mail addresses in this kind; undefined if it delivers no mail. */
export function mailedAt(kind: Kind): Pointer | undefined {
  return receiversAt(kind).email;
}

export function namedAt(kind: Kind): readonly Pointer[] {
  return [mailedAt(kind), ownerAt(kind)].flatMap((at) => at ?? []);
}

export function fieldAt(at: Pointer): string {
  return pointerSegments(at)[0] ?? '';
}
