// The planner's questions about each kind of resource, answered in one table. Separate tables by kind have the decisions
// (decide.ts), the requests of a change (requests.ts) and what a plan leaves as it is (planning-findings.ts).

import type { Address, Kind } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { PatchedFields } from './patch.ts';

/** The reason why another value of a secret is not sent by itself, and the way to send it. */
export interface SecretWait {
  readonly why: string;
  readonly wayOf: (address: Address) => string;
}

interface PlanTraits {
  /** Returns undefined if a changed secret is sent at once, which then runs, delivers or creates nothing again. */
  readonly secretWaits: (isTest: boolean, operations: Operations) => SecretWait | undefined;
  /** The fields that requests of their own change: `owner` a transfer, `paused` pause and resume, `userGroups` their removal and addition. */
  readonly byThemselves: { readonly owner: boolean; readonly paused: boolean; readonly userGroups: boolean };
  /**
   * True if an `adopt` entry can track it. After that, the receivers in the state are only those of the declaration,
   * unless it says that they were sent through a sink.
   */
  readonly isAdoptable: boolean;
  /** The contents of a PATCH, if an update is one; absent if updates carry everything, or do not exist. */
  readonly patched?: PatchedFields;
  /** Present if Omni's list does not show all of it: a look also reads its details, and its receivers if these do not show them. */
  readonly hasDetails?: true;
  /** Present if a weaker limit of its rows is not a danger while all receivers are inside. */
  readonly rowsOutsideAlone?: true;
}

const jobWaits: SecretWait = {
  why: 'A new secret alone does not rerun an AI job',
  wayOf: (address) => `forget the job (\`${command('state rm', address)}\`) and apply`,
};
const testWaits: SecretWait = {
  why: 'A new secret alone does not repeat a test delivery',
  wayOf: (address) => `\`${command('test', address)}\``,
};
const createWaits: SecretWait = {
  why: 'With operations core, sending a new secret would create the schedule again',
  wayOf: (address) => `\`${command('apply', '--replace', address)}\``,
};

export const plannedAs: Readonly<Record<Kind, PlanTraits>> = {
  dashboard: {
    secretWaits: () => undefined,
    byThemselves: { owner: false, paused: false, userGroups: false },
    isAdoptable: false,
    patched: { inEntries: ['filters', 'controls'], whole: ['filterOrder'], needsOne: true },
  },
  schedule: {
    secretWaits: (isTest, operations) => (isTest ? testWaits : operations === 'core' ? createWaits : undefined),
    byThemselves: { owner: true, paused: true, userGroups: true },
    isAdoptable: true,
    hasDetails: true,
  },
  routine: {
    secretWaits: () => undefined,
    byThemselves: { owner: false, paused: false, userGroups: false },
    isAdoptable: true,
    patched: {
      inEntries: [],
      whole: ['name', 'description', 'prompt', 'schedule', 'timezone', 'destination'],
      emptied: { description: null },
      never: ['modelId', 'branchId', 'topicName', 'owner'],
    },
    rowsOutsideAlone: true,
  },
  aiJob: {
    secretWaits: () => jobWaits,
    byThemselves: { owner: false, paused: false, userGroups: false },
    isAdoptable: false,
  },
};
