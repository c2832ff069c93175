// Runs one stage of fold on a workspace in memory.

import { editFiles } from '../../../src/commands/base/edit/edit-files.ts';
import type { Fold, FoldStage, NotFolded } from '../../../src/commands/fold/fold-stage.ts';
import { hasErrors } from '../../../src/model/workspace/diagnostic.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { loadFiles } from './loading.ts';

type Files = Readonly<Record<string, string>>;

export interface StageRun {
  readonly folds: readonly Fold[];
  readonly left: readonly NotFolded[];
  /** The workspace afterwards. */
  readonly after: Files;
}

/** Only files of `among` may change; all if left out. */
export async function runStage(stage: FoldStage, files: Files, among?: readonly string[]): Promise<StageRun> {
  const loaded = await loadFiles(files);
  if (hasErrors(loaded.findings)) throw new Error(JSON.stringify(loaded.findings));
  const { folds, left } = stage({
    loaded,
    files: new Map((among ?? loaded.files).map((path) => [path, files[path] ?? ''])),
    parse: parseSource,
    state: 'unknown',
    everywhere: [loaded],
  });
  const edited = editFiles(
    folds.flatMap(({ edits }) => edits),
    loaded,
  );
  if ('notEdited' in edited) throw new Error(`${edited.notEdited} cannot be edited`);
  return {
    folds: folds.map(({ fold }) => fold),
    left: [...left, ...folds.flatMap((each) => each.left ?? [])],
    after: { ...files, ...Object.fromEntries(edited.texts) },
  };
}
