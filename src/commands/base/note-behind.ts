// What plan and apply say first, outside of CI, where what was applied last is not in this checkout: they would take it back.

import type { State } from '../../model/plan/state.ts';
import type { Run } from './run.ts';

/** Undefined where nothing is known, or nothing is missing. */
export async function behindWords(run: Run, root: string, state: State | undefined): Promise<string | undefined> {
  const { checkout: commit } = state ?? {};
  if (commit === undefined || isCi(run.environment)) return undefined;
  const standing = await (await run.openCheckout(root)).standing(commit);
  if (standing === undefined) return undefined;
  const what = `The last apply was made at commit ${commit.slice(0, 12)}`;
  return standing === 'behind'
    ? `${what}, and this checkout is behind it: git pull.`
    : `${what}, which this checkout has not fetched: git fetch.`;
}

export function isCi(environment: Run['environment']): boolean {
  return !['', 'false'].includes(environment('CI') ?? '');
}
