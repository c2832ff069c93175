// Runs an apply from the lock to the written state. In its order: read, check what files and state refuse, settle what was
// lost, read what was not read back, propose from the state, look at what is about to change, propose from what was seen,
// check against Omni, confirm, execute. A refusal always comes before the first request that changes anything.

import { type CheckoutPosition, holdsLast, shortCommit, unknownWords } from '../model/plan/checkout-position.ts';
import type { Observation } from '../model/plan/observation.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { PlanDocument } from '../model/plan/plan.ts';
import type { State } from '../model/plan/state.ts';
import { canonicalJson } from '../model/values/json.ts';
import { refuseAll } from '../model/workspace/failure.ts';
import { userGroupsIn } from '../model/workspace/resource.ts';
import { look, lookedAgain, lookedAtOnly } from '../observe/look.ts';
import { guardedService } from '../observe/service.ts';
import { besideErrorsWords } from '../plan/beside-errors.ts';
import { configOf, makeInputs, type PlanInputs, withNeighbours, withState } from '../plan/inputs.ts';
import { dashboardsShown, filteredDashboards, touchedBy, unseenBy } from '../plan/looks.ts';
import { documentOf, type Proposal, propose } from '../plan/proposal.ts';
import { unexpected } from '../plan/saved-plan.ts';
import { lookAtTouched, lookFor, selectionOf } from '../plan/selection.ts';
import { checkSameOrganization, settledState } from '../state/current-state.ts';
import { type LockedStore, sharedPlace } from '../state/state-store.ts';
import { lockWait, withLock } from '../state/with-lock.ts';
import type { AppliedPlan, ApplyPorts, ApplyRequest } from './apply-request.ts';
import { checkAgainstOmni, checkPlan, costOf, listsFor } from './check-against-omni.ts';
import {
  checkFirst,
  isUnseen,
  makesUnseen,
  noteRotated,
  noteSaved,
  noteToken,
  reviewedIn,
} from './check-before-asking.ts';
import { checkSecretsSent, noteNotCompared } from './check-secrets.ts';
import { type ExecuteOptions, execute } from './execute.ts';
import { readAgain } from './read-back.ts';
import { needsRecovery, recover } from './recover.ts';
import { type AppliedFiles, finishedByApply, outcomeOf, withFiles } from './results.ts';

export function apply(request: ApplyRequest, ports: ApplyPorts): Promise<AppliedPlan> {
  return withLock(ports.store, lockWait('apply', request.lockTimeout, ports), (locked) =>
    applyLocked(request, locked, ports),
  );
}

async function applyLocked(asked: ApplyRequest, locked: LockedStore, outside: ApplyPorts): Promise<AppliedPlan> {
  const request = { ...asked, isUnseen: isUnseen(asked) };
  const config = configOf(request.loaded);
  const ports = { ...outside, service: guardedService(outside.service, locked, config.api.timeout) };
  const { store } = ports;
  const recordedState = await settledState(locked, ports);
  const standing = (await ports.checkout?.standing(recordedState)) ?? {};
  const unknown = unknownWords(standing);
  if (unknown !== undefined) ports.reporter.emit({ type: 'note', message: unknown });
  checkSameOrganization(recordedState, config.api.baseUrl, store.name);
  if (request.firstApply) checkFirst(recordedState, store.name);
  const ofRun = { ...ports, place: sharedPlace(store), standing };
  const own = await makeInputs(request.loaded, recordedState, ofRun, {
    secrets: 'recording',
    resends: resendsSecrets(request),
    besideErrors: (request.targets ?? request.saved) !== undefined,
  });
  const selection = selectionOf(request, own);
  const recovers = config.api.operations === 'full' && recordedState !== undefined && needsRecovery(recordedState);
  const before = await withNeighbours(own, { listsUntracked: selection.refresh !== undefined, recovers }, ports.others);
  // The files and the state are checked before the service is asked anything.
  const asApplied = { ...request, isApplied: true };
  const offline = propose(asApplied, before, selection);
  checkSecretsSent(offline, ports);
  const inputs = await readAgain(await settleLost(before, locked, ports), locked, ports);
  const refreshed = await look(
    lookFor(selection, inputs, { ...request, isReviewed: reviewedIn(request) !== undefined }),
    ports,
  );
  const planAs: PlanAs = (seen) =>
    inputs === before && seen === undefined ? offline : propose(asApplied, inputs, selection, seen);
  const outline = planAs(refreshed);
  // It is not the plan that was reviewed. A look may make it that.
  if (request.expect !== undefined && touchedBy(outline).size === 0)
    refuseAll(unexpected(request.expect, outline.document));
  if (outline.isBesideErrors) ports.reporter.emit({ type: 'note', message: besideErrorsWords });
  checkPlan(outline, request, store);
  const planned = await lookAndPropose(outline, planAs, request, ports);
  const { plan, proposal } = planned;
  const nothingDone = { plan, state: inputs.state };
  if (proposal.ofSaved !== undefined) noteSaved(proposal.ofSaved, proposal, ports);
  if (plan.changes.length === 0) {
    const state = await recordFiles(proposal, request, locked, ports);
    return { ...nothingDone, state, document: outcomeOf(plan, [], state, inputs.loaded) };
  }
  noteToken(proposal, ports);
  if (reviewedIn(request) !== undefined) noteRotated(proposal, ports);
  const confirmed = await confirm(planned, () => lookAndPropose(outline, planAs, request, ports, true), request, ports);
  if (confirmed === undefined) return nothingDone;
  const files = await filesOf(proposal, request, ports);
  const options = { failFast: request.failFast, files, ...confirmed };
  const applied = await execute(confirmed.proposal, options, locked, ports);
  return { plan: confirmed.plan, ...applied, finished: finishedByApply(before, applied.state) };
}

/** Plans from the files and the state, and from what was seen. */
type PlanAs = (seen: Observation | undefined) => Proposal;

interface ConfirmedPlan extends Pick<ExecuteOptions, 'existing' | 'actingUsers' | 'lookedAt' | 'drafts'> {
  readonly plan: PlanDocument;
  readonly proposal: Proposal;
}

/** Looks in depth at what is about to change (operations full), and plans it again. `looksAgain` repeats earlier looks. */
async function lookAndPropose(
  outline: Proposal,
  planAs: PlanAs,
  request: ApplyRequest,
  ports: ApplyPorts,
  looksAgain?: true,
): Promise<ConfirmedPlan> {
  const { service, clock } = ports;
  const { inputs, observation: refreshed } = outline;
  const isReviewed = reviewedIn(request) !== undefined;
  const relied = await listsFor(outline, service);
  const touched = touchedBy(outline, relied.actingUsers);
  const known = looksAgain ? undefined : refreshed;
  const open = unseenBy(known, outline, new Map([...relied.elsewhere.resources, ...touched]));
  const dashboards = new Set([...filteredDashboards(outline)].filter((each) => !known?.ownFilters.has(each)));
  const layouts = new Set([...dashboardsShown(outline, 'judged')].filter((each) => !known?.layouts.has(each)));
  const { orphans } = relied.elsewhere;
  const lookRequest = {
    ...lookAtTouched(open, relied.listed, inputs, { dashboards, layouts, orphans, isReviewed }),
    rereadDashboards: looksAgain,
  };
  const isAsked = open.size + dashboards.size + layouts.size + orphans.length > 0;
  const later = isAsked ? await look(lookRequest, ports) : undefined;
  const lookedAt = clock.monotonic();
  const observation = lookedAgain(refreshed, later && lookedAtOnly(later, touched));
  const proposal = { ...(observation === refreshed ? outline : planAs(observation)), ofSaved: outline.ofSaved };
  checkSecretsSent(proposal, ports);
  noteNotCompared(proposal, ports);
  const around = new Map([...(refreshed?.observed ?? []), ...(later?.observed ?? [])]);
  const formerly = new Map([...(refreshed?.formerly ?? []), ...(later?.formerly ?? [])]);
  const ofOutline = { proposal: outline, touched: new Set(touched.keys()), around, formerly };
  const checked = await checkAgainstOmni(proposal, ofOutline, relied, request, ports);
  const plan = await documentOf({ ...checked.proposal, heard: service.names() });
  return { ...checked, plan, lookedAt };
}

const maxQuestionMs = 2 * 60_000;

/** Looks again after a question that was open for long, and asks again if the plan is another. Returns undefined for a no. */
async function confirm(
  planned: ConfirmedPlan,
  repeat: () => Promise<ConfirmedPlan>,
  request: ApplyRequest,
  ports: ApplyPorts,
): Promise<ConfirmedPlan | undefined> {
  const { proposal, plan: document } = planned;
  const askedAt = ports.clock.monotonic();
  const mayBeSecond = request.firstApply !== true && makesUnseen(proposal, ports);
  if (
    !(await ports.confirm({
      document,
      cost: costOf(proposal, ports.service),
      mayBeSecond,
      untold: proposal.dashboards.untold,
    }))
  )
    return undefined;
  if (ports.clock.monotonic() - askedAt <= maxQuestionMs || touchedBy(proposal).size === 0) return planned;
  const now = await repeat();
  const shownIn = ({ plan: { digest, changes } }: ConfirmedPlan) =>
    canonicalJson([digest, changes.map(({ left }) => left ?? null)]);
  if (shownIn(now) === shownIn(planned)) return now;
  ports.reporter.emit({
    type: 'note',
    message: 'Somebody changed Omni while the question was open: this is the plan now.',
  });
  return confirm(now, repeat, request, ports);
}

/** The facts about the files that the state is to record; `--allow behind` answers for them. */
async function filesOf(
  proposal: Proposal,
  { allow, isUnseen }: ApplyRequest,
  { checkout }: ApplyPorts,
): Promise<AppliedFiles> {
  const { state, standing, desired } = proposal.inputs;
  const seen = [...(proposal.observation?.observed.values() ?? [])].flatMap((each) =>
    each.found ? (each.groups ?? []) : [],
  );
  // A name that nobody has written into a file stays unknown to the state, so a plan has to show it first.
  const written = new Set(desired.resources.flatMap(({ attributes }) => userGroupsIn(attributes)));
  const all = isWhole(proposal);
  const isNamed = holdsLast(standing, state, all) && !(standing.isUnrecorded && isUnseen);
  return {
    checkout: isNamed || allow?.behind ? await checkout?.head() : undefined,
    isWhole: all,
    holdLast: !lacksLast(standing) || allow?.behind === true,
    declared: desired.resources,
    groupNames: new Map(seen.flatMap(({ id, name = '' }) => (written.has(name) ? [[id, name] as const] : []))),
  };
}

function lacksLast({ last }: CheckoutPosition): boolean {
  return last !== undefined && ['behind', 'diverged', 'unknown'].includes(last.relation);
}

/** True if the plan covers the whole workspace and what it declares. */
function isWhole({ selection: { targets, refresh }, ofSaved }: Proposal): boolean {
  return targets === undefined && !refresh?.only && (ofSaved === undefined || ofSaved.remaining.length === 0);
}

/**
 * Records what the state does not know yet when nothing is left to do: that these files declare what an import tracked, the new
 * names of groups, the first commit, and, in an apply of reviews, the commit up to which everything reviewed is applied or taken back.
 */
async function recordFiles(
  proposal: Proposal,
  request: ApplyRequest,
  locked: LockedStore,
  ports: ApplyPorts,
): Promise<State | undefined> {
  const { state, standing } = proposal.inputs;
  if (state === undefined) return undefined;
  const files = await filesOf(proposal, request, ports);
  // An older submodule knows nothing of what the later commit holds there, and a shallow clone nothing of the commit before.
  const isOlder = (standing.moved ?? []).length > 0 || standing.last?.relation === 'shallow';
  const endsReviews = request.expectChanges !== undefined && !isOlder;
  const checkout = state.checkout === undefined || request.allow?.behind ? files.checkout : state.checkout;
  const known = withFiles(state, state, [], { ...files, checkout, holdLast: files.holdLast && endsReviews }, ports);
  if (known === state) return state;
  const isNamed = known.commit !== state.commit;
  const written = isNamed ? { ...known, checkout: files.checkout ?? state.checkout } : known;
  await locked.commit(written, { release: true });
  if (!isNamed) return written;
  const message = `Everything that was reviewed up to commit ${shortCommit(written.commit ?? '')} is applied, and the state now names this commit.`;
  ports.reporter.emit({ type: 'note', message });
  return written;
}

/** False if the whole plan must be the reviewed one, or if only the state is to change. */
function resendsSecrets({ saved, expect, refresh }: ApplyRequest): boolean {
  return saved === undefined && expect === undefined && !refresh?.only;
}

/**
 * Asks the service, with operations full, what became of the requests whose answers were lost. The findings are
 * written even if the rest is refused. What stays open is left, and what depends on it.
 */
async function settleLost(inputs: PlanInputs, locked: LockedStore, ports: ApplyPorts): Promise<PlanInputs> {
  const { state, config, desired } = inputs;
  if (config.api.operations !== 'full' || state === undefined || openChanges(state).length === 0) return inputs;
  if (!needsRecovery(state)) return { ...inputs, unsettled: new Map() };
  const adopted = new Set(desired.adoptions.map(({ id }) => id));
  const recovered = await recover(state, ports, adopted, { ignore: config.ignore, neighbours: inputs.neighbours });
  const settled = recovered.state === state ? state : { ...recovered.state, serial: state.serial + 1 };
  if (settled !== state) await locked.commit(settled);
  if (recovered.error !== undefined) throw recovered.error;
  const unsettled = recovered.refusals.flatMap(({ addresses = [], message, hint = '' }) =>
    addresses.map((address) => [address, `${message} ${hint}`.trim()] as const),
  );
  return { ...withState(inputs, settled), unsettled: new Map(unsettled) };
}
