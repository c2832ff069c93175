// `almanac show [PLANFILE]`: a saved plan, or the state; with --resolved the declarations as they are sent.

import { openSavedPlan } from '../../engine/propose/open-saved-plan.ts';
import { resolveDeclarations } from '../../engine/sources/resolve-declarations.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderResolved } from '../../render/resolved/resolved-text.ts';
import { openSession, openWorkspace } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { writePlan } from '../plan/plan.ts';
import { stateShow } from '../state/show.ts';
import type { ShowOptions } from './command.ts';

export async function show(world: World, options: ShowOptions, planFile: string | undefined): Promise<number> {
  const { format, resolved } = options;
  if (resolved !== undefined) return showResolved(world, options, resolved === true ? [] : resolved, planFile);
  if (planFile === undefined) {
    if (format === 'text' || format === 'json') return stateShow(world, { ...options, format }, []);
    throw new Failure('usage', `The state can be shown as text or json, not as ${format}.`, {
      hint: 'To use another format, name a plan that almanac plan --out saved.',
    });
  }
  const workspace = await openWorkspace(world, options);
  const document = await openSavedPlan(workspace, planFile);
  await writePlan(world, options, format, { document, now: world.clock.now() });
  return 0;
}

/** Reads neither the state nor a token. */
async function showResolved(
  world: World,
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
  const { loaded } = await openSession(world, options);
  const resolved = resolveDeclarations({ loaded, environmentName: options.env, addresses });
  world.stdout.data(renderResolved(resolved));
  return 0;
}
