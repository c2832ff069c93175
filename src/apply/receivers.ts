// Whom the changes of an apply really reach. After the confirmation and before the first change, Omni is asked who receives
// each schedule that is updated, unless a look of this run has shown it. Whoever the state, an open change, a look or this
// plan names may receive it. Where Omni has somebody else, or would reach somebody outside again whom it lost, the change is
// left: nothing that reaches anybody is sent. What only takes away is sent all the same, and a sink takes the place of
// everybody. Who is named, named-receivers.ts says; what the ids of groups mean, resolve-groups.ts.

import type { Received } from '../model/plan/observation.ts';
import { trackedAt } from '../model/plan/state.ts';
import type { RecordedGroup } from '../model/plan/user-groups.ts';
import type { RemoteRecipients } from '../model/service/remote.ts';
import { type Failure, refuseAll } from '../model/workspace/failure.ts';
import { groupsFound } from '../observe/observed-groups.ts';
import { inParallel, refusesOne, retryWhileNew } from '../observe/sending.ts';
import type { CallOptions } from '../omni/api.ts';
import { reaches } from '../plan/calls.ts';
import { type Step, sendsGroups } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Left } from './judge-claims.ts';
import { answeredBy, compareReceivers, notShown } from './named-receivers.ts';
import { type GroupTargets, judgeNames } from './resolve-groups.ts';

/** Who receives it in Omni otherwise than the plan assumed, where the change sets it right. In words. */
export interface Corrected {
  readonly takenOff?: readonly string[] | undefined;
  readonly sentAgain?: readonly string[] | undefined;
}

/** What was learned of a step before anything was sent. */
export interface Met {
  /** The declared groups with their ids. */
  readonly targets: readonly RecordedGroup[];
  /** Whom it goes to; undefined where it was not asked, such as for what is made. */
  readonly received?: Received | undefined;
  readonly corrected?: Corrected;
  /** Why nothing of it may reach anybody. */
  readonly left?: Failure;
  /** What nobody has seen of those who receive it, where nothing reaches them. */
  readonly unseen?: string | undefined;
  /** The groups that are gone, whose names others have now. */
  readonly gone?: readonly RecordedGroup[];
  /** How many requests that took, repeats included. */
  readonly requests: number;
}

interface Meeting {
  readonly proposal: Proposal;
  readonly groups: GroupTargets;
  readonly left: Left;
  /** Whether all of the plan is applied or nothing. */
  readonly isWhole: boolean;
}

/** Throws Failure blocked where nothing is to be sent unless all is, and what the service throws. */
export async function meetReceivers(meeting: Meeting, ports: ApplyPorts): Promise<ReadonlyMap<Step, Met>> {
  const { proposal, left, isWhole } = meeting;
  const asked = proposal.steps.filter(
    (step) => step.change.blocked === undefined && !left.has(step) && (step.readsReceivers || sendsGroups(step)),
  );
  const met = new Map<Step, Met>();
  await inParallel(
    asked,
    ports.service.concurrency,
    async (step) => void met.set(step, await meet(step, meeting, ports)),
  );
  const refused = [...met.values()].flatMap((each) => each.left ?? []);
  if (isWhole) refuseAll(refused.map((each) => each.with({ hint: [each.hint, 'Nothing was sent.'].join(' ').trim() })));
  return met;
}

async function meet(step: Step, meeting: Meeting, ports: ApplyPorts): Promise<Met> {
  let requests = 0;
  const { service } = ports;
  const onRequest: CallOptions['onRequest'] = (method) => {
    requests += 1;
    service.call.onRequest?.(method);
  };
  const call = { ...service.call, onRequest };
  try {
    const met = await judged(step, meeting, { ...ports, service: { ...service, call } });
    return { ...met, requests };
  } catch (error) {
    if (!refusesOne(error)) throw error;
    return { targets: meeting.groups.get(step.change.address) ?? [], left: error, requests };
  }
}

async function judged(step: Step, meeting: Meeting, ports: ApplyPorts): Promise<Omit<Met, 'requests'>> {
  const { proposal, groups } = meeting;
  const recipients = step.readsReceivers ? await recipientsOf(step, proposal, ports) : undefined;
  const { internalDomains } = proposal.inputs.config.safety;
  const received = recipients && {
    groups: groupsFound(recipients, internalDomains),
    emails: recipients.emails ?? [],
  };
  const now = received ?? step.received;
  const targets = groups.get(step.change.address) ?? [];
  const { left: leftByName, gone } = await judgeNames(step, targets, now, ports.service);
  if (recipients === undefined) return { targets, received: now, left: leftByName, gone };
  const answered = answeredBy(recipients);
  const differing = compareReceivers(step, answered, targets, proposal);
  const { unnamed, takenOff, sentAgain } = differing;
  const unseen = notShown(step, differing, unnamed.length === answered.length);
  const isReached = step.calls.some(reaches);
  return {
    targets,
    received: now,
    left: leftByName ?? (isReached ? unseen : undefined),
    unseen: isReached ? undefined : unseen?.message,
    gone,
    corrected: { takenOff: someOf(takenOff), sentAgain: someOf(sentAgain) },
  };
}

function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Throws what the service throws. */
async function recipientsOf(
  { change: { address, previousAddress = address, id } }: Step,
  { inputs: { state } }: Proposal,
  { service, clock }: ApplyPorts,
): Promise<RemoteRecipients> {
  if (id === undefined) throw new Error(`${address} has no id`);
  const api = await service.api();
  const { createdAt } = trackedAt(state, previousAddress) ?? {};
  const age = { clock, createdAt, signal: service.call.signal };
  return retryWhileNew(age, () => api.getRecipients(id, service.call));
}
