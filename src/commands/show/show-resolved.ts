// `almanac show --resolved [ADDRESS…]`: the declarations as they are sent. A file of its own, so that showing a state or a
// plan does not load what reads declarations.

import { resolveDeclarations } from '../../engine/origins/resolve-declarations.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderResolved } from '../../render/resolved/resolved-text.ts';
import type { Run } from '../base/run.ts';
import type { ShowOptions } from './command.ts';

/** Reads neither the state nor a token. */
export async function showResolved(
  run: Run,
  options: ShowOptions,
  addresses: readonly string[],
  planFile: string | undefined,
): Promise<number> {
  if (planFile !== undefined)
    throw new Failure('usage', '--resolved shows the declarations, and not a plan.', {
      hint: `Leave ${planFile} out, or write addresses behind --resolved.`,
    });
  if (options.format !== 'text')
    throw new Failure('usage', `--resolved prints YAML, not ${options.format}.`, { hint: 'Leave --format out.' });
  const { loaded } = await run.load();
  const resolved = resolveDeclarations({ loaded, addresses });
  run.stdout.data(renderResolved(resolved));
  return 0;
}
