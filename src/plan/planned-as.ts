// What the planner asks of each kind of resource, in one table. Tables by kind of their own have the decisions
// (decide.ts), the requests of a change (requests.ts) and what a plan leaves as it is (planning-findings.ts).

import type { Address, Kind } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { PatchedFields } from './patch.ts';

/** Why another value of a secret is no reason to send anything, and what sends it all the same. */
export interface SecretWait {
  readonly why: string;
  readonly wayOf: (address: Address) => string;
}

interface PlanTraits {
  /** Undefined where another value of a secret is sent at once. Otherwise it would run, be delivered or be created again. */
  readonly secretWaits: (isTest: boolean, operations: Operations) => SecretWait | undefined;
  /** The fields that requests of their own change: `owner` a transfer, `paused` pause and resume, `userGroups` their removal and addition. */
  readonly byThemselves: { readonly owner: boolean; readonly paused: boolean; readonly userGroups: boolean };
  /**
   * An `adopt` entry can track it. What the state records of its receivers was then only declared, unless it says that it
   * was sent through a sink.
   */
  readonly isAdoptable: boolean;
  /** What a PATCH holds, where an update is one; nothing where updates carry everything, or there are none. */
  readonly patched?: PatchedFields;
  /** Its row in Omni's list is not all of it: a look also reads its details, and its receivers where these do not show them. */
  readonly hasDetails?: true;
  /** What it shows instead is nothing where all receivers are inside. */
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
