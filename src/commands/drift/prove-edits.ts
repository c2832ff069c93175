// Proves that edits for drift do their work and nothing else. The fields that were written are in no plan against the
// same observation, and the plan of everything else is as before. Other environments read the same source files, so
// there these fields may have other values, and nothing more may change. An environment's own settings stay.

import type { FileEdit } from '../../edit/edit-files.ts';
import type { InEnvironment } from '../../edit/in-environment.ts';
import { type EditFaults, type EditUnits, type ProposedEdits, whereWords } from '../../edit/propose.ts';
import type { Unexpected } from '../../edit/prove-everywhere.ts';
import type { NotWritten, NotWrittenReason } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import type { ParsedFiles } from '../../yaml/parsed-files.ts';
import { refusalWords } from './not-editable.ts';
import { fileOf, type PlaceEdit } from './place-edit.ts';

/** The edits, and the differences in Omni from the files; `current` is the environment that was looked at. */
export function driftProposal(
  edits: readonly PlaceEdit[],
  current: InEnvironment,
  documents: ParsedFiles,
): ProposedEdits<PlaceEdit, NotWrittenReason> {
  const { config } = current.loaded;
  return {
    edits,
    filesOf,
    ...driftUnits,
    allowed: (some) => {
      const written = writtenFields(some);
      const elsewhere = writtenFields(some.filter((edit) => fileOf(edit) !== config?.file));
      const of = (address: Address, side: InEnvironment) => (side === current ? written : elsewhere).get(address);
      return { fields: { of }, mayWarn: true };
    },
    faultsOf: (obstacle, some) => {
      switch (obstacle.kind) {
        case 'read-only':
        case 'unencodable':
          return [{ about: [], reason: 'layout', message: notReadBack(obstacle.file) }];
        case 'unparseable': {
          const { file } = obstacle;
          const inFile = some.filter((edit) => fileOf(edit) === file);
          return [{ about: [], ...notEdited(file, inFile, documents) }];
        }
        default:
          return refuted(obstacle, obstacle.side === current, writtenFields(some));
      }
    },
  };
}

/** YAML by value, CSV by cell, and texts for people as a whole. */
function filesOf({ place, edits, text = '' }: PlaceEdit): readonly FileEdit[] {
  if (place.kind === 'text-file') return [{ file: place.path, document: 0, pointer: '', value: text }];
  return edits.map((edit) => ({ ...place.origin, ...edit }));
}

type WrittenFields = ReadonlyMap<Address, ReadonlySet<string>>;

function writtenFields(edits: readonly PlaceEdit[]): WrittenFields {
  const fields = new Map<Address, Set<string>>();
  for (const { resource, field } of edits.flatMap(({ goals }) => goals)) {
    fields.set(resource.address, new Set([...(fields.get(resource.address) ?? []), field]));
  }
  return fields;
}

function refuted(unexpected: Unexpected, isHere: boolean, written: WrittenFields): EditFaults<NotWrittenReason> {
  const there = unexpected.side.name === undefined ? ' where no environment is chosen' : whereWords(unexpected.side);
  const where = isHere ? '' : there;
  if (unexpected.kind === 'invalid') {
    return unexpected.findings.map(({ address, message }) => ({
      about: address !== undefined && written.has(address) ? [address] : [],
      reason: 'invalid',
      message: `With what Omni has, the declaration would not be valid${where}. ${message}`,
    }));
  }
  const own = unexpected.addresses;
  const other = own.find((address) => !written.has(address));
  const alsoChanged = (address: Address) =>
    `Writing it would also change ${isHere ? 'what is planned for ' : ''}\`${address}\`${where}. Change it yourself.`;
  if (other !== undefined) return [{ about: [], reason: 'used-elsewhere', message: alsoChanged(other) }];
  const words = isHere
    ? (address: Address) =>
        `With what Omni has in the file, a plan would still change \`${address}\`. Change it yourself.`
    : alsoChanged;
  const reason = isHere ? 'unproven' : 'used-elsewhere';
  return own.map((address) => ({ about: [address], reason, message: words(address) }));
}

function notReadBack(file: string): string {
  return `The value has a character that ${file} cannot hold. Change it in Omni.`;
}

/** A field that is added to a map that others merge would become one of theirs. */
function notEdited(file: string, edits: readonly PlaceEdit[], documents: ParsedFiles): Omit<NotWritten, 'about'> {
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

function addressesOf({ goals }: PlaceEdit): readonly Address[] {
  return goals.map(({ resource }) => resource.address);
}

/** Pairs of fields that are valid only together. */
const companions: readonly ReadonlySet<string>[] = [
  new Set(['conditionType', 'conditionQueryMapKey']),
  new Set(['slackRecipientType', 'recipients']),
];

/** The edits of one resource that hold or fail together. */
function partsOf(unit: readonly PlaceEdit[]): readonly (readonly PlaceEdit[])[] {
  const isIn = (fields: ReadonlySet<string>) => (edit: PlaceEdit) => edit.goals.every(({ field }) => fields.has(field));
  const pairs = companions.map((fields) => unit.filter(isIn(fields))).filter((pair) => pair.length > 0);
  const alone = unit.filter((edit) => !pairs.some((pair) => pair.includes(edit)));
  return [...pairs, ...alone.map((edit) => [edit])];
}

export const driftUnits: EditUnits<PlaceEdit> = { addressesOf, partsOf };
