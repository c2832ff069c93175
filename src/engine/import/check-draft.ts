// A drafted declaration before it is written: the text that a file would hold is parsed and checked as any source is.

import { pointerSegments } from '../../model/values/pointer.ts';
import type { Config } from '../../model/workspace/config.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import type { SourceDraft } from '../../model/workspace/source-draft.ts';
import { parseResources } from '../../parse/parse-resources.ts';
import { parseSource } from '../../parse/parse-source.ts';
import { renderSource } from '../../render/documents/source-text.ts';
import { validate } from '../../validate/validate.ts';
import type { Environment } from '../load/load-config.ts';

export interface CheckOptions {
  readonly config: Config;
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What is wrong with it, in the words of its first error; undefined where nothing is. */
export function faultOf(draft: SourceDraft, { config, environment, now }: CheckOptions): string | undefined {
  const { documents, findings } = parseSource({ path: draft.path, text: renderSource(draft) });
  const scope = {
    variables: config.variables,
    environment,
    readFile: () => ({ code: 'unreadable-reference' as const, message: 'An import refers to no file.' }),
  };
  const { resources, findings: ofReferences } = parseResources(documents, config.defaults, () => scope);
  const { findings: ofValues } = validate({ documents, resources }, { operations: config.api.operations, now });
  const error = [...findings, ...ofReferences, ...ofValues].find((finding) => severityOf(finding) === 'error');
  if (error === undefined) return undefined;
  const [, , field] = error.place !== undefined && 'pointer' in error.place ? pointerSegments(error.place.pointer) : [];
  return field === undefined ? error.message : `\`${field}\`: ${error.message}`;
}
