// The new texts of the files that edits name: YAML by value, CSV by cell, and texts for people as a whole.

import type { Loaded } from '../../declare/load/load.ts';
import type { NotWrittenField } from '../../model/plan/drift-document.ts';
import type { OpenDocuments } from '../../yaml/written/open-documents.ts';
import { editFiles } from '../base/edit/edit-files.ts';
import { editsByOrigin, fileOf, type PlaceEdit } from './place-edit.ts';
import { loopWords, sharedWords } from './refusal-words.ts';

type NotMade = Pick<NotWrittenField, 'reason' | 'message'>;

/** The new texts by file, or why they cannot be made. */
export function editTexts(
  edits: readonly PlaceEdit[],
  loaded: Pick<Loaded, 'fileNamed' | 'config'>,
  documents: OpenDocuments,
): ReadonlyMap<string, string> | NotMade {
  const texts = new Map<string, string>();
  for (const { place, text } of edits) if (place.kind === 'text-file') texts.set(place.path, text ?? '');
  const edited = editFiles(edits.flatMap(editsByOrigin), loaded);
  if ('notEdited' in edited) {
    const ofFile = edits.filter((edit) => fileOf(edit) === edited.notEdited);
    return notEdited(edited.notEdited, ofFile, documents);
  }
  const written = new Map([...texts, ...edited.texts]);
  const lost = [...written].find(([, text]) => !isReadBack(text))?.[0];
  return lost === undefined ? written : { reason: 'layout', message: notReadBack(lost) };
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
  const isMerged = edits.some(
    ({ place, goals }) =>
      place.kind === 'resource' && goals.some(({ resource }) => documents.isReferredTo(resource.origin)),
  );
  const instance = edits.flatMap(({ goals }) => goals).find(({ resource }) => resource.item !== undefined)?.resource;
  if (isMerged) {
    const message = instance === undefined ? sharedWords : loopWords('used-elsewhere', instance);
    return { reason: 'used-elsewhere', message };
  }
  const message = `The layout of ${file} cannot be edited. Change it yourself.`;
  return { reason: 'layout', message };
}
