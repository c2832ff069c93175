// `almanac show [PLANFILE]`: a saved plan, the state, or the declarations as they are sent.

import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { openSavedPlan } from '../base/open-saved-plan.ts';
import { publishPlan } from '../base/publish-plan.ts';
import type { Run } from '../base/run.ts';
import { stateShow } from '../base/show-state.ts';
import type { ShowOptions } from './show-command.ts';

export async function show(run: Run, options: ShowOptions, planFile: string | undefined): Promise<number> {
  const { format, resolved } = options;
  if (resolved !== undefined) return showResolved(run, options, resolved === true ? [] : resolved, planFile);
  if (planFile === undefined) {
    if (format === 'text' || format === 'json') return stateShow(run, { format }, []);
    throw new Failure('usage', `The state can be shown as text or json, not as ${format}.`, {
      hint: `To use another format, name a plan that ${command('plan', '--out')} saved.`,
    });
  }
  const document = await openSavedPlan(run, await run.workspace(), planFile);
  await publishPlan(run, { format }, { document });
  return 0;
}

/** Reads the state only to resolve keys, and no token. States and plans are shown without the code for declarations. */
async function showResolved(
  run: Run,
  options: ShowOptions,
  selectors: readonly string[],
  planFile: string | undefined,
): Promise<number> {
  if (planFile !== undefined)
    throw new Failure('usage', '--resolved shows the declarations, and not a plan.', {
      hint: `Leave ${planFile} out, or write selectors behind --resolved.`,
    });
  if (options.format !== 'text')
    throw new Failure('usage', `--resolved prints YAML, not ${options.format}.`, { hint: 'Leave --format out.' });
  const session = await run.declared('nothing was resolved', 'anywhere');
  const { loaded } = session;
  const { stateForKeys } = await import('../base/read-applied.ts');
  const state = await stateForKeys(run, session, selectors);
  const { renderResolved, resolveDeclarations } = await import('./resolved-text.ts');
  run.stdout.write(renderResolved(resolveDeclarations({ loaded, state, selectors })));
  return 0;
}
