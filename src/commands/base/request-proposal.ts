// Makes a proposal from the options of `plan` and `drift`. Reads the current state, without the lock, and looks at
// Omni.

import { judgeFindings } from '../../declare/acceptances.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { untoldWords } from '../../declare/rows/on-dashboards.ts';
import type { RowsInOmniPorts } from '../../deliveries/read-rows-in-omni.ts';
import type { Clock, Randomness, Reporter } from '../../model/outside.ts';
import type { CheckoutPosition } from '../../model/plan/checkout-position.ts';
import type { Neighbours } from '../../model/plan/neighbours.ts';
import type { Refresh } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { isOrganizationKey } from '../../model/service/remote.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { look } from '../../observe/look.ts';
import { type Service, secondsUntilSent } from '../../observe/service.ts';
import { makeInputs, withNeighbours } from '../../plan/inputs.ts';
import { dashboardsShown, requestsToLookDeep } from '../../plan/looks.ts';
import { type PlanRequest, type Proposal, propose } from '../../plan/proposal.ts';
import { lookFor, selectionOf } from '../../plan/selection.ts';
import { checkSameOrganization, stateForPlan } from '../../state/current-state.ts';
import { type StateStore, sharedPlace } from '../../state/state-store.ts';
import type { OnlineFlags, PlanShape } from './command.ts';
import { readNeighbours } from './neighbours.ts';
import { withOnlineFindings } from './online-findings.ts';
import { progressReporter } from './progress.ts';
import type { Run, Session } from './run.ts';

/** A plan with a look also asks Omni what the dashboards consist of whose reports it changes. */
async function withLayouts(proposal: Proposal, request: PlanRequest, service: Service): Promise<Proposal> {
  const { inputs, selection, observation } = proposal;
  if (observation === undefined) return proposal;
  const dashboardsToRead = [...dashboardsShown(proposal, 'all')].filter(
    (identifier) => !observation.layouts.has(identifier),
  );
  if (dashboardsToRead.length === 0) return proposal;
  const { readLayouts } = await import('../../observe/layouts.ts');
  const layouts = await readLayouts(new Set(dashboardsToRead), service);
  return propose(request, inputs, selection, {
    ...observation,
    layouts: new Map([...observation.layouts, ...layouts]),
  });
}

/** A pull request of a fork has no secrets, and may be planned all the same. */
function withoutAccess(error: unknown): unknown {
  const ofState = ['state-unreadable', 'state-backend-missing'];
  if (!(error instanceof Failure) || !ofState.includes(error.code)) return error;
  const copy = `A machine without access can plan a copy: \`${command('state pull')} > FILE\` where the state can be read, then \`${command('plan', '--state', 'FILE')}\` here.`;
  return error.with({ hint: error.hint === undefined ? copy : `${error.hint} ${copy}` });
}

/** A proposal, with the facts that were read about schedules that nothing tracks. */
export interface RequestedProposal extends Proposal {
  /** Present if it was requested, and if the table of permissions says whose rows are whose. */
  readonly untrackedRows?: {
    /** Keyed by the schedule's id. */
    readonly receivers: ReadonlyMap<string, readonly string[]>;
    readonly notJudged: number;
  };
}

interface ProposalOptions
  extends Pick<
      PlanRequest,
      'untracked' | 'written' | 'judgesPeople' | 'baseRows' | 'fromBase' | 'isForPeople' | 'takesBesideErrors'
    >,
    OnlineFlags,
    PlanShape {
  /** True to judge also which rows people receive from untracked schedules. */
  readonly judgesUntracked?: boolean;
}

export async function requestProposal(
  run: Run,
  options: ProposalOptions,
  session: Session,
  { refresh, ...stateContext }: { readonly refresh: Refresh | undefined } & BesideState,
): Promise<RequestedProposal> {
  const { loaded, shown } = session;
  const store = await run.store({ loaded }).catch((error: unknown) => {
    throw withoutAccess(error);
  });
  const reporter = progressReporter(run, shown);
  try {
    return await run.asking({ loaded, reporter, nothing: 'changed' }, async (service) => {
      const stateOf = async () => (await stateForPlan(store)).state;
      const online = await withOnlineFindings(run, options, loaded, service, stateOf);
      // Changes that somebody made on a dashboard in Omni do not stop a plan of other changes.
      const findings = online.findings.map(({ counts: _, ...finding }) => finding);
      const checked = options.judgesPeople ? online : { ...online, findings };
      const proposal = await proposeNow(
        checked,
        { ...options, targets: options.target, refresh },
        { ...run, ...stateContext, neighbours: () => readNeighbours(run, session), store, service, reporter },
      );
      if (run.options.verbose) for (const words of untoldWords(proposal.dashboards.untold)) run.say(words, run.stderr);
      return options.judgesUntracked ? withUntracked(proposal, { service, reporter, signal: run.signal }) : proposal;
    });
  } catch (error) {
    throw store.shared === undefined ? error : withoutAccess(error);
  }
}

/** Where the table of permissions says whose rows are whose, what nothing tracks is judged by it as well. */
async function withUntracked(proposal: Proposal, ports: RowsInOmniPorts): Promise<RequestedProposal> {
  const { inputs, observation, untracked } = proposal;
  const { rows } = inputs.loaded;
  if (rows === undefined || untracked === undefined) return proposal;
  const listed = new Map(observation?.listed.schedule?.map((row) => [row.id, row]));
  const trackers = new Map(untracked.unjudged.map(({ row, who }) => [row.id, who]));
  const { readRowsInOmni, judgeUntracked, receiversInOmni } = await import('../../deliveries/read-rows-in-omni.ts');
  const { schedules, refused } = await readRowsInOmni(
    [...untracked.schedules, ...untracked.unjudged.map(({ row }) => row)].flatMap(({ id }) => listed.get(id) ?? []),
    ports,
  );
  const ofUntracked = schedules.flatMap((each) => judgeUntracked(each, rows, trackers.get(each.row.id)));
  const found = judgeFindings(ofUntracked, inputs.loaded);
  return {
    ...proposal,
    findings: [...proposal.findings, ...found],
    untrackedRows: {
      receivers: new Map(schedules.map((each) => [each.row.id, receiversInOmni(each)])),
      notJudged: refused.length,
    },
  };
}

/** Facts found alongside the state, each left out if the caller does not need it. */
interface BesideState {
  /** How the files compare with the commit that was applied last. */
  readonly standing?: (state: State | undefined) => Promise<CheckoutPosition>;
}

interface ProposalPorts extends BesideState {
  /** Left out where the ids that other states track are kept out already. */
  readonly neighbours?: () => Promise<Neighbours>;
  readonly service: Service;
  /** Receives the expected cost of a deep look. */
  readonly reporter?: Reporter;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly toolVersion: string;
  readonly store: StateStore;
}

/** Throws as selecting, looking and proposing do, and Failure state-conflict for another organization's state. */
export async function proposeNow(loaded: Loaded, request: PlanRequest, ports: ProposalPorts): Promise<Proposal> {
  const { store, service } = ports;
  const { state, findings } = await stateForPlan(store);
  const ofRun = {
    ...ports,
    findings,
    place: sharedPlace(store),
    standing: await ports.standing?.(state),
  };
  const own = await makeInputs(loaded, state, ofRun, {
    besideErrors: request.takesBesideErrors && request.targets !== undefined,
  });
  checkSameOrganization(state, own.config.api.baseUrl, store.name);
  const selection = selectionOf(request, own);
  const listsUntracked = selection.refresh !== undefined;
  const inputs = await withNeighbours(own, { listsUntracked }, ports.neighbours);
  const wantedLook = lookFor(selection, inputs, { ...request, names: true, tiles: true });
  if (selection.refresh?.depth === 'deep') {
    const requests = requestsToLookDeep(state, selection) + (wantedLook?.layouts?.size ?? 0);
    const seconds = secondsUntilSent(requests, service);
    if (seconds > 0) ports.reporter?.emit({ type: 'expected', isLeast: true, requests, sent: 0, seconds });
  }
  const observation = await look(wantedLook, ports);
  const seesAll = observation?.listed.schedule !== undefined && isOrganizationKey(service.token());
  const proposal = await withLayouts(propose(request, inputs, selection, observation), request, service);
  return { ...proposal, heard: service.names(), seesAll };
}
