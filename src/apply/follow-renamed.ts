// What a run relies on that is listed on another dashboard than the state has, because that was renamed in Omni
// (observe/renamed-dashboards.ts): its row counts as one of the recorded dashboard, so nothing is refused for it, and what is sent
// about it goes to the dashboard by the name that it has now. A look of this run has found that out already.

import { recordedName } from '../model/fields/identity.ts';
import type { Observed } from '../model/plan/observation.ts';
import type { State } from '../model/plan/state.ts';
import { isElsewhere } from '../model/service/recognise-rows.ts';
import { namedText } from '../observe/observed-kinds.ts';
import {
  type Elsewhere,
  presentNames,
  type Renamed,
  renamedAmong,
  renamedFindings,
} from '../observe/renamed-dashboards.ts';
import type { Service } from '../observe/service.ts';
import type { Step } from '../plan/plan.ts';
import type { Claim, IdClaim } from './claims.ts';
import type { RowsById } from './judge-claims.ts';

interface Followed {
  /** Each on the dashboard that is recorded, where that is the same one. */
  readonly rows: RowsById;
  readonly renamed: Renamed;
  readonly elsewhere: readonly Elsewhere[];
}

/** `observed`: by a look of this run. Throws what the service throws. */
export async function followRenamed(
  claims: readonly Claim[],
  rows: RowsById,
  state: State | undefined,
  service: Service,
  observed?: Observed,
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
    const from = tracked && namedText(recordedName('schedule', tracked).identifier);
    const to = kind === 'dashboard' ? names.get(from ?? '') : renamed.get(previousAddress);
    if (to === undefined || reason === 'replaced') return step;
    const declared = step.after?.['identifier'];
    // It moves to a third dashboard.
    if (declared !== from && declared !== to) return step;
    return { ...step, on: declared === from ? to : undefined, entityId: step.entityId ?? tracked?.entityId };
  });
}

/** One sentence for each dashboard that is declared by its former name. */
export function renamedWords(steps: readonly Step[]): readonly string[] {
  const former = steps.flatMap(({ change: { address }, on, after }) => {
    const from = namedText(after?.['identifier']);
    return on === undefined || from === undefined ? [] : [{ address, from, to: on }];
  });
  return renamedFindings(former).map(({ message, hint }) => `${message} ${hint}`);
}
