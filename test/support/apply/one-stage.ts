// Runs one stage of fold on a workspace in memory.

import type { FoldStage, FoldStep } from '../../../src/commands/fold/fold-stage.ts';
import { hasErrors } from '../../../src/model/workspace/diagnostic.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { loadFiles } from './loading.ts';

type Files = Readonly<Record<string, string>>;

export interface StageRun extends FoldStep {
  /** The workspace afterwards. */
  readonly after: Files;
}

/** `skip`: the ids of folds that are not proposed. Only files of `among` may change; all if left out. */
export async function runStage(
  stage: FoldStage,
  files: Files,
  { skip = [], among }: { readonly skip?: readonly string[]; readonly among?: readonly string[] } = {},
): Promise<StageRun> {
  const loaded = await loadFiles(files);
  if (hasErrors(loaded.findings)) throw new Error(JSON.stringify(loaded.findings));
  const step = stage({
    loaded,
    files: new Map((among ?? loaded.files).map((path) => [path, files[path] ?? ''])),
    parse: parseSource,
    state: 'unknown',
    environments: [{ name: undefined, resources: loaded.desired.resources }],
    skip: new Set(skip),
  });
  return { ...step, after: { ...files, ...Object.fromEntries(step.texts) } };
}
