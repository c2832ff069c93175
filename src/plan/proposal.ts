// The proposal: the plan of a selection with what a reviewer needs around it, from the declarations, the state and what a look
// has seen. The one way to a plan, for plan, drift and apply alike. Pure: without a look it is what files and state say, which an
// apply checks before its first request.

import { judgeFindings } from '../declare/acceptances.ts';
import { adoptedAreInside, membersAreInside } from '../declare/inside/members-inside.ts';
import { judgesRecipients } from '../declare/inside/recipients-inside.ts';
import { placeFindings } from '../declare/load/place-findings.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { type BetterHint, betterHints, withBetterHints } from '../declare/online/filter-types.ts';
import {
  type JudgedOnDashboards,
  judgedOnDashboards,
  layoutsNotRead,
  nothingJudged,
  onDashboards,
  whyUnlimited,
} from '../declare/rows/on-dashboards.ts';
import type { Permissions } from '../declare/rows/permissions.ts';
import { rowsInOmni } from '../declare/rows/rows-in-omni.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import type { FoundDanger } from '../model/plan/danger.ts';
import { idsIn, type NamesById, nameIn, namesOf, noNames } from '../model/plan/names.ts';
import type { Observation, ObservedResource } from '../model/plan/observation.ts';
import type { Change, Plan, PlanDocument, SavedPlan } from '../model/plan/plan.ts';
import type { Address } from '../model/values/address.ts';
import { type Allowed, allowing } from '../model/values/allowances.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { isJsonObject } from '../model/values/json.ts';
import { inBackticks } from '../model/values/words.ts';
import { type Finding, hasErrors, placeOf, severityOf } from '../model/workspace/diagnostic.ts';
import { takesBesideErrors } from './beside-errors.ts';
import { findDangers } from './dangers/find-dangers.ts';
import { changeKey, planDigest, withDigest, withDigests } from './digest.ts';
import { leavingEnded, stillGoing, withEndedRaised } from './ended-lines.ts';
import { type GuardContext, givesUpMany } from './guard-plan.ts';
import { type PlanInputs, unplanned } from './inputs.ts';
import { judgeIds } from './judge-ids.ts';
import { requestsOf } from './looks.ts';
import { trackedAs } from './match.ts';
import { findingsOfUnread, leavingUnread } from './not-read-back.ts';
import { leaving, makePlan, onlySteps, type PlanResult, type Step, sendsGroups, withSteps } from './plan.ts';
import { notLimitedByState, rowsByState, stillShown } from './rows-by-state.ts';
import { type LookedAt, type PlanQuestion, type Selection, selectMatches } from './selection.ts';
import { sinkReport } from './sinks.ts';
import { leavingUnmeant } from './unmeant-deletions.ts';
import { findUntracked, type UntrackedSchedules } from './untracked.ts';

export interface PlanRequest extends PlanQuestion, LookedAt {
  readonly allow?: Allowed | undefined;
  /** True if findings of a look about people keep their level. Otherwise they are warnings at most: who joins a group undoes no review. */
  readonly judgesPeople?: boolean | undefined;
  /** The table of permissions of the base branch, if somebody has read it. */
  readonly baseRows?: Permissions | undefined;
  /** How the files differ from the base branch, if somebody has compared them. */
  readonly fromBase?: readonly FoundDanger[] | undefined;
  /** True if nobody sees the plan before it is applied, and no review has shown its changes: deletions that may not be meant are left. */
  readonly isUnseen?: boolean | undefined;
  /** The plan is written for people alone, who read no digest of a single change. */
  readonly isForPeople?: boolean | undefined;
  /** A plan of some targets that only takes away may be made although other files have errors. */
  readonly takesBesideErrors?: boolean | undefined;
  /** It is applied: what a look finds wrong with one resource leaves the change of that one, and refuses no plan. */
  readonly isApplied?: boolean | undefined;
}

export interface Proposal {
  readonly inputs: PlanInputs;
  readonly selection: Selection;
  /** Absent if the service was not looked at. */
  readonly observation: Observation | undefined;
  /** The findings about the filters of reports on the dashboards that the look has read. */
  readonly dashboards: JudgedOnDashboards;
  /** The printed document, except for the places of its findings. */
  readonly document: ProposedDocument;
  readonly findings: readonly Finding[];
  readonly steps: readonly Step[];
  readonly guardContext: GuardContext;
  /** Present if a saved plan is applied. */
  readonly ofSaved: SavedPart | undefined;
  /** True if other files have errors, and it only takes something away. */
  readonly isBesideErrors: boolean;
  /** Absent if the list of schedules was not read, or only for some addresses. */
  readonly untracked: UntrackedSchedules | undefined;
  /** True if the list of schedules was read with a token to which Omni shows all of them. */
  readonly seesAll?: boolean;
  /** The addresses in the state of resources that others changed to what is declared now. */
  readonly agreed: readonly Address[];
  /** The names that this run has heard, for whoever reads the plan. */
  readonly heard?: NamesById | undefined;
}

export type ProposedDocument = Omit<PlanDocument, 'diagnostics' | 'names'>;

/** The changes of a saved plan that are not made, and those that are planned beside it. */
export interface SavedPart {
  /** The changes that are no longer planned: done, or undone by others. */
  readonly noLongerPlanned: readonly Change[];
  readonly remaining: readonly Change[];
}

type ProposalRequest = Pick<
  PlanRequest,
  'allow' | 'untracked' | 'judgesPeople' | 'baseRows' | 'fromBase' | 'isForPeople' | 'isApplied' | 'isUnseen'
>;

/** Throws Failure invalid-workspace where a finding is an error. */
export function propose(
  request: ProposalRequest,
  inputs: PlanInputs,
  selection: Selection,
  observation?: Observation | undefined,
): Proposal {
  const { loaded, config, state, desired, standing } = inputs;
  const { saved, targets } = selection;
  const { value: all, findings: fromPlan, dashboards } = planOf(inputs, selection, observation);
  const value = request.isUnseen ? leavingUnmeant(all, inputs) : all;
  const { planned: part, ofSaved } = saved === undefined ? { planned: value } : partOf(saved, value, inputs);
  // A deletion that is left, or is not in the saved plan, ends no report.
  const whole = part === all ? part : leavingUnread(part, inputs);
  const ofAdopted = judgeAdopted(whole.steps, observation, inputs, request.isApplied === true);
  const asLeft = (finding: Finding): Finding => (request.isApplied ? lowered(finding) : finding);
  const { findings: ofLook, layouts } = observation ?? { findings: [], layouts: new Map() };
  const advice = ofLook.filter(({ severity }) => severity !== 'error');
  const kept = request.isApplied ? leavingAdoptions(whole, [...ofLook, ...ofAdopted]) : whole;
  const planned = request.isForPeople ? kept : digested(kept);
  const { plan, steps, agreed } = planned;
  // The guard against mass removal compares the plan with these.
  const tracked = Object.keys(state?.resources ?? {});
  const guardContext = { tracked, foundNone: observation?.foundNone ?? false, standing };
  const fromNow = [
    ...namesUnknown(observation, steps).map(asLeft),
    ...inputs.findings,
    ...missingBaseUrl(plan),
    ...inputs.keying.findings,
    ...(saved === undefined ? nothingDeclared(inputs, selection, request) : []),
    ...advice.map((each) => (each.code === 'invalid-adopt' ? asLeft(each) : each)),
    ...(selection.refresh?.only ? layoutsNotRead(desired.resources, layouts, config.safety) : []),
    ...fromPlan,
    ...findingsOfUnread(inputs, (address) => hasRead(observation?.observed.get(address))),
    ...manyGivenUp(plan, config.safety.maxDeletePercent, guardContext),
    ...stillShown(steps, inputs),
    ...judgeIds(desired, { state, observation }),
  ];
  // A plan that only records what Omni has sends nothing, and so refuses nothing.
  const ofRows = rowsByState(steps, inputs, targets);
  const isSent = selection.refresh?.only !== true;
  const judged = judgeFindings([...fromNow, ...(isSent ? ofRows : [])], loaded);
  const isBeside = hasErrors(loaded.findings);
  if (isBeside && !takesBesideErrors(plan.changes, chosenBy(selection), inputs)) throw unplanned(loaded);
  const ofFiles = isBeside ? loaded.findings.map(lowered) : loaded.findings;
  const known = [
    ...withBetterHints(ofFiles, hintsByDashboard(loaded, observation)),
    ...judged,
    ...ofAdopted.map(asLeft),
  ];
  const seen = [...membersOutside(steps, observation, inputs), ...changedRows(steps, observation, inputs)];
  const fromOmni = [...ofLook.filter(({ severity }) => severity === 'error'), ...seen, ...(isSent ? [] : ofRows)];
  const ofDashboards = isSent ? [] : dashboards.found.map(({ finding }) => finding);
  const ofPeople = [...judgeFindings(fromOmni, loaded), ...ofDashboards];
  const going = stillGoing(steps, inputs);
  const asked = new Set(targets);
  const goingHere = targets ? going.filter(({ address }) => asked.has(address)) : going;
  const findings = request.judgesPeople
    ? withEndedRaised([...known, ...ofPeople], goingHere, inputs)
    : [...known, ...ofPeople.map(atMostWarning)];
  if (hasErrors(known)) throw unplanned(loaded, findings);
  const document: ProposedDocument = {
    formatVersion: 1,
    toolVersion: inputs.toolVersion,
    digest: planDigest(plan),
    ...plan,
    state: { ...plan.state, ...inputs.place },
    sink: sinkReport(desired, config.deliver?.environment),
    dangers: dangersOf(planned, inputs, request, { dashboards, observation }, going),
    requests: requestsOf({ steps, document: plan, inputs }),
  };
  return {
    inputs,
    selection,
    observation,
    dashboards,
    document,
    findings,
    steps,
    guardContext,
    ofSaved,
    isBesideErrors: isBeside,
    untracked: untrackedIn(request, inputs, selection, observation),
    agreed,
  };
}

function digested(planned: PlanResult): PlanResult {
  const { plan, steps } = planned;
  return withSteps(
    planned,
    steps.map((step) => ({ ...step, change: withDigest(step.change, plan) })),
  );
}

/** The addresses that the plan is about by itself; undefined for everything. */
function chosenBy({ targets, saved }: Selection): readonly Address[] | undefined {
  return saved === undefined ? targets : saved.changes.map(({ address }) => address);
}

/** The schedules in Omni that nobody tracks; undefined where not all were listed, as in an apply without a refresh. */
function untrackedIn(
  request: Pick<PlanRequest, 'untracked'>,
  { config, state, desired, neighbours }: PlanInputs,
  { refresh, targets }: Selection,
  observation: Observation | undefined,
) {
  const isListed = refresh !== undefined && (targets === undefined || request.untracked);
  const listed = isListed ? observation?.listed.schedule : undefined;
  return listed && findUntracked(listed, state, desired, { ignore: config.ignore, neighbours });
}

/** Throws Failure invalid-workspace where an adoption would take over what the checks refuse; an apply leaves it. */
function judgeAdopted(
  steps: readonly Step[],
  observation: Observation | undefined,
  inputs: PlanInputs,
  isApplied: boolean,
): readonly Finding[] {
  const ofAdopted = judgeFindings(takenOverFindings(steps, observation, inputs), inputs.loaded);
  if (isApplied || !hasErrors(ofAdopted)) return ofAdopted;
  throw invalidWorkspace(
    'An adoption would take over a delivery that the checks refuse; nothing was recorded or sent.',
    ofAdopted,
    inputs.loaded,
  );
}

export function dangersOf(
  planned: Pick<PlanResult, 'plan' | 'steps'>,
  inputs: PlanInputs,
  { baseRows, fromBase }: Pick<PlanRequest, 'baseRows' | 'fromBase'>,
  { dashboards, observation }: Pick<Proposal, 'dashboards' | 'observation'>,
  ended = stillGoing(planned.steps, inputs),
): PlanDocument['dangers'] {
  const { loaded, config, state, standing } = inputs;
  return findDangers(planned, {
    state,
    standing,
    internalDomains: config.safety.internalDomains,
    // A sink replaces those who are declared, and cannot be waived.
    judgesRecipients: judgesRecipients(config) && config.deliver === undefined,
    rows: config.deliver === undefined ? loaded.rows?.rules : undefined,
    ended,
    baseRows,
    fromBase,
    dashboards: dashboards.open,
    gone: observation?.gone,
  });
}

/** The plan of the inputs for the selection, and as far as the service was looked at; of a saved plan, of everything. */
export function planOf(inputs: PlanInputs, { targets, replace, refresh }: Selection = {}, observation?: Observation) {
  const { config, desired, state, matching, unsettled, neighbours } = inputs;
  const { operations, baseUrl = state?.baseUrl } = config.api;
  const owning = refresh?.depth === 'deep' && !refresh.only ? notLimitedByState(inputs, targets) : undefined;
  const policy = { baseUrl, operations, targets, replace, owning, refreshOnly: refresh?.only, neighbours };
  const { observed, ownFilters } = observation ?? {};
  const dashboards = seenOnDashboards(inputs, targets, observation);
  const unlimited = whyUnlimited(dashboards);
  const { value, findings } = makePlan({
    desired,
    state,
    matching,
    observed,
    ownFilters,
    unlimited,
    unsettled,
    policy,
  });
  return { value: leavingUnread(leavingEnded(value, inputs), inputs), findings, dashboards };
}

/** The findings about the filters of the reports on the dashboards that a look has read. */
function seenOnDashboards(
  { loaded, config: { safety } }: PlanInputs,
  targets: readonly Address[] | undefined,
  observation: Observation | undefined,
): JudgedOnDashboards {
  if (observation === undefined || observation.layouts.size === 0) return nothingJudged;
  const known = { safety, rules: loaded.rows?.rules, chosen: targets && new Set(targets) };
  return judgedOnDashboards(onDashboards(loaded.desired.resources, observation.layouts, known), loaded);
}

function partOf(
  saved: SavedPlan,
  planned: PlanResult,
  inputs: PlanInputs,
): { readonly planned: PlanResult; readonly ofSaved: SavedPart } {
  const { plan } = planned;
  const addresses = saved.changes.map(({ address }) => address);
  const moving = selectMatches(inputs, addresses).flatMap((entry) => [entry.address, trackedAs(entry)]);
  const about = new Set([...addresses, ...moving]);
  const plannedPart = onlySteps(planned, ({ address }) => about.has(address));
  const keys = new Set(plannedPart.plan.changes.map((change) => changeKey(change, plan)));
  return {
    planned: plannedPart,
    ofSaved: {
      noLongerPlanned: saved.changes.filter((change) => !keys.has(changeKey(change, saved))),
      remaining: withDigests(plan).filter(({ address }) => !about.has(address)),
    },
  };
}

/** The document that is printed. To say where a finding is, its file is parsed again. */
export async function documentOf({ document, findings, inputs, heard }: Proposal): Promise<PlanDocument> {
  const { loaded, state } = inputs;
  const nameOf = nameIn(state?.names, heard);
  // No id has a name before the first look at Omni.
  const named = nameOf === noNames ? [] : document.changes.flatMap(({ before, after }) => [before ?? {}, after ?? {}]);
  const names = namesOf(named.flatMap(idsIn), nameOf);
  return { ...document, diagnostics: await placeFindings(findings, loaded), names };
}

/** `environment`: that of --env. */
export function savedPlan(document: PlanDocument, { targets, refresh }: Selection, environment?: string): SavedPlan {
  return { ...document, selection: { environment, targets, refresh } };
}

/** The files from which a plan was made, as a saved plan names them. */
export function workspaceOf({ inputs: { loaded, config } }: Proposal): NonNullable<SavedPlan['workspace']> {
  const own = new Set([...loaded.files, config.file]);
  const reads = loaded.read.filter((path) => !own.has(path));
  const stateFile = config.state.backend === 'local' ? config.state.path : undefined;
  return { stateFile, sources: config.sources, reads: reads.length === 0 ? undefined : reads };
}

/** What a look at the dashboards says of filters that say too little, or have odd values. */
function hintsByDashboard(
  { findings, desired }: PlanInputs['loaded'],
  observation: Observation | undefined,
): readonly BetterHint[] {
  if (
    observation === undefined ||
    !findings.some(({ code }) => code === 'filter-incomplete' || code === 'filter-value')
  )
    return [];
  return desired.resources.flatMap((resource) => {
    const own = observation.ownFilters.get(String(resource.attributes['identifier']));
    return own === undefined ? [] : betterHints(resource, own);
  });
}

/** Names that mean no user group: an error where an apply would refuse to send to them, otherwise a warning. */
function namesUnknown(observation: Observation | undefined, steps: readonly Step[]): readonly Finding[] {
  const sending = new Set(steps.filter(sendsGroups).map(({ change }) => change.address));
  return (observation?.unknownGroups ?? []).map((finding) =>
    [finding.address ?? '', ...(finding.concerns ?? [])].some((at) => sending.has(at))
      ? finding
      : { ...finding, severity: 'warning' },
  );
}

/** Findings about people outside in the user groups whose members a look has read. */
function membersOutside(
  steps: readonly Step[],
  observation: Observation | undefined,
  { loaded, config }: PlanInputs,
): readonly Finding[] {
  if (observation === undefined) return [];
  const { moves } = loaded.desired;
  const adopted = new Set(steps.flatMap(({ change }) => (change.action === 'adopt' ? change.address : [])));
  const resources = loaded.desired.resources.filter(({ address }) => !adopted.has(address));
  const before = new Map(moves.map(({ from, to }) => [to, from]));
  const groupsOf = (address: Address) =>
    observation.members.get(address) ?? observation.members.get(before.get(address) ?? '') ?? [];
  return membersAreInside(resources, groupsOf, { ...loaded, config });
}

/**
 * Findings about what an adoption takes over, as a look has seen it: somebody outside receives it whom the declaration does not
 * name, or it shows somebody the rows of others.
 */
function takenOverFindings(
  steps: readonly Step[],
  observation: Observation | undefined,
  { loaded, config }: PlanInputs,
): readonly Finding[] {
  const resources = new Map(loaded.desired.resources.map((each) => [each.address, each]));
  const adoptions = new Map(loaded.desired.adoptions.map((each) => [`${each.to} ${each.id}`, each]));
  return steps.flatMap(({ change: { action, address, kind, id }, after = {} }): readonly Finding[] => {
    const [resource, entry] = [resources.get(address), adoptions.get(`${address} ${id}`)];
    const found = observation?.observed.get(address);
    if (action !== 'adopt' || !found?.found || !resource || !entry) return [];
    const { filterConfig } = after;
    const inOmni = isJsonObject(filterConfig)
      ? { ...after, filterConfig: { ...filterConfig, ...found.inEffect } }
      : after;
    const { to } = deliveryOf(kind, { destinationType: 'email', ...inOmni });
    const emails = to.flatMap(({ kind: way, shown }) => (way === 'email' ? shown : []));
    const what = `what \`${address}\` takes over`;
    const words = loaded.rows && rowsInOmni(kind, inOmni, what, { declared: resource }, loaded.rows);
    const ofRows = (words ?? []).map((each) => ({ ...each, address, place: placeOf(entry.origin) }));
    const receivers = { emails, groups: observation?.members.get(address) ?? [] };
    return [...ofRows, ...adoptedAreInside(resource, receivers, entry, { ...loaded, config })];
  });
}

/** Findings about rows that others changed, according to a look, and that are only recorded: a plan that undoes it shows what it undoes. */
function changedRows(
  steps: readonly Step[],
  observation: Observation | undefined,
  { loaded: { rows, desired } }: PlanInputs,
): readonly Finding[] {
  if (rows === undefined) return [];
  const resources = new Map(desired.resources.map((resource) => [resource.address, resource]));
  return steps.flatMap(({ change: { address, kind, reason, after } }) => {
    const resource = resources.get(address);
    if (reason !== 'refreshed' || after === null || resource === undefined) return [];
    const own = observation?.ownFilters.get(String(after['identifier']));
    const repair = {
      declared: resource,
      undo: `\`${command('apply', '--refresh=deep', '--target', address)}\``,
      filters: own && Object.keys(own),
    };
    return rowsInOmni(kind, after, inBackticks(address), repair, rows).map((each) => ({
      ...each,
      address,
      seen: true as const,
    }));
  });
}

/** Leaves the adoptions that fail, each with what was found. */
function leavingAdoptions(planned: PlanResult, findings: readonly Finding[]): PlanResult {
  const failing = groupBy(
    findings.filter((each) => each.code === 'invalid-adopt' || severityOf(each) === 'error'),
    ({ address }) => address,
  );
  return leaving(planned, ({ change: { address, action } }) => {
    const found = action === 'adopt' ? failing.get(address) : undefined;
    return found?.map(({ message, hint = '' }) => `${message} ${hint}`.trim()).join(' ');
  });
}

/** True if a look has read the details, which it compares with what was applied. */
function hasRead(observed: ObservedResource | undefined): boolean {
  return observed?.found === true && observed.asRead !== undefined;
}

function lowered(finding: Finding): Finding {
  return severityOf(finding) === 'error' ? { ...finding, severity: 'warning' } : finding;
}

function atMostWarning(finding: Finding): Finding {
  return finding.severity === 'error' ? { ...finding, severity: 'warning' } : finding;
}

/** Reports where the plan is read what apply will refuse without --force. */
function manyGivenUp(plan: Plan, maxDeletePercent: number, context: GuardContext): readonly Finding[] {
  const message = givesUpMany(plan, maxDeletePercent, context);
  return message === undefined
    ? []
    : [{ code: 'gives-up-many', message, hint: `${command('apply')} refuses it without --force.` }];
}

function missingBaseUrl({ baseUrl }: Plan): readonly Finding[] {
  if (baseUrl !== null) return [];
  return [
    {
      code: 'missing-base-url',
      message:
        'Neither almanac.yaml nor OMNI_BASE_URL says which organization the plan is for; an apply needs to know that, and the digest will change.',
      hint: 'Set `api: { baseUrl: … }` in almanac.yaml.',
    },
  ];
}

/** A glob that matches nothing must not empty an organization. */
function nothingDeclared(
  { loaded, state }: PlanInputs,
  { refresh }: Selection,
  { allow }: PlanRequest,
): readonly Finding[] {
  const { resources, removals } = loaded.desired;
  if (resources.length > 0 || allow?.empty || refresh?.only) return [];
  const released = new Set(removals.map(({ from }) => from));
  const given = Object.keys(state?.resources ?? {}).filter((address) => !released.has(address)).length;
  if (given === 0) return [];
  return [
    {
      code: 'nothing-declared',
      message: `No resource is declared, and the state holds ${given}; applying this would remove all of them.`,
      hint: `Check \`sources\` and the working directory; use ${allowing('empty')} if this is intended.`,
    },
  ];
}
