// The changes of another commit that a plan takes back. Its files lack them, though they were applied.

import { type LastApplied, type Relation, shortCommit } from '../../model/plan/checkout-position.ts';
import type { DangerItem, FoundDanger } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { allowing } from '../../model/values/allowances.ts';
import { countOf } from '../../model/values/words.ts';
import { isSending, revertedChanges, takenBackWords } from '../guard-plan.ts';
import type { DangerRule } from './world.ts';

type RevertedDanger = (last: LastApplied, back: readonly Change[]) => FoundDanger;

const tells: Readonly<Partial<Record<Relation, RevertedDanger>>> = {
  behind: (last, back) => ({
    code: 'behind',
    title: `${countOf(back.length, 'change takes', 'changes take')} back what was applied: this checkout is behind the commit that was applied last`,
    items: [
      commitItem(last, `applied last, but not in this checkout: apply refuses this plan without ${allowing('behind')}`),
    ],
  }),
  diverged: (last, back) => {
    const title = 'this checkout has diverged from the commit that was applied last';
    const ofCommit = `of ${last.date}, applied last, but not in this checkout`;
    if (back.length === 0)
      return { code: 'diverged', gravity: 'caution', title: upper(title), items: [commitItem(last, ofCommit)] };
    return {
      code: 'diverged',
      title: `${countOf(back.length, 'change deletes or takes', 'changes delete or take')} back what is applied: ${title}`,
      items: [
        commitItem(last, `${ofCommit}: apply refuses this plan without ${allowing('behind')}`),
        ...back.map((change) => ({ subject: change.address, detail: takenBackWords(change, last) })),
      ],
    };
  },
  unknown: (last, back) => ({
    code: 'unknown-commit',
    title: `${countOf(back.length, 'change deletes', 'changes delete')} something: this clone does not have the commit that was applied last`,
    items: [
      commitItem(
        last,
        `applied last, but not in this clone: apply --auto-approve refuses this plan without ${allowing('behind')}`,
      ),
    ],
  }),
};

function commitItem({ commit }: LastApplied, detail: string): DangerItem {
  return { subject: shortCommit(commit), detail };
}

function upper(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A commit on another line is reported whenever something is sent: nobody has seen both. */
export const lastElsewhere: DangerRule = (_, { plan, standing }) => {
  const { last } = standing;
  const back = revertedChanges(plan, standing);
  const isSaid = back.length > 0 || (last?.relation === 'diverged' && isSending(plan));
  const tell = isSaid && last !== undefined ? tells[last.relation] : undefined;
  return tell === undefined || last === undefined ? [] : [tell(last, back)];
};

/** Nobody can tell which of the changes come from there. */
export const movedSubmodules: DangerRule = (_, { plan, standing: { moved = [] } }) => {
  const title = countOf(
    moved.length,
    'submodule is not at the commit that is recorded',
    'submodules are not at the commits that are recorded',
  );
  const items = moved.map(({ path, recordedCommit, commitHere }) => ({
    subject: path,
    detail: `at commit ${shortCommit(commitHere)}, but the recorded commit is ${shortCommit(recordedCommit)}: apply --auto-approve refuses this plan without ${allowing('behind')}`,
  }));
  return [{ code: 'submodule', title, items: isSending(plan) ? items : [] }];
};
