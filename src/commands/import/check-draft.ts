// Checks a drafted declaration before it is written: parses and validates the text that the file would contain, as for
// any source.

import type { Environment } from '../../declare/load/load-config.ts';
import { parseResources } from '../../declare/parse-resources.ts';
import { validate } from '../../declare/validate.ts';
import { isReservedVariable } from '../../model/fields/reserved-variables.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import type { Config } from '../../model/workspace/config.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import type { SourceDraft } from '../../model/workspace/source-draft.ts';
import { renderSource } from '../../report/source-text.ts';
import { parseSource } from '../../yaml/parse-source.ts';

export interface CheckOptions {
  readonly config: Config;
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The message of the first error, other than one that an import allows; undefined if there is none. */
export async function faultOf(
  draft: SourceDraft,
  { config, environment, now }: CheckOptions,
): Promise<string | undefined> {
  const { value: documents, findings } = parseSource({ path: draft.path, text: renderSource(draft) });
  const scope = {
    variables: config.variables,
    environment,
    isReserved: isReservedVariable,
    readFile: () => ({ code: 'unreadable-reference' as const, message: 'An import does not refer to files.' }),
  };
  const { value: resources, findings: ofReferences } = parseResources(documents, config.defaults, () => scope);
  const { findings: ofValues } = await validate({ documents, resources }, { operations: config.api.operations, now });
  const error = [...findings, ...ofReferences, ...ofValues].find(
    (finding) => severityOf(finding) === 'error' && finding.code !== 'filter-shape',
  );
  if (error === undefined) return undefined;
  const [, , field] = error.place !== undefined && 'pointer' in error.place ? pointerSegments(error.place.pointer) : [];
  return field === undefined ? error.message : `\`${field}\`: ${error.message}`;
}
