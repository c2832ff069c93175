// The state file's text, made to be read in a git diff: one value a line, the head first, everything below sorted.

import type { State } from '../../model/plan/state.ts';
import { type Json, sortKeys } from '../../model/values/json.ts';

export function renderState(state: State): string {
  const { version, lineage, serial, toolVersion, baseUrl, salt, resources, orphans, unresolved } = state;
  const head = { version, lineage, serial, toolVersion, baseUrl, salt };
  const body = {
    resources: sortKeys(resources as unknown as Json),
    orphans: sortKeys(orphans as unknown as Json),
    unresolved: sortKeys(unresolved as unknown as Json),
  };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}
