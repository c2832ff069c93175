// Moves the time zone, the dashboard and the format that most resources of a file have to the defaults of that file. No
// resource may come to have another value: one that leaves the field out has it from almanac.yaml, and so stops the move.

import { type Address, addressOf, kindOfSection, type Section, sections } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { Edit } from '../../yaml/edit/edit-yaml.ts';
import { entriesOf, type RawDocument } from '../../yaml/raw-document.ts';
import type { FoldStage, ProposedFold } from './fold-stage.ts';
import { foldTraits } from './kinds.ts';
import { defaultIn, type SourcePage, sourcePages } from './recipient-lists.ts';

/** Fewer are shorter without a default. */
const fewest = 3;

export const foldDefaults: FoldStage = (input) => {
  const pageOf = sourcePages(input);
  return { folds: [...input.files.keys()].sort(byCodeUnit).flatMap((path) => movesIn(pageOf(path))), left: [] };
};

function movesIn(page: SourcePage): readonly ProposedFold[] {
  return sections.flatMap((section) => {
    const declared = page.documents.flatMap((document) => declaredIn(document, section));
    if (declared.length < fewest) return [];
    const { shared } = foldTraits[kindOfSection[section]];
    return shared.flatMap((field) => moveOf({ ...page, section, declared, field }) ?? []);
  });
}

interface Declaration {
  readonly address: Address;
  readonly document: number;
  readonly pointer: Pointer;
  readonly value: JsonObject;
}

/** A loop is one declaration, however many instances it has. */
function declaredIn({ value, origin }: RawDocument, section: Section): readonly Declaration[] {
  return entriesOf(isJsonObject(value) ? value[section] : undefined).flatMap(([key, declared]) => {
    const address = addressOf(kindOfSection[section], key);
    const pointer = pointerTo(section, key);
    return isJsonObject(declared) ? [{ address, document: origin.document, pointer, value: declared }] : [];
  });
}

interface FieldOfFile extends SourcePage {
  readonly section: Section;
  readonly declared: readonly Declaration[];
  readonly field: string;
}

function moveOf({ path, documents, layout, section, declared, field }: FieldOfFile): ProposedFold | undefined {
  const present = defaultIn(documents, section, field);
  const isWhole = declared.every(({ value }) => Object.hasOwn(value, field));
  if (present === undefined && !isWhole) return undefined;
  const having = groupBy(declared, ({ value }) => literal(value[field]));
  const canGo = ({ document, pointer }: Declaration) => layout.canGo(document, pointer + pointerTo(field));
  const candidates = [...having].flatMap(([value, all]) => {
    const isMeant = value !== undefined && (present === undefined || present === value);
    return isMeant ? [{ value, all, going: all.filter(canGo) }] : [];
  });
  const [most] = candidates.sort((a, b) => b.going.length - a.going.length || byCodeUnit(a.value, b.value));
  if (most === undefined || most.going.length < fewest) return undefined;
  const { value, all, going } = most;
  const set = present === undefined ? defaultEdit(documents, section, field, value) : undefined;
  if (set !== undefined && !layout.isOwn(set.document, set.pointer)) return undefined;
  const removed = going.map(({ document, pointer }) => ({
    file: path,
    document,
    pointer: pointer + pointerTo(field),
    value: undefined,
  }));
  const message = `The same \`${field}\` is a default of the file now. Here it stays, because it has a comment.`;
  const staying = all.filter((each) => !canGo(each) && layout.isOwn(each.document, each.pointer + pointerTo(field)));
  const usedBy = addressesOf(going);
  return {
    fold: { kind: 'default', id: `default ${path} ${section} ${field}`, file: path, section, field, value, usedBy },
    edits: set === undefined ? removed : [{ ...set, file: path }, ...removed],
    left: staying.length === 0 ? undefined : { file: path, addresses: addressesOf(staying), message },
  };
}

function addressesOf(declared: readonly Declaration[]): readonly Address[] {
  return declared.map(({ address }) => address);
}

/** In the first document that has defaults, or else in the first one of these resources: they count for the whole file. */
function defaultEdit(
  documents: readonly RawDocument[],
  section: Section,
  field: string,
  value: string,
): Edit | undefined {
  const having = (name: string) =>
    documents.find((document) => isJsonObject(document.value) && isJsonObject(document.value[name]));
  const document = having('defaults') ?? having(section);
  const pointer = pointerTo('defaults', section, field);
  return document && { document: document.origin.document, pointer, value };
}

/** Undefined for what holds references, or is no text. */
function literal(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !value.includes('${') ? value : undefined;
}
