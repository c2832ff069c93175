// Deletions that the files may not mean. They may lack what an import brought, or be older than the state.

import { namedOf } from '../model/fields/identity.ts';
import { unrecordedWords } from '../model/plan/checkout-position.ts';
import type { Change } from '../model/plan/plan.ts';
import { trackedAt } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import { countOf } from '../model/values/words.ts';
import type { DangerRule } from './dangers/world.ts';
import type { PlanInputs } from './inputs.ts';
import { type PlanResult, withSteps } from './plan.ts';

type Known = Pick<PlanInputs, 'state' | 'standing'>;

/** The reason why the files may not mean a deletion; undefined for all other changes. */
function whyUnmeant(
  { address, previousAddress = address, id, reason }: Change,
  { state, standing }: Known,
): string | undefined {
  // The filters of a dashboard stay in Omni.
  if (id === undefined || (reason !== 'not-declared' && reason !== 'not-in-environment')) return undefined;
  if (standing.isUnrecorded) return `${unrecordedWords}, so these files may be older.`;
  return trackedAt(state, previousAddress)?.undeclared && standing.isInRepository
    ? `An import tracked ${previousAddress}, and no apply has found it declared yet, so these files may lack what that import brought.`
    : undefined;
}

const wayOn = `If it is to go, apply by hand, or what a review has shown (\`${command('apply', '--expect', 'DIGEST')}\`, \`--expect-changes\`, or a saved plan).`;

const secondWords = 'A deletion that is left has its name, so there would be two of them.';

/** The name in the list of Omni, by which one could be taken for the other; undefined if no list shows it. */
function nameIn({ kind }: Change, attributes: Change['before']): string | undefined {
  const name = namedOf(kind, attributes ?? {});
  return name && JSON.stringify([kind, name]);
}

/** The plan of an apply that nobody sees: such deletions are left, and what would be a second one beside them. */
export function leavingUnmeant(planned: PlanResult, known: Known): PlanResult {
  const staying = new Set(
    planned.steps.flatMap(({ change }) => (whyUnmeant(change, known) ? (nameIn(change, change.before) ?? []) : [])),
  );
  const steps = planned.steps.map((step) => {
    const { change } = step;
    const isSecond = change.action === 'create' && staying.has(nameIn(change, change.after) ?? '');
    const why = whyUnmeant(change, known) ?? (isSecond ? secondWords : undefined);
    if (why === undefined) return step;
    return { ...step, calls: [], change: { ...change, left: `${why} ${wayOn}`, requests: 0 } };
  });
  return withSteps(planned, steps);
}

export const unmeantDeletions: DangerRule = (_, { plan, state, standing }) => {
  const items = plan.changes.flatMap((change) => {
    const why = whyUnmeant(change, { state, standing });
    return why === undefined ? [] : [{ subject: change.address, detail: why }];
  });
  const title = `${countOf(items.length, 'deletion may', 'deletions may')} not be meant: apply --auto-approve leaves ${items.length === 1 ? 'it' : 'them'} unless a review has shown ${items.length === 1 ? 'it' : 'them'}`;
  return [{ code: 'unmeant-deletion', title, items }];
};
