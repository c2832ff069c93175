// The requests of a change, in order. A request that starts mail comes as late as possible, and one that stops mail as early
// as possible: a schedule is paused before it changes and resumed afterwards, and a replaced schedule is deleted once the new
// one exists. A user group that may no longer receive it is taken away before new content is sent. Nobody knows whether a PUT
// keeps groups, so where groups are declared, those of the schedule are read after each PUT, and missing ones are added.

import { stateOnlyFields } from '../model/fields/fields.ts';
import { type OpenChange, sentToTracked } from '../model/plan/open-change.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import { type Kind, kindAt } from '../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { isSealedSecret, secretKey } from '../model/values/secret.ts';
import { isPaused } from '../model/workspace/resource.ts';
import type { DecidedMatch, Decision, Facts } from './decide.ts';
import { type Difference, diffAttributes, isTransferred, sameSecret } from './difference.ts';
import type { SeenMatch } from './drift.ts';
import { areSameGroups, type GroupWork, lacksGroups, removesGroups } from './group-work.ts';
import { isInPatch } from './patch.ts';

export type RequestKind =
  | 'patch'
  | 'post'
  | 'put'
  | 'transfer'
  | 'delete'
  | 'pause'
  | 'resume'
  /** Takes user groups away, adds those that it lacks, or reads after a PUT which it has and does so. */
  | 'remove'
  | 'add'
  | 'settle';

/** The requests after which somebody receives more than before, or the same again. */
const reaching: ReadonlySet<RequestKind> = new Set<RequestKind>(['post', 'put', 'transfer', 'resume', 'add', 'settle']);

/** True if a request reaches the receivers; a pause, a deletion and a removal do not. */
export function reaches(send: RequestKind): boolean {
  return reaching.has(send);
}

/** True if a request only takes something away: nobody receives more, or other rows, and nothing that others changed is undone. */
export function onlyTakes(send: RequestKind): boolean {
  return send === 'pause' || send === 'delete' || send === 'remove';
}

/** The changes that need a PUT. A change that an earlier apply left open is sent again in any case. */
const contentChanges: ReadonlySet<Facts['change']> = new Set(['content', 'target', 'sink']);

/** The traces that an open update may have left behind. */
interface LeftOpen {
  readonly isPaused: boolean;
  /** True if its content is sent again: it may have sent another one, or may not have put back what somebody had changed. */
  readonly hasContent: boolean;
}

/** The traces. The same content is not sent again where that would make filters its own that an import left unread. */
export function leftBy(open: OpenChange, { recorded: { prior }, isPaused: seenPaused }: SeenMatch): LeftOpen {
  const sent = sentToTracked(open);
  const kind = kindAt(open.address);
  const isOther = (attributes: JsonObject) =>
    diffAttributes(kind, prior?.attributes ?? {}, attributes).some(({ path }) =>
      isContent(pointerSegments(path)[0] ?? ''),
    );
  return {
    isPaused: seenPaused ?? sent.some(isPaused),
    hasContent: open.attributes === undefined || !prior?.unread?.length || sent.some(isOther),
  };
}

function isContent(field: string): boolean {
  return !['owner', 'paused', 'userGroups', ...stateOnlyFields].includes(field);
}

type SendsOf = (
  decision: Pick<Decision, 'action'>,
  decided: DecidedMatch,
  before: JsonObject | undefined,
  open: LeftOpen | undefined,
  groups: GroupWork | undefined,
) => readonly RequestKind[];

/** The requests of a decision that sends something. `before`: its present attributes, as far as is known. `open`: an earlier update. */
export const sendsOf: Readonly<Record<Kind, SendsOf>> = {
  dashboard: () => ['patch'],
  schedule: (decision, decided, before, open, groups) => {
    const sends = withoutGroups(decision, decided, before, open);
    return groups === undefined ? sends : withGroupSends(sends, groups, open !== undefined);
  },
  routine: sendsOfRoutine,
  aiJob: () => ['post'],
};

function withoutGroups(
  { action }: Pick<Decision, 'action'>,
  { facts: { change, operations, owns }, difference: { diff, after } }: DecidedMatch,
  before: JsonObject | undefined,
  open: LeftOpen | undefined,
): readonly RequestKind[] {
  const pauses = isPaused(after);
  switch (action) {
    case 'delete':
      return ['delete'];
    case 'create':
      return pauses ? ['post', 'pause'] : ['post'];
    case 'replace':
      return ['post', ...(pauses ? (['pause'] as const) : []), ...(operations === 'full' ? (['delete'] as const) : [])];
    case 'update': {
      const isOpen = open !== undefined;
      const switches = pauses !== isPaused(before) || (isOpen && (pauses || open.isPaused));
      const isOwnerOpen = isOpen && after?.['owner'] !== undefined;
      // The old owner may still be who is allowed to change it, and the new one must see the dashboard of the new content.
      const rest: readonly RequestKind[] = [
        ...(contentChanges.has(change) || open?.hasContent || owns ? (['put'] as const) : []),
        ...(isTransferred(diff) || isOwnerOpen ? (['transfer'] as const) : []),
      ];
      if (!switches) return rest;
      return pauses ? ['pause', ...rest] : [...rest, 'resume'];
    }
    default:
      return ['post'];
  }
}

/** The requests of a change with those for its groups in their places. `isLost`: an earlier update may have been carried out. */
function withGroupSends(sends: readonly RequestKind[], work: GroupWork, isLost: boolean): readonly RequestKind[] {
  const { declared, toSink } = work;
  if (sends.includes('post')) {
    if (declared.length === 0) return sends;
    const rest = sends.filter((send) => send !== 'delete');
    return [...rest, 'add', ...sends.slice(rest.length)];
  }
  const puts = sends.includes('put');
  const first = sends.filter((send) => send === 'pause');
  const last = sends.filter((send) => send === 'resume');
  const between = sends.filter((send) => send !== 'pause' && send !== 'resume');
  const adds = lacksGroups(work) || (isLost && declared.length > 0);
  return [
    ...first,
    ...(removesGroups(work) || (puts && toSink) ? (['remove'] as const) : []),
    ...between,
    ...(puts && declared.length > 0 ? (['settle'] as const) : adds ? (['add'] as const) : []),
    ...last,
  ];
}

function sendsOfRoutine({ action }: Pick<Decision, 'action'>): readonly RequestKind[] {
  switch (action) {
    case 'delete':
      return ['delete'];
    case 'replace':
      return ['post', 'delete'];
    case 'update':
      return ['patch'];
    default:
      return ['post'];
  }
}

/**
 * The number of requests if nothing fails, and if Omni has what is known here. What a schedule has is read after a PUT, and
 * what it lacks is added.
 */
export function requestsFor(sends: readonly RequestKind[], work: GroupWork | undefined): number {
  if (work === undefined) return sends.length;
  const idle = sends.includes('remove') && !removesGroups(work) ? 1 : 0;
  return sends.length - idle + (sends.includes('settle') && lacksGroups(work) ? 1 : 0);
}

/** True if a request holds the whole declaration, secrets included. */
export function sendsDeclaration(sends: readonly RequestKind[]): boolean {
  return sends.includes('post') || sends.includes('put');
}

/**
 * The fields of which an update would record another value that none of its requests holds. There are none: who is told that
 * something was updated must not find it unchanged. What stays because no request can remove it is no such field.
 */
export function unsentFields(
  sends: readonly RequestKind[],
  { diff, patch = {} }: Pick<Difference, 'diff' | 'patch'>,
  groups: GroupWork | undefined,
): readonly string[] {
  const isHeldBy: Readonly<Partial<Record<RequestKind, (field: string) => boolean>>> = {
    post: () => true,
    put: isContent,
    patch: (field) => !Object.hasOwn(patch, field) || isInPatch(patch[field]),
    transfer: (field) => field === 'owner',
    pause: (field) => field === 'paused',
    resume: (field) => field === 'paused',
    remove: (field) => field === 'userGroups',
    add: (field) => field === 'userGroups',
    settle: (field) => field === 'userGroups',
  };
  // A PATCH names entries: it takes none away, and has none of a map without any.
  const staysInOmni = (field: string, { op, after }: FieldDiff) =>
    (op === 'remove' && (field === 'owner' || sends.includes('patch'))) ||
    (op === 'remove' && field === 'userGroups' && groups !== undefined && !removesGroups(groups)) ||
    (sends.includes('patch') && isJsonObject(after) && Object.keys(after).length === 0);
  const fields = diff.flatMap((each) => {
    const field = pointerSegments(each.path)[0] ?? '';
    return stateOnlyFields.includes(field) || staysInOmni(field, each) ? [] : field;
  });
  const isUnsent = (field: string) => !sends.some((send) => isHeldBy[send]?.(field));
  const sameGroups = groups !== undefined && areSameGroups(groups);
  return [...new Set(fields)].filter((field) => isUnsent(field) && !(field === 'userGroups' && sameGroups));
}

/** The state's record of `after`: a secret that is not known here, and not sent, is still the one that was sent. */
export function withKnownSecrets(
  prior: { readonly attributes: JsonObject } | undefined,
  after: JsonObject,
  sends: readonly RequestKind[],
): JsonObject {
  if (prior === undefined || sendsDeclaration(sends)) return after;
  const known = Object.entries(after).map(([name, value]): [string, Json] => {
    const sent = prior.attributes[name];
    const isKept = isSealedSecret(value) && value[secretKey] === null && sameSecret(sent, value);
    return [name, isKept && sent !== undefined ? sent : value];
  });
  return Object.fromEntries(known);
}
