// Which entries of moved, adopt and removed took effect in an apply, so that it can say which ones to remove.

import type { FinishedEntry } from '../../model/plan/apply-outcome.ts';
import type { State } from '../../model/plan/state.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { placeOf } from '../../model/workspace/source-file.ts';
import { makeLocator } from '../../parse/locate.ts';
import { type Basis, withState } from '../propose/basis.ts';

export function finishedByApply(before: Basis, state: State | undefined): readonly FinishedEntry[] {
  const { moves, adoptions, removals } = before.desired;
  if (state === undefined || moves.length + adoptions.length + removals.length === 0) return [];
  const wereFinished = new Set(before.state === undefined ? [] : before.matching.finished);
  const locator = makeLocator(before.loaded.fileNamed);
  return withState(before, state)
    .matching.finished.filter((origin) => !wereFinished.has(origin))
    .map((origin) => {
      const [section = ''] = pointerSegments(origin.pointer);
      return { section, file: origin.file, line: locator.locate(placeOf(origin))?.line ?? 1 };
    });
}
