// Finds which user groups declared names mean. Before the first request that writes, the state knows the id of a name that was
// applied before, and that id counts; any other name is looked up here (observe/group-names.ts), and only for what this
// apply sends to.
//
// Before an id is sent it must be called in Omni what it is declared as, or what the state has heard that it is called:
// whoever may write the state could have given a name the id of other people.

import { unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { groupIdIn, isGroupId } from '../model/fields/ids.ts';
import type { State } from '../model/plan/state.ts';
import { groupNamed, type RecordedGroup, takenWords, takerOf } from '../model/plan/user-groups.ts';
import type { Principal } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import { groupMeantBy } from '../observe/group-names.ts';
import { unlessRefused } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { Api } from '../omni/api.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import { type Step, sendsGroups } from '../plan/plan.ts';
import { reaches } from '../plan/requests.ts';

/** The declared groups of each step that sends some, with their ids; none of a step with a name that means no group. */
export type GroupTargets = Map<Address, readonly RecordedGroup[]>;

interface StepsToResolve {
  readonly inputs: PlanInputs;
  readonly steps: readonly Step[];
}

function knownFor(text: string, { groups }: Step): RecordedGroup | undefined {
  const known = groupNamed(text, groups?.onRecord ?? []);
  if (known !== undefined) return { ...known, text };
  const id = groupIdIn(text);
  return id === undefined ? undefined : { text, id };
}

/** The present name of a step's dashboard. */
export function dashboardNow({ after, renamedTo }: Step): string {
  return renamedTo ?? String(after?.['identifier']);
}

interface GroupResolution {
  readonly targets: GroupTargets;
  /** Findings by step, for the names that mean no group, or several. */
  readonly unknown: ReadonlyMap<Step, readonly Finding[]>;
}

/** Throws what the service throws. */
export async function resolveGroups(planned: StepsToResolve, service: Service): Promise<GroupResolution> {
  const steps = planned.steps.filter(sendsGroups);
  if (steps.length === 0) return { targets: new Map(), unknown: new Map() };
  const api = await service.api();
  const unknown = new Map<Step, readonly Finding[]>();
  const targets = new Map<Address, readonly RecordedGroup[]>();
  for (const step of steps) {
    const { address } = step.change;
    const foundGroups: RecordedGroup[] = [];
    for (const text of step.groups.declared) {
      const known = knownFor(text, step);
      const listed = known === undefined ? await withAccess(step, api, service) : [];
      const group = known ?? groupMeantBy(text, listed);
      if (group !== undefined) foundGroups.push(group);
      else unknown.set(step, [...(unknown.get(step) ?? []), unknownGroup(text, listed, step, planned)]);
    }
    if (!unknown.has(step)) targets.set(address, eachOnce(foundGroups, step.groups.onRecord));
  }
  return { targets, unknown };
}

/** The groups with access to the dashboard of a step; none where Omni refuses to say. */
async function withAccess(step: Step, api: Api, { call }: Service): Promise<readonly Principal[]> {
  return (await unlessRefused(api.groupsWithAccess(dashboardNow(step), call))) ?? [];
}

/** The reason for leaving a change if it is not known whom it would send to. */
export function leftByUnknownGroup({ change: { address } }: Step, findings: readonly Finding[]): Failure {
  const textOf = (part: 'message' | 'hint') =>
    [...new Set(findings.flatMap(({ [part]: words }) => words ?? []))].join(' ');
  return new Failure('blocked', textOf('message'), { addresses: [address], hint: textOf('hint') });
}

/**
 * Keeps one entry a group: its name if it is also declared by its id, because the id of a name has to be recorded; and its
 * recorded name if a new one is declared as well, because no plan has shown that the two are one.
 */
function eachOnce(groups: readonly RecordedGroup[], recorded: readonly RecordedGroup[]): readonly RecordedGroup[] {
  const rankOf = ({ text, id }: RecordedGroup) =>
    isGroupId(text) ? 0 : recorded.some((known) => known.id === id && known.text === text) ? 2 : 1;
  const surestLast = [...groups].sort((a, b) => rankOf(a) - rankOf(b));
  return [...new Map(surestLast.map((group) => [group.id, group])).values()];
}

function unknownGroup(text: string, listed: readonly Principal[], step: Step, { inputs }: StepsToResolve): Finding {
  const { address } = step.change;
  const resource = inputs.loaded.desired.resources.find((each) => each.address === address);
  return unknownGroupFinding(text, listed, dashboardNow(step), resource);
}

/**
 * Finds a name that this resource has not sent to, and for which another resource has another id. Then two groups have had it,
 * and it is not known which is meant. `gone` holds the ids that this run's look did not find.
 */
export function leftByAmbiguousName(
  { change: { address }, groups, calls }: Step,
  targets: readonly RecordedGroup[],
  state: State | undefined,
  gone: ReadonlySet<string>,
): Failure | undefined {
  if (groups === undefined || !calls.some(reaches)) return undefined;
  const isOwn = ({ text }: RecordedGroup) => groups.onRecord.some((each) => each.text === text);
  for (const target of targets) {
    if (isGroupId(target.text) || isOwn(target) || !groups.declared.includes(target.text)) continue;
    const others = Object.values(state?.resources ?? {}).flatMap(({ groups: all = [] }) => all);
    const other = others.find(
      (each) => each.text === target.text && !each.gone && !gone.has(each.id) && each.id !== target.id,
    );
    if (other !== undefined) return leftByTaker(address, target.text, other, target.id);
  }
  return undefined;
}

function leftByTaker(address: Address, text: string, group: RecordedGroup, taken: string): Failure {
  const { message, hint } = takenWords(text, group, taken);
  return new Failure('blocked', message, { addresses: [address], hint });
}

/**
 * The reason for sending nothing to a group whose id the state has: another one has its name, Omni calls it by a name that nobody
 * has seen, or does not know it. `before` is the step as the state alone plans it. `isShown` is true if somebody sees the findings
 * of this run's look.
 */
export async function leftByRenamedGroup(
  step: Step,
  before: Step,
  targets: readonly RecordedGroup[],
  isShown: boolean,
  service: Service,
): Promise<Failure | undefined> {
  if (!sendsGroups(step) || !step.calls.some(reaches)) return undefined;
  const recorded = before.groups?.onRecord ?? [];
  const askedGroups = targets.flatMap(({ id, text }) => {
    const group = isGroupId(text) ? undefined : recorded.find((each) => each.id === id);
    return group === undefined ? [] : [{ ...group, text }];
  });
  const { received } = step;
  const namesBy = (groups: readonly Pick<Principal, 'id' | 'name'>[]) =>
    new Map(groups.map(({ id, name }) => [id, name]));
  const onSchedule = namesBy((received?.groups ?? []).map(({ id, text, name = text }) => ({ id, name })));
  const isOn = askedGroups.every(({ id }) => onSchedule.has(id));
  const dashboard = dashboardNow(step);
  const access = isOn
    ? (received?.access ?? [])
    : (received?.access ?? (await withAccess(step, await service.api(), service)));
  const names = new Map([...namesBy(access), ...onSchedule]);
  const around = { address: step.change.address, isShown, access, dashboard };
  return askedGroups.flatMap((group) => reasonNotSent(group, names.get(group.id), around) ?? [])[0];
}

interface Around {
  readonly address: Address;
  readonly isShown: boolean;
  readonly access: readonly Principal[];
  readonly dashboard: string;
}

/** `now` is its name in Omni. */
function reasonNotSent(
  { text, id, name }: RecordedGroup,
  now: string | undefined,
  { address, isShown, access, dashboard }: Around,
): Failure | undefined {
  const refused = (message: string, hint: string) => new Failure('blocked', message, { addresses: [address], hint });
  const look = `\`${command('plan', '--refresh=deep', '--target', address)}\``;
  const taken = now && takerOf(text, { id }, access);
  if (taken !== undefined) return leftByTaker(address, text, { text, id, name: now }, taken);
  if (now !== undefined)
    return now === text || now === name || isShown
      ? undefined
      : refused(
          `The user group ${text} of ${address} (${id}) is called ${now} in Omni, and no plan has shown that.`,
          `${look} shows the new name, and \`${command('apply', '--refresh=deep', '--target', address)}\` sends to it.`,
        );
  const otherIds = access.filter((each) => each.name === text).map((each) => each.id);
  return otherIds.length > 0
    ? refused(
        `The user group ${text} of ${address} (${id}) is gone from Omni, and another group has its name (${otherIds.join(', ')}).`,
        `${look} shows the other group as added, and an apply with that look sends to it. To send to neither group, remove the name from the declaration.`,
      )
    : refused(
        `The user group ${text} of ${address} (${id}) does not receive it in Omni, and has no access to the dashboard ${dashboard}.`,
        'If the group is right, write its id instead of its name; if it is gone, remove it from the declaration.',
      );
}
