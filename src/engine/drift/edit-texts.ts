// The new texts of the files that edits name: YAML by value, CSV by cell, and texts for people as a whole.

import type { NotWrittenField } from '../../model/plan/drift-document.ts';
import { groupBy } from '../../model/values/group-by.ts';
import type { Origin, SourceFile } from '../../model/workspace/source-file.ts';
import { editYaml } from '../../parse/edit/edit-yaml.ts';
import { editTable } from '../../parse/expand/edit-table.ts';
import { configOrder, sourceOrder } from '../../parse/format/canonical-order.ts';
import type { Loaded } from '../load/load.ts';
import type { ValueSources } from '../sources/value-source.ts';
import type { ValueEdit } from './edit-value.ts';
import { editsByOrigin, filesOf, type PlaceEdit } from './place-edit.ts';
import { loopWords, sharedWords } from './refusal-words.ts';

type NotMade = Pick<NotWrittenField, 'reason' | 'message'>;

/** The new texts by file, or why they cannot be made. */
export function editTexts(
  edits: readonly PlaceEdit[],
  loaded: Pick<Loaded, 'fileNamed' | 'config'>,
  sources: ValueSources,
): ReadonlyMap<string, string> | NotMade {
  const texts = new Map<string, string>();
  for (const { place, text } of edits) if (place.kind === 'text-file') texts.set(place.path, text ?? '');
  for (const [file, ofFile] of groupBy(edits.flatMap(editsByOrigin), (edit) => edit.file)) {
    const edited = editFile(loaded.fileNamed(file), ofFile, file === loaded.config?.file);
    if (edited !== undefined) texts.set(file, edited);
    else
      return notEdited(
        file,
        edits.filter((edit) => filesOf(edit).includes(file)),
        sources,
      );
  }
  return texts;
}

function editFile(
  file: SourceFile | undefined,
  edits: readonly (ValueEdit & Origin)[],
  isConfig: boolean,
): string | undefined {
  if (file?.isTable !== true) return file && editYaml(file.text, edits, isConfig ? configOrder : sourceOrder);
  return editTable(
    file.text,
    edits.map(({ pointer, value }) => ({ pointer, text: String(value) })),
  );
}

/** A field that is added to a map that others merge would become one of theirs. */
function notEdited(file: string, edits: readonly PlaceEdit[], sources: ValueSources): NotMade {
  const isMerged = edits.some(
    ({ place, goals }) =>
      place.kind === 'resource' && goals.some(({ resource }) => sources.isReferredTo(resource.origin)),
  );
  const instance = edits.flatMap(({ goals }) => goals).find(({ resource }) => resource.item !== undefined)?.resource;
  if (isMerged) {
    const message = instance === undefined ? sharedWords : loopWords('used-elsewhere', instance);
    return { reason: 'used-elsewhere', message };
  }
  const message = `The layout of ${file} cannot be edited. Change it yourself.`;
  return { reason: 'layout', message };
}
