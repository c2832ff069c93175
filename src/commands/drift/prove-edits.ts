// Whether edits do what they are for, and nothing else: the workspace is loaded with them, in memory, and planned against
// the same observation. Then the fields that were written are in no plan, and the plan of everything else is as before.

import { type Basis, rebased } from '../../apply/propose/basis.ts';
import { planOf } from '../../apply/propose/selection.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { overlayWorkspace } from '../../declare/load/load-again.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { NotWrittenField, NotWrittenReason } from '../../model/plan/drift-document.ts';
import type { Change, FieldDiff } from '../../model/plan/plan.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import { type Finding, hasErrors, severityOf } from '../../model/workspace/diagnostic.ts';
import type { Observation } from '../../observe/observe.ts';
import type { OpenDocuments } from '../../yaml/written/open-documents.ts';
import { editFiles, type SettledProof, type ValueEdit } from '../base/edit/edit-files.ts';
import { differing, type PlannedText, plannedText } from '../base/edit/prove-everywhere.ts';
import { refusal } from './drift-goals.ts';
import { refusalWords } from './not-editable.ts';
import { fileOf, type PlaceEdit } from './place-edit.ts';

interface ProofInput {
  readonly workspace: Workspace;
  readonly basis: Basis;
  readonly observation: Observation;
  /** Loads the workspace as it was loaded at first. */
  readonly load: (workspace: Workspace) => Promise<Loaded>;
  readonly documents: OpenDocuments;
}

export type Proof = SettledProof<ReadonlyMap<string, string>, NotWrittenReason>;

/** Proves several edits together. It plans the workspace as it is only once. */
export function makeProver(input: ProofInput): (edits: readonly PlaceEdit[]) => Promise<Proof> {
  const { workspace, basis, observation, load, documents } = input;
  const changesOf = (of: Basis) => planOf(of, {}, observation).value.plan.changes;
  const before = changesOf(basis);
  return async (edits) => {
    const edited = editTexts(edits, basis.loaded, documents);
    if ('reason' in edited) return { holds: false, ...edited, blame: new Map() };
    const loaded = await load(overlayWorkspace(workspace, edited));
    const fields = writtenFields(edits);
    if (hasErrors(loaded.findings)) return notValid(loaded.findings, fields);
    return compare(before, changesOf(await rebased(basis, loaded)), fields) ?? { holds: true, result: edited };
  };
}

type Refuted = Extract<Proof, { readonly holds: false }>;

function notValid(findings: readonly Finding[], written: WrittenFields): Refuted {
  const errors = findings.filter((finding) => severityOf(finding) === 'error');
  const words = ({ message }: Finding) => `With what Omni has, the declaration would not be valid. ${message}`;
  const own = errors.flatMap((error): readonly (readonly [Address, string])[] =>
    error.address !== undefined && written.has(error.address) ? [[error.address, words(error)]] : [],
  );
  const [first] = errors;
  const message = first === undefined ? '' : words(first);
  return { holds: false, reason: 'invalid', message, blame: new Map(own.toReversed()) };
}

type WrittenFields = ReadonlyMap<Address, ReadonlySet<string>>;

function writtenFields(edits: readonly PlaceEdit[]): WrittenFields {
  const fields = new Map<Address, Set<string>>();
  for (const { resource, field } of edits.flatMap(({ goals }) => goals)) {
    fields.set(resource.address, new Set([...(fields.get(resource.address) ?? []), field]));
  }
  return fields;
}

function compare(before: readonly Change[], after: readonly Change[], written: WrittenFields): Refuted | undefined {
  const wrong = differing(plannedTexts(before, written, false), plannedTexts(after, written, true));
  const other = wrong.find((address) => !written.has(address));
  if (other !== undefined) {
    const message = `Writing it would also change what is planned for \`${other}\`. Change it yourself.`;
    return { holds: false, reason: 'used-elsewhere', message, blame: new Map() };
  }
  const words = (address: Address) =>
    `With what Omni has in the file, a plan would still change \`${address}\`. Change it yourself.`;
  const blame = new Map(wrong.map((address) => [address, words(address)]));
  const [message] = blame.values();
  return message === undefined ? undefined : { holds: false, reason: 'unproven', message, blame };
}

/** Where something was written, what is left to change is what was to change before, without the fields that were written. */
function plannedTexts(changes: readonly Change[], written: WrittenFields, isEdited: boolean): readonly PlannedText[] {
  return changes.flatMap((change): readonly PlannedText[] => {
    const { address, diff, requests } = change;
    const fields = written.get(address);
    if (fields === undefined) return [[address, plannedText(change)]];
    const left = diff.filter((each) => !isOption(address, each) && (isEdited || !fields.has(fieldOf(each))));
    return left.length > 0 || (isEdited && requests > 0) ? [[address, JSON.stringify(left)]] : [];
  });
}

function fieldOf({ path }: FieldDiff): string {
  return pointerSegments(path)[0] ?? '';
}

/** An option of the request is in a diff only while a request is planned. */
function isOption(address: Address, diff: FieldDiff): boolean {
  return fieldsOf[kindOf(address) ?? 'schedule'][fieldOf(diff)]?.requestOption === true;
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
