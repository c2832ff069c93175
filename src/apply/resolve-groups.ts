// Finds which user groups declared names mean. Before the first request that writes, the state knows the id of a name that was
// applied before, and that id counts; any other name is looked up here (observe/group-names.ts), and only for what this
// apply sends to.
//
// Before an id is sent it must be called in Omni what it is declared as, or what the state has heard that it is called:
// whoever may write the state could have given a name the id of other people.

import { groupNotTold, unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { groupIdIn, isGroupId } from '../model/fields/ids.ts';
import { groupNamed, groupNow, isReplaced, type RecordedGroup, takenWords } from '../model/plan/user-groups.ts';
import type { Principal } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { once, pushAll } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import { groupMeantBy } from '../observe/group-names.ts';
import { unlessOpen } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import { type Step, sendsGroups } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { reaches } from '../plan/requests.ts';
import type { LeftSteps } from './leave.ts';

/** The declared groups of each step that sends some, with their ids; none of a step with a name that may mean another group. */
export type GroupTargets = ReadonlyMap<Address, readonly RecordedGroup[]>;

type SendingStep = Step & { readonly groups: NonNullable<Step['groups']> };

function knownFor(text: string, { groups }: SendingStep): RecordedGroup | undefined {
  const known = groupNamed(text, groups.onRecord);
  if (known !== undefined) return { ...known, text };
  const id = groupIdIn(text);
  return id === undefined ? undefined : { text, id };
}

/** The present name of a step's dashboard. */
export function dashboardNow({ after, renamedTo }: Step): string {
  return renamedTo ?? String(after?.['identifier']);
}

interface GroupsToResolve {
  /** The steps of the proposal that may be sent. */
  readonly steps: readonly Step[];
  /** The step as the state alone plans it. */
  readonly recordedOf: (step: Step) => Step;
  /** True if somebody sees the findings of this run's look. */
  readonly isShown: boolean;
}

interface GroupResolution {
  readonly targets: GroupTargets;
  readonly left: LeftSteps;
  /** The names that mean no group, or several. */
  readonly findings: readonly Finding[];
}

/** Throws what the service throws. */
export async function resolveGroups(
  proposal: Proposal,
  { steps, recordedOf, isShown }: GroupsToResolve,
  service: Service,
): Promise<GroupResolution> {
  const findings: Finding[] = [];
  const left = new Map<Step, Failure>();
  const targets = new Map<Address, readonly RecordedGroup[]>();
  const ofOthers = once(() => livingGroups(proposal));
  const declared = new Map(proposal.inputs.loaded.desired.resources.map((each) => [each.address, each]));
  for (const step of steps.filter(sendsGroups)) {
    const { address } = step.change;
    const access = await accessFor(step, service);
    const meant = step.groups.declared.map(
      (text) => [text, knownFor(text, step) ?? groupMeantBy(text, access ?? [])] as const,
    );
    const unknownNames = meant.flatMap(([text, group]) => (group === undefined ? text : []));
    const unknown = unknownNames.map((text) =>
      access === undefined
        ? groupNotTold(text, declared.get(address))
        : unknownGroupFinding(text, access, dashboardNow(step), declared.get(address)),
    );
    pushAll(findings, unknown);
    const groups = eachOnce(
      meant.flatMap(([, group]) => group ?? []),
      step.groups.onRecord,
    );
    const unsure = unknown.length > 0 ? leftByUnknownGroup(step, unknown) : leftByAmbiguousName(step, groups, ofOthers);
    if (unsure === undefined) targets.set(address, groups);
    const recorded = recordedOf(step).groups?.onRecord ?? [];
    const why = unsure ?? reasonNotSent(step, groups, { recorded, access, isShown });
    if (why !== undefined) left.set(step, why);
  }
  return { targets, left, findings };
}

/** The groups with access to the dashboard of a step, asked for unless all of its names mean groups that it has; undefined where Omni does not say. */
async function accessFor(step: SendingStep, service: Service): Promise<readonly Principal[] | undefined> {
  const { received, groups, calls } = step;
  if (received?.access !== undefined) return received.access;
  const isSure = (text: string) => {
    const known = knownFor(text, step);
    if (known === undefined || isGroupId(text) || !calls.some(reaches)) return known !== undefined;
    return received?.groups.some(({ id }) => id === known.id) === true;
  };
  if (groups.declared.every(isSure)) return [];
  return unlessOpen((await service.api()).groupsWithAccess(dashboardNow(step), service.call));
}

/** The reason for leaving a change if it is not known whom it would send to. */
function leftByUnknownGroup({ change: { address } }: Step, findings: readonly Finding[]): Failure {
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

/** The groups that the state has of all resources, but for those that are gone, as this run's look has seen. */
function livingGroups({ inputs: { state }, observation }: Proposal): readonly RecordedGroup[] {
  const recorded = Object.entries(state?.resources ?? {}).flatMap(([address, { groups = [] }]) =>
    groups.map((group) => ({ address, group })),
  );
  const isGone = ({ address, group }: (typeof recorded)[number]) => {
    const seen = observation?.observed.get(address);
    return seen?.found === true && isReplaced(group, seen.received);
  };
  const gone = new Set(recorded.filter(isGone).map(({ group }) => group.id));
  return recorded.flatMap(({ group }) => (gone.has(group.id) ? [] : group));
}

/**
 * Finds a name that this resource has not sent to, and for which another resource has another id. Then two groups have had it,
 * and it is not known which is meant.
 */
function leftByAmbiguousName(
  { change: { address }, groups, calls }: SendingStep,
  targets: readonly RecordedGroup[],
  ofOthers: () => readonly RecordedGroup[],
): Failure | undefined {
  if (!calls.some(reaches)) return undefined;
  for (const { text, id } of targets) {
    if (isGroupId(text) || groups.onRecord.some((each) => each.text === text)) continue;
    const other = ofOthers().find((each) => each.text === text && each.id !== id);
    if (other !== undefined) return leftByTaker(address, text, other, id);
  }
  return undefined;
}

function leftByTaker(address: Address, text: string, group: RecordedGroup, taken: string): Failure {
  const { message, hint } = takenWords(text, group, taken);
  return new Failure('blocked', message, { addresses: [address], hint });
}

interface KnownGroups {
  /** The groups that the state alone has. */
  readonly recorded: readonly RecordedGroup[];
  /** Undefined where Omni does not say who has access. */
  readonly access: readonly Principal[] | undefined;
  readonly isShown: boolean;
}

/**
 * The reason for sending nothing to a group whose id the state has: another one has its name, Omni calls it by a name that nobody
 * has seen, or does not know it.
 */
function reasonNotSent(
  step: SendingStep,
  targets: readonly RecordedGroup[],
  { recorded, access, isShown }: KnownGroups,
): Failure | undefined {
  if (!step.calls.some(reaches)) return undefined;
  const { address } = step.change;
  const shown = { groups: step.received?.groups ?? [], access: access ?? [] };
  const refused = (message: string, hint: string) => new Failure('blocked', message, { addresses: [address], hint });
  for (const { text, id } of targets) {
    const known = isGroupId(text) ? undefined : recorded.find((each) => each.id === id);
    if (known === undefined) continue;
    const { called, others } = groupNow({ id, text }, shown);
    const [taken] = others;
    const named = `The user group ${text} of ${address} (${id})`;
    const look = `\`${command('plan', '--refresh=deep', '--target', address)}\``;
    if (called !== undefined && taken !== undefined)
      return leftByTaker(address, text, { text, id, name: called }, taken);
    if (called !== undefined && (called === text || called === known.name || isShown)) continue;
    if (called !== undefined)
      return refused(
        `${named} is called ${called} in Omni, and no plan has shown that.`,
        `${look} shows the new name, and \`${command('apply', '--refresh=deep', '--target', address)}\` sends to it.`,
      );
    if (taken !== undefined)
      return refused(
        `${named} is gone from Omni, and another group has its name (${others.join(', ')}).`,
        `${look} shows the other group as added, and an apply with that look sends to it. To send to neither group, remove the name from the declaration.`,
      );
    if (access === undefined)
      return refused(
        `${named} does not receive it in Omni, which does not show who has access to the dashboard ${dashboardNow(step)}.`,
        'See that the token may view the dashboard, and run again.',
      );
    return refused(
      `${named} does not receive it in Omni, and has no access to the dashboard ${dashboardNow(step)}.`,
      'If the group is right, write its id instead of its name; if it is gone, remove it from the declaration.',
    );
  }
  return undefined;
}
