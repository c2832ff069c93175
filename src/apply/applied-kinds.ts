// Says how each kind's requests go out, and what failures mean for others.
// The table in observe/observed-kinds.ts says how the resources of a kind are found in Omni.

import { ownerOf } from '../model/fields/identity.ts';
import type { Change } from '../model/plan/plan.ts';
import type { ListedRow } from '../model/service/remote.ts';
import type { Kind } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Failure } from '../model/workspace/failure.ts';
import { statusOf } from '../model/workspace/failure.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import type { Step } from '../plan/plan.ts';
import { maskedText } from '../state/fold-journal.ts';
import { aiJobRequests, dashboardRequests, type Requests, routineRequests, scheduleRequests } from './send-call.ts';

/** A thing that a failed request leaves missing, so that the steps that need it are not started. */
interface MissingDependency {
  /** The thing that those steps need, as `needs` names it. */
  readonly what: string;
  /** Part of a sentence. */
  readonly why: string;
}

interface KindTraits {
  readonly requests: Requests;
  /** Delivers an existing resource at once; only for kinds that Omni has such a request for. Throws what the api throws. */
  readonly trigger?: (target: Pick<ListedRow, 'id' | 'madeBy'>, api: Api, options: CallOptions) => Promise<void>;
  /** Steps with the same name go out one after the other. */
  readonly inTurn?: (step: Step) => string | undefined;
  /** Names the thing that must not be missing when a step starts. */
  readonly needs?: (step: Step) => string;
  /** Names the thing that is missing after a failure. `error` is undefined for a request that was not sent, or that ended in a bug. */
  readonly missingAfter?: (step: Step, error: Failure | undefined) => MissingDependency | undefined;
  /** Returns what to do instead of an update that the service refuses. */
  readonly instead?: (change: Change, refusal: Failure) => string | undefined;
  /** Fields that nothing reads back: an adopted resource may have them although they are not declared. */
  readonly unseen?: (attributes: JsonObject) => readonly string[];
}

export const appliedKinds: Readonly<Record<Kind, KindTraits>> = {
  dashboard: {
    requests: dashboardRequests,
    missingAfter: ({ after }) => {
      if (after === undefined) return undefined;
      const identifier = maskedText(after, 'identifier');
      return { what: filtersOf(after), why: `the filters of its dashboard ${identifier} could not be set` };
    },
  },
  schedule: {
    requests: scheduleRequests,
    trigger: ({ id }, api, options) => api.triggerSchedule(id, options),
    needs: ({ after = {} }) => filtersOf(after),
    instead: insteadOfSwitching,
    unseen: passwordOf,
  },
  routine: {
    requests: routineRequests,
    trigger: ({ id, madeBy: owner }, api, options) => api.triggerRoutine(id, { owner }, options),
    inTurn: makesFor,
    needs: (step) => makesFor(step) ?? '',
    missingAfter: (step, error) => {
      const what = error?.code === 'api-at-maximum' ? makesFor(step) : undefined;
      return what === undefined ? undefined : { what, why: 'its owner has as many routines as Omni allows' };
    },
  },
  aiJob: { requests: aiJobRequests },
};

function filtersOf(attributes: JsonObject): string {
  return `filters of ${maskedText(attributes, 'identifier')}`;
}

/** Names the room for one more routine of its owner; returns undefined if the step creates none. */
function makesFor({ calls, after = {} }: Step): string | undefined {
  return calls.includes('post') ? `room for a routine of ${ownerOf(after) ?? 'the token'}` : undefined;
}

/** It is not documented whether a schedule may change its dashboard or its destination. */
function insteadOfSwitching({ address, diff }: Change, refusal: Failure): string | undefined {
  const switches = diff.some(({ path }) => path === '/identifier' || path === '/destinationType');
  if (!switches || ![400, 404].includes(statusOf(refusal) ?? 0)) return undefined;
  // A new schedule would name them as well.
  if (/filter keys|couldn't find query/i.test(refusal.message))
    return `The new dashboard does not have what the schedule names. \`${command('validate', '--online')}\` says what it has.`;
  return `If the service does not let a schedule change its dashboard or destination, \`${command('apply', '--replace', address)}\` creates the new one before it deletes the old.`;
}

function passwordOf({ destinationType, passwordUnencrypted }: JsonObject): readonly string[] {
  return destinationType === 'sftp' && passwordUnencrypted === undefined ? ['passwordUnencrypted'] : [];
}
