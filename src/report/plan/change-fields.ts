// The fields that a change shows of its resource: those that come, go, stay or change, and how many others there are.

import { leavesOrphan } from '../../model/plan/plan.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { countOf } from '../../model/values/words.ts';
import type { Operations } from '../../model/workspace/config.ts';
import type { Block, Sign } from '../doc.ts';
import { changedFields, declaredFields } from '../fields/field-list.ts';
import { bodyOf } from './change-body.ts';
import { changedByItem } from './folds/difference-words.ts';
import type { FoldedChanges } from './folds/fold-changes.ts';
import type { TimedChange, Timings, TimingWords } from './timed-plan.ts';

export function bodyBlock(operations: Operations, change: TimedChange): Block {
  const { kind, before, after, timings } = change;
  const about = { kind, id: leavesOrphan(change, operations) ? undefined : change.id };
  const body = bodyOf(change);
  switch (body.shows) {
    case 'declaration':
      return { fields: declaredFields({ ...about, ...body, timing: timingFor(body.sign, timings) }) };
    case 'difference':
      return {
        fields: changedFields({ ...about, ...body, before, after, timings }),
        hidden: hiddenCount(change, []),
      };
    case 'names':
      return {
        fields: declaredFields({ ...about, ...body, sign: ' ' }),
        hidden: hiddenCount(change, Object.keys(body.attributes)),
      };
  }
}

/** What goes has run; what comes or stays will run. */
function timingFor(sign: Sign, timings: Timings = {}): TimingWords | undefined {
  return sign === '-' ? timings.before : timings.after;
}

/** `(7 unchanged fields hidden)`. */
function hiddenCount({ action, before, after, diff }: TimedChange, shown: readonly string[]): string | undefined {
  const touched = new Set([...shown, ...diff.map(({ path }) => pointerSegments(path)[0])]);
  const hidden = Object.keys({ ...before, ...after }).filter((name) => !touched.has(name)).length;
  const noun = action === 'forget' ? 'field' : 'unchanged field';
  return hidden === 0 ? undefined : `(${countOf(hidden, noun)} hidden)`;
}

/** Of equal changes: what all have, or how all change. */
export function sharedBlock(folded: FoldedChanges): Block {
  const { first, byItem, diff, timings } = folded;
  const { kind } = first;
  const body = bodyOf(first);
  const sign = body.shows === 'declaration' ? body.sign : ' ';
  const attributes = byItem?.attributes;
  const declared =
    attributes === undefined ? [] : declaredFields({ kind, attributes, sign, timing: timingFor(sign, timings) });
  const changed =
    changedByItem(folded) === undefined ? changedFields({ kind, diff, before: null, after: null, timings }) : [];
  return { fields: [...declared, ...changed] };
}
