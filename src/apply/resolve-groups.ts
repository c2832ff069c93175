// Which user groups declared names mean, found out before the first request that writes. The state knows the id of a name
// that was applied before, and that id counts; what it is called now, receivers.ts looks up. Any other name is looked up here
// (observe/group-names.ts), and only for what this apply sends to.

import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { groupNamed, isGroupId, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Principal } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { meantBy } from '../observe/group-names.ts';
import type { Service } from '../observe/service.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import { type Step, sendsGroups } from '../plan/plan.ts';

/** The declared groups of each step that sends some, with their ids. */
export type GroupTargets = ReadonlyMap<Address, readonly RecordedGroup[]>;

interface Planned {
  readonly inputs: PlanInputs;
  readonly steps: readonly Step[];
}

function knownFor(text: string, { groups }: Step): RecordedGroup | undefined {
  const known = groupNamed(text, groups?.recorded ?? []);
  if (known !== undefined) return { ...known, text };
  return isGroupId(text) ? { text, id: text.toLowerCase() } : undefined;
}

/** As it is called now. */
export function dashboardNow({ after, on }: Step): string {
  return on ?? String(after?.['identifier']);
}

/** Throws Failure invalid-workspace for names that mean no group, or several, and what the service throws. */
export async function resolveGroups(planned: Planned, service: Service): Promise<GroupTargets> {
  const steps = planned.steps.filter(sendsGroups);
  if (steps.length === 0) return new Map();
  const api = await service.api();
  const findings: Finding[] = [];
  const targets = new Map<Address, readonly RecordedGroup[]>();
  for (const step of steps) {
    const { address } = step.change;
    const found: RecordedGroup[] = [];
    for (const text of step.groups.wanted) {
      const known = knownFor(text, step);
      const listed = known === undefined ? await api.groupsWithAccess(dashboardNow(step), service.call) : [];
      const group = known ?? meantBy(text, listed);
      if (group !== undefined) found.push(group);
      else findings.push(unknownGroup(text, listed, step, planned));
    }
    targets.set(address, eachOnce(found, step.groups.recorded));
  }
  if (findings.length > 0)
    throw invalidWorkspace(
      'Almanac cannot tell which user groups are meant; nothing was sent.',
      findings,
      planned.inputs.loaded,
    );
  return targets;
}

/**
 * Under its name where it is also declared by its id, because the id of a name has to be recorded; and under the name that it is
 * recorded for where it has got another one, which is declared as well: no plan has shown that the two are one.
 */
function eachOnce(groups: readonly RecordedGroup[], recorded: readonly RecordedGroup[]): readonly RecordedGroup[] {
  const rankOf = ({ text, id }: RecordedGroup) =>
    isGroupId(text) ? 0 : recorded.some((known) => known.id === id && known.text === text) ? 2 : 1;
  const surestLast = [...groups].sort((a, b) => rankOf(a) - rankOf(b));
  return [...new Map(surestLast.map((group) => [group.id, group])).values()];
}

function unknownGroup(text: string, listed: readonly Principal[], step: Step, { inputs }: Planned): Finding {
  const { address } = step.change;
  const resource = inputs.loaded.desired.resources.find((each) => each.address === address);
  return unknownGroupFinding(text, listed, dashboardNow(step), resource);
}
