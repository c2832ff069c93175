// Handles resources that Omni lists on another dashboard than the state records. A dashboard may have been renamed, or another may
// have its former name now; both are looked at before anybody is asked. The row of a renamed dashboard counts as one of
// the recorded dashboard, so its id may be used; nothing is sent under the former name. If Omni lists elsewhere all
// that the state has on a dashboard, and nothing proves a renaming, nothing new is sent to that name.

import type { Observation, Observed } from '../model/plan/observation.ts';
import { type OpenChange, openByAddress, sentNames } from '../model/plan/open-change.ts';
import { type Orphan, type State, type StateResource, trackedAt } from '../model/plan/state.ts';
import { isElsewhere } from '../model/service/recognise-rows.ts';
import { type Address, deliversDashboard, kindAt } from '../model/values/address.ts';
import { groupBy, memoize } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { namedText } from '../observe/observed-kinds.ts';
import { renamedFindings } from '../observe/renamed-dashboards.ts';
import type { Step } from '../plan/plan.ts';
import type { RequestKind } from '../plan/requests.ts';
import { type Claim, deliveredClaims, type IdClaim } from './claims.ts';
import type { RowsById } from './judge-claims.ts';
import { type LeftSteps, leftAmong } from './leave.ts';

/**
 * One tracked schedule from each dashboard on which something is made: if Omni lists it elsewhere, the dashboard
 * may have been renamed.
 */
export function neighboursOf(claims: readonly Claim[], state: State | undefined): readonly IdClaim[] {
  const askedDashboards = new Set(
    claims.flatMap(({ use, kind, recorded: { identifier } }) =>
      use === 'make' && deliversDashboard(kind) ? (namedText(identifier) ?? []) : [],
    ),
  );
  if (state === undefined || askedDashboards.size === 0) return [];
  const near = Object.entries(state.resources).filter(
    ([address, { id, attributes }]) =>
      id !== undefined &&
      deliversDashboard(kindAt(address)) &&
      askedDashboards.delete(namedText(attributes['identifier']) ?? ''),
  );
  return deliveredClaims(
    near.map(([address]) => address),
    state,
  );
}

export interface ListedOnOthers {
  readonly resources: ReadonlyMap<Address, StateResource>;
  readonly orphans: readonly Orphan[];
}

/** The resources to look at because Omni lists them on a dashboard that neither the state nor an open change has. */
export function listedOnOthers(claims: readonly Claim[], rows: RowsById, state: State | undefined): ListedOnOthers {
  const elsewhere = claims.flatMap((claim): readonly IdClaim[] => {
    if (claim.use === 'make' || claim.use === 'adopt' || !deliversDashboard(claim.kind)) return [];
    const row = rows.get(claim.id);
    const isAway =
      row !== undefined && [claim.recorded, ...(claim.sent ?? [])].every((named) => isElsewhere(row, named));
    return isAway ? [claim] : [];
  });
  const ids = new Set(elsewhere.map(({ id }) => id));
  const resources = elsewhere.flatMap(({ address, id }) => {
    const resource = trackedAt(state, address);
    return resource?.id === id ? [[address, resource] as const] : [];
  });
  return { resources: new Map(resources), orphans: state?.orphans.filter(({ id }) => ids.has(id)) ?? [] };
}

/** The present names of dashboards, by former identifier. */
function namesNow(observed: Observed): ReadonlyMap<string, string> {
  return new Map(
    [...observed.values()].flatMap((each) => {
      const now = each.found ? namedText(each.attributes['identifier']) : undefined;
      return each.found && each.formerly !== undefined && now !== undefined ? [[each.formerly, now] as const] : [];
    }),
  );
}

/** Puts rows of a renamed dashboard back on the one that the state has, or that was sent. */
export function rowsAsRecorded(rows: RowsById, formerly: Observation['formerly']): RowsById {
  const back = [...formerly].flatMap(([id, identifier]) => {
    const row = rows.get(id);
    return row === undefined ? [] : [[id, { ...row, identifier }] as const];
  });
  return new Map([...rows, ...back]);
}

const namesDashboard: ReadonlySet<RequestKind> = new Set(['post', 'put', 'patch']);

/** `rows` are those that were read, as they are recorded. */
export function leftOnOthers(
  steps: readonly Step[],
  rows: RowsById,
  observed: Observed,
  state: State | undefined,
): LeftSteps {
  return new Map([...leftOnTaken(steps, rows, state), ...leftOnRenamed(steps, namesNow(observed), state)]);
}

/** Leaves steps that use the former name of a dashboard, with one refusal for each. */
function leftOnRenamed(
  steps: readonly Step[],
  names: ReadonlyMap<string, string>,
  state: State | undefined,
): LeftSteps {
  const renamed = steps.flatMap((step) => {
    const { address, previousAddress = address, kind } = step.change;
    const tracked = trackedAt(state, previousAddress);
    const from = namedText(step.after?.['identifier']);
    // A step that moves to another dashboard is not sent by the name that it has now.
    const isThere = tracked === undefined || namedText(tracked.attributes['identifier']) === from;
    const to = deliversDashboard(kind) && tracked !== undefined ? step.renamedTo : names.get(from ?? '');
    const isNamed = isThere && step.calls.some((send) => namesDashboard.has(send));
    return from === undefined || to === undefined || !isNamed ? [] : [{ step, address, from, to }];
  });
  return new Map(
    [...groupBy(renamed, ({ from, to }) => JSON.stringify([from, to])).values()].flatMap((same) => {
      const refused = renamedFindings(same).map(({ message, hint }) => {
        const addresses = same.map(({ address }) => address);
        return new Failure('blocked', message, { addresses, hint: `${hint} ${untilThen}` });
      });
      return same.flatMap(({ step }) => refused.map((failure) => [step, failure] as const));
    }),
  );
}

const untilThen = 'Until the files have the new identifier, no change is sent to the dashboard.';

function leftOnTaken(steps: readonly Step[], rows: RowsById, state: State | undefined): LeftSteps {
  if (state === undefined) return new Map();
  const declared = new Map(
    steps.map(({ change: { address, previousAddress = address }, after }) => [previousAddress, after?.['identifier']]),
  );
  const open = openByAddress(state);
  const recorded = groupBy(Object.entries(state.resources), ([, { attributes }]) => attributes['identifier']);
  const movedFrom = memoize((identifier: string) => movedAmong(recorded.get(identifier) ?? [], rows, open));
  return leftAmong(steps, ({ change: { address, previousAddress = address }, after, calls }) => {
    const identifier = namedText(after?.['identifier']);
    // An update undoes that somebody moved the schedule itself, which its plan shows.
    if (identifier === undefined || !calls.some((send) => send === 'post' || send === 'patch')) return undefined;
    const moved = movedFrom(identifier).filter(
      (each) => each.address !== previousAddress && (declared.get(each.address) ?? identifier) === identifier,
    );
    const [first] = moved;
    if (first === undefined) return undefined;
    const addresses = moved.map((each) => each.address);
    const message = `Omni no longer lists what Almanac tracks on the dashboard ${identifier} there, but on ${nameSome([...new Set(moved.map(({ on }) => on))])}: ${nameSome(addresses)}. A different dashboard may now be called ${identifier}.`;
    const hint = `If the dashboard was renamed, declare its new identifier. If somebody moved its schedules, \`${command('drift', '--deep', '--write', '--target', first.address)}\` keeps the move, and \`${command('apply', '--refresh', '--target', first.address)}\` undoes it.`;
    return new Failure('blocked', message, { addresses: [address], hint });
  });
}

interface MovedSchedule {
  readonly address: Address;
  readonly on: string;
}

/** The schedules of one recorded dashboard that Omni lists on others; empty if any of them is still there. */
function movedAmong(
  recorded: readonly (readonly [Address, StateResource])[],
  rows: RowsById,
  open: ReadonlyMap<Address, OpenChange>,
): readonly MovedSchedule[] {
  const moved: MovedSchedule[] = [];
  for (const [address, { id = '', attributes }] of recorded) {
    const row = rows.get(id);
    if (!deliversDashboard(kindAt(address)) || row === undefined || row.identifier === '') continue;
    if (!isElsewhere(row, attributes)) return [];
    // A request that may have arrived has moved it there.
    if (sentNames(open.get(address)).some(({ identifier }) => identifier === row.identifier)) continue;
    moved.push({ address, on: row.identifier });
  }
  return moved;
}
