// The requests that a change takes, in order, each with what the service has once it is done. A request that starts mail
// comes as late as possible, one that stops it as early as possible: a schedule is paused before it changes and resumed
// afterwards, and a replaced schedule is deleted once the new one exists.

import type { Action } from '../model/plan/action.ts';
import type { Kind } from '../model/values/address.ts';
import { equalJson, type Json, type JsonObject } from '../model/values/json.ts';
import { isSealedSecret, sealedSecret, secretKey } from '../model/values/secret.ts';
import type { Operations } from '../model/workspace/config.ts';
import { sameSecret } from './difference.ts';

export type Send = 'patch' | 'post' | 'put' | 'transfer' | 'delete' | 'pause' | 'resume';

/** One request to the service. */
export interface Call {
  readonly send: Send;
  /** What is recorded once it is done; undefined where nothing is there any more. */
  readonly leaves: JsonObject | undefined;
}

export interface Called {
  readonly kind: Kind;
  readonly action: Action | 'no-op';
  readonly operations: Operations;
  /** Whether anything differs apart from being paused and from the owner. */
  readonly hasContent: boolean;
  /** Whether it is to belong to somebody else. */
  readonly transfers: boolean;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** Attributes of an earlier update whose outcome is unknown. */
  readonly uncertain: JsonObject | undefined;
}

/** For a decision that sends something. */
export function sendsOf({
  kind,
  action,
  operations,
  hasContent,
  transfers,
  before,
  after,
  uncertain,
}: Called): readonly Send[] {
  if (kind === 'dashboard') return ['patch'];
  const pauses = isPaused(after);
  switch (action) {
    case 'delete':
      return ['delete'];
    case 'create':
      return pauses ? ['post', 'pause'] : ['post'];
    case 'replace':
      return ['post', ...(pauses ? (['pause'] as const) : []), ...(operations === 'full' ? (['delete'] as const) : [])];
    case 'update': {
      const wasPaused = isPaused(before);
      // An open pause hides an open resume before it, so a schedule to be paused is always paused again. Whether a schedule
      // that must run may be paused, `before` and `uncertain` say: there a pause is hidden by nothing.
      const mayDiffer = uncertain !== undefined && (pauses || isPaused(uncertain) !== wasPaused);
      const switches = pauses !== wasPaused || mayDiffer;
      const isLost = uncertain !== undefined;
      const isTransferLost = isLost && isOnlyOwner(before, uncertain);
      const isOwnerOpen = isLost && after?.['owner'] !== undefined;
      // The old owner may still be who is allowed to change it, and the new one must see the dashboard of the new content.
      const rest: readonly Send[] = [
        ...(hasContent || (isLost && !isTransferLost) ? (['put'] as const) : []),
        ...(transfers || isOwnerOpen ? (['transfer'] as const) : []),
      ];
      if (!switches) return rest;
      return pauses ? ['pause', ...rest] : [...rest, 'resume'];
    }
    default:
      return ['post'];
  }
}

/** `before` and `after` as the state records them, secrets sealed. */
export function callsOf(sends: readonly Send[], before: JsonObject = {}, after?: JsonObject): readonly Call[] {
  // Recorded as paused until it is resumed, so that the next plan resumes it if this apply is interrupted.
  let held = sends.includes('resume') ? withPaused(before, true) : before;
  const isTransferred = sends.includes('transfer');
  return sends.map((send, index): Call => {
    if (send === 'delete') return { send, leaves: undefined };
    held = leftBy(send, held, after ?? {}, isTransferred);
    const isLast = sends.slice(index + 1).every((later) => later === 'delete');
    return { send, leaves: isLast ? after : held };
  });
}

/** For a request that others follow. */
function leftBy(
  send: Exclude<Send, 'delete'>,
  held: JsonObject,
  after: JsonObject,
  isTransferred: boolean,
): JsonObject {
  switch (send) {
    case 'pause':
      return withPaused(held, true);
    case 'resume':
      return withPaused(held, false);
    case 'transfer':
      return withOwner(held, after['owner']);
    case 'put':
      return withPaused(isTransferred ? withOwner(after, held['owner']) : after, isPaused(held));
    case 'post':
      return withPaused(after, false);
    case 'patch':
      return after;
  }
}

/** Whether a request holds the whole declaration, secrets included. */
export function sendsDeclaration(sends: readonly Send[]): boolean {
  return sends.includes('post') || sends.includes('put');
}

/** What the state records of `after`: a secret that is not known here, and not sent, is still the one that was sent. */
export function withKnownSecrets(
  prior: { readonly attributes: JsonObject } | undefined,
  after: JsonObject,
  sends: readonly Send[],
): JsonObject {
  if (prior === undefined || sendsDeclaration(sends)) return after;
  const known = Object.entries(after).map(([name, value]): [string, Json] => {
    const sent = prior.attributes[name];
    const isKept = isSealedSecret(value) && value[secretKey] === null && sameSecret(sent, value);
    return [name, isKept && isSealedSecret(sent) ? sealedSecret(sent[secretKey] || null, value.text) : value];
  });
  return Object.fromEntries(known);
}

/** Whether what may have been sent is a transfer and nothing else. */
function isOnlyOwner(before: JsonObject | undefined, sent: JsonObject): boolean {
  if (before === undefined || equalJson(before['owner'], sent['owner'])) return false;
  return equalJson(withOwner(before, undefined), withOwner(sent, undefined));
}

export function withOwner({ owner: _, ...rest }: JsonObject, owner: Json | undefined): JsonObject {
  return owner === undefined ? rest : { ...rest, owner };
}

export function isPaused(attributes: JsonObject | undefined): boolean {
  return attributes?.['paused'] === true;
}

export function withPaused({ paused: _, ...rest }: JsonObject, paused: boolean): JsonObject {
  return paused ? { ...rest, paused: true } : rest;
}
