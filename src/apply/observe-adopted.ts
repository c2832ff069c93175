// With operations full, an apply observes the schedules that it adopts: an entry of `adopt` may have been pasted after a lost
// create or a lost state. What can be read back is recorded as it is, so that a difference from the declaration is
// planned next. The plan stays the one that was reviewed.
//
// Some instances do not return the subject, and an import guesses it. To know that, one schedule that has a subject is
// read in full, and stands for those of which only the row in the list is read.

import type { State, StateResource } from '../model/plan/state.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import { withObserved } from '../plan/drift.ts';
import type { Step } from '../plan/plan.ts';
import { observe } from '../service/observe.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Proposal } from './propose/propose.ts';

/** `listed`: the rows of what is adopted, with others. */
export async function observeAdopted(
  proposal: Proposal,
  listed: readonly ListedSchedule[],
  ports: ApplyPorts,
): Promise<Proposal> {
  const adopted = proposal.steps.filter(({ change }) => change.action === 'adopt');
  if (adopted.length === 0 || proposal.document.operations !== 'full') return proposal;
  const { service, clock } = ports;
  const { config, desired, keying } = proposal.basis;
  const sample = adopted.find(hasSubject)?.change.address;
  const { observed } = await observe({
    config,
    desired,
    state: stateOf(proposal, adopted),
    fingerprint: keying.fingerprint,
    refresh: { depth: 'list', only: true },
    sample,
    listed,
    service,
    clock,
  });
  const seenSample = sample === undefined ? undefined : observed.get(sample);
  const hidesSubjects = seenSample?.found === true && seenSample.unread?.includes('subject') === true;
  const looked = (step: Step): Step => {
    const { change, after } = step;
    if (change.action !== 'adopt' || after === undefined) return step;
    const seen = observed.get(change.address);
    const { effective, drift } = withObserved({ address: change.address, prior: priorOf(step) }, seen);
    const ofRow = hidesSubjects && hasSubject(step) ? ['subject'] : [];
    const unread = seen?.found ? (seen.unread ?? ofRow) : [];
    const known = unread.length === 0 ? step : { ...step, unread };
    if (drift === undefined) return known;
    ports.reporter.emit({ type: 'note', message: differs(step, drift) });
    return drift.isGone ? step : { ...known, after: effective.prior?.attributes ?? after };
  };
  return { ...proposal, steps: proposal.steps.map(looked) };
}

function hasSubject({ after }: Step): boolean {
  return after?.['subject'] !== undefined;
}

function differs(
  { change: { address, id } }: Step,
  drift: NonNullable<ReturnType<typeof withObserved>['drift']>,
): string {
  if (drift.isGone) return `${address} is adopted, but Omni has no schedule with the id ${id}.`;
  const fields = [...new Set(drift.diff.map(({ path }) => path.split('/')[1] ?? ''))].join(', ');
  return `${address} is adopted as it is in Omni, which differs from its declaration (${fields}): the next apply changes that.`;
}

function priorOf({ change: { id }, after = {} }: Step): StateResource {
  const longAgo = new Date(0).toISOString();
  return { ...(id === undefined ? {} : { id }), attributes: after, createdAt: longAgo, updatedAt: longAgo };
}

/** The state as if it had the adopted schedules alone. */
function stateOf({ basis, document }: Proposal, adopted: readonly Step[]): State {
  const { state, salt } = basis;
  const resources = Object.fromEntries(adopted.map((step) => [step.change.address, priorOf(step)]));
  const empty = { version: 2, lineage: '', serial: 0, toolVersion: '', baseUrl: document.baseUrl ?? '', salt } as const;
  return { ...(state ?? empty), resources, orphans: [], unresolved: [] };
}
