// What a run relies on that is listed on another dashboard than the state has, because that was renamed in Omni
// (observe/renamed-dashboards.ts): its row counts as one of the recorded dashboard, so its id may be used. A request that would
// send the former name, of a new schedule as of one that is tracked, is left until the files have the new one. A look of this
// run has found that out already. Where nothing proves that it was renamed, another dashboard is called so now: nothing new is sent
// there either.

import { recordedName } from '../model/fields/identity.ts';
import type { Observed } from '../model/plan/observation.ts';
import { openByAddress } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { isElsewhere } from '../model/service/recognise-rows.ts';
import { type Address, kindAt } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { memoize } from '../model/values/memoize.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { namedText } from '../observe/observed-kinds.ts';
import {
  type Elsewhere,
  presentNames,
  type Renamed,
  renamedAmong,
  renamedFindings,
} from '../observe/renamed-dashboards.ts';
import type { Service } from '../observe/service.ts';
import type { Send } from '../plan/calls.ts';
import type { Step } from '../plan/plan.ts';
import { type Claim, deliveredClaims, type IdClaim } from './claims.ts';
import type { RowsById } from './judge-claims.ts';
import type { Left } from './leave.ts';

interface Followed {
  /** Each on the dashboard that is recorded, where that is the same one. */
  readonly rows: RowsById;
  readonly renamed: Renamed;
  readonly elsewhere: readonly Elsewhere[];
}

/** What is believed of renamed dashboards besides Omni's list: the ids that the state records, and what a look made of these. */
interface Believed {
  readonly state?: State | undefined;
  readonly observed?: Observed | undefined;
}

/** Throws what the service throws. */
export async function followRenamed(
  claims: readonly Claim[],
  rows: RowsById,
  { state, observed }: Believed,
  service: Service,
): Promise<Followed> {
  const elsewhere = claims.flatMap((claim) => (claim.use === 'make' ? [] : elsewhereOf(claim, rows, state)));
  const isSeen = ({ address }: Elsewhere) => observed?.get(address)?.found === true;
  const isFormer = ({ address, from }: Elsewhere) => {
    const seen = observed?.get(address);
    return seen?.found === true && seen.formerly === from;
  };
  const open = elsewhere.filter((each) => !isSeen(each));
  const found = open.length === 0 ? new Map<string, string>() : await renamedAmong(open, service, await service.api());
  const renamed = new Map([...found, ...elsewhere.filter(isFormer).map(({ address, to }) => [address, to] as const)]);
  const back = elsewhere.flatMap(({ address, id, from }) => {
    const row = rows.get(id);
    return row === undefined || !renamed.has(address) ? [] : [[id, { ...row, identifier: from }] as const];
  });
  return { rows: new Map([...rows, ...back]), renamed, elsewhere };
}

/** What an open change has sent is where that is. */
function elsewhereOf(claim: IdClaim, rows: RowsById, state: State | undefined): readonly Elsewhere[] {
  const { use, kind, address, id, recorded, sent = [] } = claim;
  const [row, from] = [rows.get(id), namedText(recorded.identifier)];
  if (kind !== 'schedule' || use === 'adopt' || row === undefined || from === undefined || row.identifier === '')
    return [];
  if (![recorded, ...sent].every((named) => isElsewhere(row, named))) return [];
  const entityId = use === 'orphan' ? undefined : state?.resources[address]?.entityId;
  return [{ address, id, from, to: row.identifier, recorded: entityId }];
}

/**
 * Of each dashboard on which something is made, and of which the run relies on nothing else, a schedule that the state has
 * there: where Omni lists that elsewhere, the dashboard may have been renamed.
 */
export function neighboursOf(claims: readonly Claim[], state: State | undefined): readonly IdClaim[] {
  const made = claims.flatMap((claim) =>
    claim.use === 'make' && claim.kind === 'schedule' ? claim.recorded.identifier : [],
  );
  const asked = new Set(made);
  for (const { use, recorded } of claims) if (use !== 'make') asked.delete(namedText(recorded.identifier) ?? '');
  const near: Address[] = [];
  if (state === undefined || asked.size === 0) return [];
  for (const [address, resource] of Object.entries(state.resources)) {
    const on = resource.id === undefined ? undefined : namedText(resource.attributes['identifier']);
    if (kindAt(address) === 'schedule' && on !== undefined && asked.delete(on)) near.push(address);
  }
  return deliveredClaims(near, state);
}

/** With the names that dashboards have now, for what is declared by the former one. */
export function onRenamed(
  steps: readonly Step[],
  { renamed, elsewhere }: Followed,
  state: State | undefined,
): readonly Step[] {
  if (renamed.size === 0) return steps;
  const names = presentNames(elsewhere, renamed);
  return steps.map((step) => {
    const { address, previousAddress = address, kind, reason } = step.change;
    const tracked = state?.resources[previousAddress];
    const declared = namedText(step.after?.['identifier']);
    const from = tracked === undefined ? declared : namedText(recordedName('schedule', tracked).identifier);
    const isOwn = kind === 'schedule' && tracked !== undefined;
    const to = isOwn ? renamed.get(previousAddress) : names.get(from ?? '');
    if (to === undefined || reason === 'replaced') return step;
    // It moves to a third dashboard.
    if (declared !== from && declared !== to) return step;
    return { ...step, on: declared === from ? to : undefined, entityId: step.entityId ?? tracked?.entityId };
  });
}

interface OnRenamed {
  readonly step: Step;
  readonly address: Address;
  /** As it is declared. */
  readonly from: string;
  readonly to: string;
}

function declaredFormer(steps: readonly Step[]): readonly OnRenamed[] {
  return steps.flatMap((step) => {
    const { change, on: to, after } = step;
    const from = namedText(after?.['identifier']);
    return to === undefined || from === undefined ? [] : [{ step, address: change.address, from, to }];
  });
}

/** Those whose requests would name a dashboard by its former name, with one refusal for each dashboard. */
export function leftOnRenamed(steps: readonly Step[]): Left {
  const naming = declaredFormer(steps).filter(({ step }) => step.calls.some(({ send }) => namesDashboard.has(send)));
  return new Map(
    [...groupBy(naming, ({ from, to }) => JSON.stringify([from, to])).values()].flatMap((same) => {
      const refused = renamedFindings(same).map(({ message, hint }) => {
        const addresses = same.map(({ address }) => address);
        return new Failure('blocked', message, { addresses, hint: `${hint} ${untilThen}` });
      });
      return same.flatMap(({ step }) => refused.map((failure) => [step, failure] as const));
    }),
  );
}

const untilThen = 'Until the files have the new identifier, no change is sent to the dashboard.';
const namesDashboard: ReadonlySet<Send> = new Set(['post', 'put', 'patch']);

/** One sentence for each dashboard that is declared by its former name, where all that changes is sent by ids and no look found it. */
export function renamedWords(steps: readonly Step[], observed: Observed | undefined): readonly string[] {
  const former = declaredFormer(steps).filter(
    ({ step, address }) => step.left === undefined && !observed?.has(address),
  );
  return renamedFindings(former).map(({ message, hint }) => `${message} ${hint}`);
}

/**
 * What would be sent to a dashboard that only has the name of the one that was meant: Omni lists all that the state has there
 * somewhere else. `rows`: as far as they were read; those of a dashboard that was renamed are on the one that the state has.
 */
export function leftOnOthers(steps: readonly Step[], rows: RowsById, state: State | undefined): Left {
  const left = new Map<Step, Failure>();
  if (state === undefined) return left;
  const declared = new Map(
    steps.map(({ change: { address, previousAddress = address }, after }) => [previousAddress, after?.['identifier']]),
  );
  const elsewhereOf = memoize((identifier: string) => elsewhereFrom(identifier, rows, state));
  for (const step of steps) {
    const { address, previousAddress = address } = step.change;
    const identifier = namedText(step.after?.['identifier']);
    // An update undoes that somebody moved the schedule itself, which its plan shows.
    if (identifier === undefined || !step.calls.some(({ send }) => send === 'post' || send === 'patch')) continue;
    const elsewhere = elsewhereOf(identifier).filter(
      (each) => each.address !== previousAddress && (declared.get(each.address) ?? identifier) === identifier,
    );
    const [first] = elsewhere;
    if (first === undefined) continue;
    const addresses = elsewhere.map((each) => each.address);
    const message = `Omni lists nothing of what Almanac has on the dashboard ${identifier} there, but on ${nameSome([...new Set(elsewhere.map(({ on }) => on))])}: ${nameSome(addresses)}. Another dashboard may be called ${identifier} now.`;
    const hint = `If the dashboard was renamed, declare its new identifier. If somebody moved its schedules, \`${command('drift', '--deep', '--write', '--target', first.address)}\` keeps that, and \`${command('apply', '--refresh', '--target', first.address)}\` undoes it.`;
    left.set(step, new Failure('blocked', message, { addresses: [address], hint }));
  }
  return left;
}

interface ListedOn {
  readonly address: Address;
  readonly on: string;
}

/** What the state has on a dashboard and Omni lists on others; nothing where anything is still there. */
function elsewhereFrom(identifier: string, rows: RowsById, state: State): readonly ListedOn[] {
  const elsewhere: ListedOn[] = [];
  const open = openByAddress(state);
  for (const [address, { id = '', attributes }] of Object.entries(state.resources)) {
    const row = rows.get(id);
    if (kindAt(address) !== 'schedule' || row === undefined) continue;
    if (namedText(attributes['identifier']) !== identifier || row.identifier === '') continue;
    if (!isElsewhere(row, { identifier })) return [];
    // A request of which nobody knows whether it arrived has moved it there.
    const { attributes: sent = {}, sentAs = [] } = open.get(address) ?? {};
    if ([sent, ...sentAs].some((each) => namedText(each['identifier']) === row.identifier)) continue;
    elsewhere.push({ address, on: row.identifier });
  }
  return elsewhere;
}
