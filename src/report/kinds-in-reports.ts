// The facts about kinds in reports: identifying fields, and remainders of changes in Omni.

import type { Change, FieldDiff } from '../model/plan/plan.ts';
import { type Address, type Kind, kindOf } from '../model/values/address.ts';
import { pointerSegments } from '../model/values/pointer.ts';

interface KindInReports {
  readonly knownBy: readonly string[];
  /** A note about the remainder in Omni if it is forgotten, or updated without all that is no longer declared. */
  readonly remainderWords: (change: Change) => string | undefined;
}

export const kindsInReports: Readonly<Record<Kind, KindInReports>> = {
  dashboard: {
    knownBy: ['identifier'],
    remainderWords: ({ action, diff }) => {
      if (action === 'forget') return 'the dashboard stays as it is';
      return action === 'update' && diff.some(isLeftAsIs)
        ? 'what is no longer declared stays as it is on the dashboard'
        : undefined;
    },
  },
  schedule: { knownBy: ['identifier', 'name'], remainderWords: runsOn },
  routine: { knownBy: ['modelId', 'name'], remainderWords: runsOn },
  aiJob: { knownBy: [], remainderWords: () => undefined },
};

function runsOn({ action, id = '' }: Change): string | undefined {
  return action === 'forget' && id !== '' ? 'it keeps running in Omni, untracked' : undefined;
}

/** True for an entry of a dashboard, or a key of one: a partial update cannot remove it. */
function isLeftAsIs({ op, path }: FieldDiff): boolean {
  const [field, ...below] = pointerSegments(path);
  return op === 'remove' && (field === 'filters' || field === 'controls') && below.length <= 2;
}

/** Reports show any content of a state or a document, even invalid addresses: these get the words of most resources. */
export function shownKind(address: Address): Kind {
  return kindOf(address) ?? 'schedule';
}
