// What edits for drift have to do, and nothing else: the fields that were written are in no plan against the same
// observation, and the plan of everything else is as before. Other environments read the same source files, so there these
// fields may have other values, and nothing more may change. What an environment has for itself stays.

import type { Loaded } from '../../declare/load/load.ts';
import type { ParsedOnce } from '../../declare/load/load-again.ts';
import { type EditFault, editFiles, type SettledProof, type ValueEdit } from '../../edit/edit-files.ts';
import { blameFor, proverEverywhere, type Unmeant, whereWords } from '../../edit/prove-everywhere.ts';
import type { Side } from '../../edit/side.ts';
import type { NotWrittenField, NotWrittenReason } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Finding, Origin } from '../../model/workspace/diagnostic.ts';
import type { OpenDocuments } from '../../yaml/written/open-documents.ts';
import { refusal } from './drift-goals.ts';
import { refusalWords } from './not-editable.ts';
import { fileOf, type PlaceEdit } from './place-edit.ts';

interface ProofInput {
  readonly workspace: ParsedOnce;
  /** The one that was looked at. */
  readonly here: Side;
  readonly others: readonly Side[];
  readonly documents: OpenDocuments;
}

export type Proof = SettledProof<ReadonlyMap<string, string>, NotWrittenReason>;

/** Proves several edits together. */
export function makeProver({ workspace, here, others, documents }: ProofInput) {
  const prove = proverEverywhere(workspace, [here, ...others]);
  const { config } = here.loaded;
  return async (edits: readonly PlaceEdit[]): Promise<Proof> => {
    const texts = editTexts(edits, here.loaded, documents);
    if ('reason' in texts) return { holds: false, ...texts, blame: new Map() };
    const written = writtenFields(edits);
    const elsewhere = writtenFields(edits.filter((edit) => fileOf(edit) !== config?.file));
    const of = (address: Address, side: Side) => (side === here ? written : elsewhere).get(address);
    const proven = await prove(texts, { fields: { of }, mayWarn: true });
    if ('after' in proven) return { holds: true, result: texts };
    return { holds: false, ...refuted(proven.unmeant, proven.unmeant.side === here, written) };
  };
}

type WrittenFields = ReadonlyMap<Address, ReadonlySet<string>>;

function writtenFields(edits: readonly PlaceEdit[]): WrittenFields {
  const fields = new Map<Address, Set<string>>();
  for (const { resource, field } of edits.flatMap(({ goals }) => goals)) {
    fields.set(resource.address, new Set([...(fields.get(resource.address) ?? []), field]));
  }
  return fields;
}

type Refuted = EditFault & Pick<Extract<Proof, { readonly holds: false }>, 'reason'>;

function refuted(unmeant: Unmeant, isHere: boolean, written: WrittenFields): Refuted {
  const there = unmeant.side.name === undefined ? ' where no environment is chosen' : whereWords(unmeant.side);
  const where = isHere ? '' : there;
  if (unmeant.kind === 'invalid') {
    const { findings } = unmeant;
    const words = ({ message }: Finding) =>
      `With what Omni has, the declaration would not be valid${where}. ${message}`;
    const own = findings.filter(({ address }) => address !== undefined && written.has(address));
    return { reason: 'invalid', message: findings.map(words)[0] ?? '', blame: blameFor(own, words) };
  }
  const own = unmeant.addresses;
  const other = own.find((address) => !written.has(address));
  const alsoChanged = (address: Address) =>
    `Writing it would also change ${isHere ? 'what is planned for ' : ''}\`${address}\`${where}. Change it yourself.`;
  if (other !== undefined) return { reason: 'used-elsewhere', message: alsoChanged(other), blame: new Map() };
  const words = isHere
    ? (address: Address) =>
        `With what Omni has in the file, a plan would still change \`${address}\`. Change it yourself.`
    : alsoChanged;
  const blame = new Map(own.map((address) => [address, words(address)]));
  return { reason: isHere ? 'unproven' : 'used-elsewhere', message: [...blame.values()][0] ?? '', blame };
}

type NotMade = Pick<NotWrittenField, 'reason' | 'message'>;

/**
 * The new texts by file (YAML by value, CSV by cell, and texts for people as a whole), or why they cannot be made.
 */
function editTexts(
  edits: readonly PlaceEdit[],
  loaded: Pick<Loaded, 'fileNamed' | 'config'>,
  documents: OpenDocuments,
): ReadonlyMap<string, string> | NotMade {
  const texts = new Map<string, string>();
  for (const { place, text } of edits) if (place.kind === 'text-file') texts.set(place.path, text ?? '');
  // Several items can need the same line of their declaration.
  const byText = new Map(edits.flatMap(editsByOrigin).map((edit) => [JSON.stringify(edit), edit]));
  const edited = editFiles([...byText.values()], loaded);
  if ('notEdited' in edited) {
    const ofFile = edits.filter((edit) => fileOf(edit) === edited.notEdited);
    return notEdited(edited.notEdited, ofFile, documents);
  }
  const written = new Map([...texts, ...edited.texts]);
  const lost = [...written].find(([, text]) => !isReadBack(text))?.[0];
  return lost === undefined ? written : { reason: 'layout', message: notReadBack(lost) };
}

/** Of all its edits in YAML and CSV. */
function editsByOrigin({ place, edits }: PlaceEdit): readonly (ValueEdit & Origin)[] {
  return place.kind === 'text-file' ? [] : edits.map((edit) => ({ ...place.origin, ...edit }));
}

/** A file holds neither NUL nor half of a character, and a byte order mark at its start is no part of its text. */
function isReadBack(text: string): boolean {
  return !text.includes('\0') && !text.startsWith('\uFEFF') && text === Buffer.from(text).toString();
}

function notReadBack(file: string): string {
  return `The value has a character that ${file} cannot hold. Change it in Omni.`;
}

/** A field that is added to a map that others merge would become one of theirs. */
function notEdited(file: string, edits: readonly PlaceEdit[], documents: OpenDocuments): NotMade {
  const inFile = edits.flatMap(({ place, goals }) => goals.map(({ resource }) => ({ place, resource })));
  const isMerged = inFile.some(
    ({ place, resource }) => place.kind === 'resource' && documents.isReferredTo(resource.origin),
  );
  const named = inFile.find(({ resource }) => resource.item !== undefined) ?? inFile[0];
  if (named === undefined || !isMerged)
    return { reason: 'layout', message: `The layout of ${file} cannot be edited. Change it yourself.` };
  const reason = 'used-elsewhere';
  return { reason, message: refusalWords({ reason, words: undefined }, named.resource) };
}

/** What is refused, or kept, together: the fields of an edit, and the edits of companions. */
export function refuseAll(
  { goals }: PlaceEdit,
  { reason, message }: Pick<NotWrittenField, 'reason' | 'message'>,
): readonly NotWrittenField[] {
  return goals.map(({ resource, field }) => refusal(resource.address, pointerTo(field), reason, message));
}

export function addressesOf({ goals }: PlaceEdit): readonly Address[] {
  return goals.map(({ resource }) => resource.address);
}

/** Fields of which one is not valid without the other. */
const companions: readonly ReadonlySet<string>[] = [
  new Set(['conditionType', 'conditionQueryMapKey']),
  new Set(['slackRecipientType', 'recipients']),
];

/** The edits of one resource that hold or fail together. */
export function partsOf(unit: readonly PlaceEdit[]): readonly (readonly PlaceEdit[])[] {
  const isIn = (fields: ReadonlySet<string>) => (edit: PlaceEdit) => edit.goals.every(({ field }) => fields.has(field));
  const pairs = companions.map((fields) => unit.filter(isIn(fields))).filter((pair) => pair.length > 0);
  const alone = unit.filter((edit) => !pairs.some((pair) => pair.includes(edit)));
  return [...pairs, ...alone.map((edit) => [edit])];
}
