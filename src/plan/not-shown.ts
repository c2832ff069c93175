// Says which fields a request would set, or deliver, that no plan has shown.

import { fieldsDeciding, timeFields } from '../model/fields/fields.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { Kind } from '../model/values/address.ts';
import { isWithin, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { plannedAs } from './planned-as.ts';
import { governed } from './sinks.ts';

/** What is asked about: a resource with what others changed in it since it was applied, and not to what is declared. */
export interface Asked {
  readonly kind: Kind;
  readonly changedByOthers: readonly FieldDiff[];
  readonly recorded: StateResource | undefined;
  /** True if a sink of the environment takes the place of its receivers. */
  readonly isToSink?: boolean;
}

export interface NotShown {
  readonly changed: readonly FieldDiff[];
  /** Fields that no apply has sent: their pointers, or an empty one for all of them. */
  readonly unsent: readonly string[];
}

/** The requests that ask. A test delivery and an adoption do not: one holds what is declared alone, and the other sends nothing. */
interface Request {
  /** False for a field that the request has nothing to do with. */
  readonly concerns: (diff: FieldDiff & { readonly field: string }, asked: Asked) => boolean;
  /** True if nobody has been shown the rest of the declaration that it holds. */
  readonly isUnreviewed?: true;
}

const update: Request = {
  concerns: ({ field, path }, { kind, recorded, isToSink }) =>
    // No PATCH holds those, and a sink takes the place of everybody.
    !plannedAs[kind].patched?.never?.includes(field) &&
    !(isToSink && governed.includes(field)) &&
    !isStoredOtherwise(path, recorded),
};

const ofReceivers = fieldsDeciding('who');

const requests = {
  /** An update that a plan shows, also of one whose answer was lost, and a replacement. */
  update,
  /** An update for the value of a secret alone. */
  rotation: { ...update, isUnreviewed: true },
  /** The filters of a dashboard, for a report that follows them. A removed receiver is shown nothing. */
  filters: { concerns: ({ field, op }) => op !== 'remove' && ofReceivers.has(field) },
  /** A delivery at once, and its repetition: the time does not matter. */
  delivery: { concerns: ({ field }) => !timeFields.has(field) },
} as const satisfies Readonly<Record<string, Request>>;

/** Fields whose value in Omni is neither what the state had when the plan was made nor what is declared. */
export function notShown(request: keyof typeof requests, asked: Asked): NotShown {
  const { concerns, isUnreviewed }: Request = requests[request];
  const { changedByOthers, recorded } = asked;
  const changed = changedByOthers.filter((diff) =>
    concerns({ ...diff, field: pointerSegments(diff.path)[0] ?? '' }, asked),
  );
  if (!isUnreviewed) return { changed, unsent: [] };
  return { changed, unsent: [...(recorded?.unsent ? [''] : []), ...(recorded?.unread ?? [])] };
}

/** Filters that Omni never stored as they were sent are nobody's change: an update sends them again, and is read back. */
function isStoredOtherwise(path: string, { notReadBack }: Partial<StateResource> = {}): boolean {
  const sent = notReadBack?.other === undefined ? {} : notReadBack.sent;
  return Object.keys(sent).some((id) => isWithin(path, pointerTo('filterConfig', id)));
}
