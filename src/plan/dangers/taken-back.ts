// What a plan takes back because its files lack what was applied: those of a later commit.

import { shortCommit } from '../../model/plan/standing.ts';
import { countOf } from '../../model/values/words.ts';
import { goingBack, isSending } from '../guard-plan.ts';
import type { DangerRule } from './world.ts';

/** All changes of such a plan count: nobody can tell which of them its author means. */
export const behindLast: DangerRule = (_, { plan, standing }) => {
  const count = goingBack(plan, standing);
  const title = `${countOf(count, 'change goes', 'changes go')} back: this checkout is behind the commit that was applied last`;
  const items =
    count === 0
      ? []
      : [
          {
            subject: shortCommit(standing.behind ?? ''),
            detail: 'applied last, and not here: apply refuses this plan without --allow-behind',
          },
        ];
  return [{ code: 'behind', title, items }];
};

/** Nobody can tell which of the changes come from there. */
export const movedSubmodules: DangerRule = (_, { plan, standing: { moved = [] } }) => {
  const title = countOf(
    moved.length,
    'submodule is not at the commit that is recorded',
    'submodules are not at the commits that are recorded',
  );
  const items = moved.map(({ path, recorded, here }) => ({
    subject: path,
    detail: `at ${shortCommit(here)}, recorded is ${shortCommit(recorded)}: apply --auto-approve refuses this plan without --allow-behind`,
  }));
  return [{ code: 'submodule', title, items: isSending(plan) ? items : [] }];
};
