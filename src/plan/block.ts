// Why a change, or a plan as a whole, cannot be applied, and the way out.

import { namedOf, onWordsOf } from '../model/fields/identity.ts';
import { actions } from '../model/plan/action.ts';
import { isLookedFor, type OpenChange } from '../model/plan/open-change.ts';
import { type Change, leavesOrphan, type Plan } from '../model/plan/plan.ts';
import { type Standing, shortCommit } from '../model/plan/standing.ts';
import { isElsewhere } from '../model/service/remote.ts';
import { type Address, groupOf, itemOf, kindAt } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { isJsonObject, type JsonObject } from '../model/values/json.ts';
import { inBackticks } from '../model/values/words.ts';
import type { Operations } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { type Send, sendsDeclaration } from './calls.ts';
import type { Decision, Facts } from './decide.ts';
import { type Drift, filtersIn } from './drift.ts';
import { type Match, trackedAs } from './match.ts';

/** Protection is kept in the state, so removing the declaration does not lift it. */
export function blockedByProtection(
  { action, reason }: Pick<Decision, 'action' | 'reason'>,
  address: Address,
  prior: JsonObject | undefined,
  desired: JsonObject | undefined,
): string | undefined {
  if (action === 'no-op' || !actions[action].givesUp || !protects(prior)) return undefined;
  return `lifecycle.preventDestroy protects it from being ${actions[action].done}. ${reason === 'missing' ? wayOutOfMissing(address, desired) : wayOut(desired)}`;
}

function wayOut(desired: JsonObject | undefined): string {
  return desired !== undefined && !protects(desired)
    ? 'Apply the change that lifts the protection first, with nothing else changed.'
    : 'To lift the protection, declare the resource as it was applied, without preventDestroy, and apply that first.';
}

function wayOutOfMissing(address: Address, desired: JsonObject | undefined): string {
  const again =
    desired === undefined ? 'declare it again, then run `almanac apply --refresh`' : 'run `almanac apply --refresh`';
  return `It is gone from Omni, or the token cannot see it. To create it again: ${again}. To stop tracking it: \`almanac state rm ${address}\`.`;
}

function protects(attributes: JsonObject | undefined): boolean {
  const lifecycle = attributes?.['lifecycle'];
  return isJsonObject(lifecycle) && lifecycle['preventDestroy'] === true;
}

/** For a POST whose answer was lost: only Omni knows whether it was carried out. */
export function blockedByUnresolved(open: OpenChange, operations: Operations): Pick<Change, 'blocked' | 'lookedFor'> {
  const { address, action, name, identifier, since } = open;
  const what =
    name === undefined
      ? address
      : `"${name}"${identifier === undefined ? '' : ` on the ${onWordsOf(kindAt(address))} ${identifier}`}`;
  const done = action === 'run' ? '--done' : '--id ID';
  const sent = `An earlier apply sent this change at ${since} and the answer was lost, so it may have been carried out.`;
  const ways = `if it is there, run \`almanac state resolve ${address} ${done}\`; if it is not, run \`almanac state resolve ${address} --retry\`.`;
  return isLookedFor(open, operations)
    ? {
        blocked: `${sent} \`almanac apply\` looks in Omni for ${what} before anything else, and goes on. Only if that is refused, check by hand: ${ways}`,
        lookedFor: true,
      }
    : { blocked: `${sent} Check in Omni for ${what}: ${ways}` };
}

/** For a PUT or DELETE whose answer was lost and which operations core cannot repeat: a plan of the state alone would forget it. */
export function blockedByOpenUpdate(
  { action, sends }: Decision,
  { kind, prior, uncertain, operations }: Facts,
  open: OpenChange | undefined,
): string | undefined {
  // Of every other kind, operations core have all requests or none.
  const isForgotten = uncertain && kind === 'schedule' && prior === 'tracked' && action === 'update' && !sends;
  if (!isForgotten || operations !== 'core' || open === undefined) return undefined;
  const { address, since } = open;
  return (
    `An earlier apply with operations full sent ${open.action === 'delete' ? 'its deletion' : 'an update of it'} at ${since} and the answer was lost; operations core cannot send it again. ` +
    `Apply with operations full, or check in Omni: if it was carried out, run \`almanac state resolve ${address} --done\`; if it was not, run \`almanac state resolve ${address} --retry\`.`
  );
}

/** What somebody moved to another dashboard, or what the state names by a wrong id, is not deleted. */
export function blockedElsewhere(sends: readonly Send[], recorded: Match, effective: Match): string | undefined {
  const address = trackedAs(recorded);
  const namedIn = ({ prior }: Match) => namedOf(kindAt(address), prior?.attributes ?? {}) ?? {};
  const [before, now] = [namedIn(recorded), namedIn(effective)];
  const found = now.identifier;
  if (!sends.includes('delete') || typeof found !== 'string' || !isElsewhere({ identifier: found }, before))
    return undefined;
  return `Omni lists its id on the ${onWordsOf(kindAt(address))} ${found}, and not on ${before.identifier}. ${nothingElsewhere([address])}`;
}

/** What is never deleted or delivered, and the way out. */
export function nothingElsewhere(addresses: readonly Address[]): string {
  const on = [...new Set(addresses.map((address) => onWordsOf(kindAt(address))))].join(' or ');
  return `Almanac deletes and delivers nothing that is on another ${on} than the state says. Check it in Omni. \`almanac state rm ${addresses.join(' ')}\` stops tracking it; an \`adopt\` entry then tracks the right id.`;
}

/** Operations core cannot change who receives an existing schedule. Taking it over as it is would leave its recipients in place. */
export function blockedBySink(
  { reason, sends }: Decision,
  { adopted, operations }: Facts,
  { address, desired }: Match,
): string | undefined {
  if (reason !== 'sink' || sends || operations !== 'core') return undefined;
  if (!adopted)
    return `Nobody knows whether it delivers to the sink of this environment: its recipients are recorded as those, and were never sent. Operations core cannot update a schedule. Set \`api: { operations: full }\` for this environment, or create it again with \`almanac apply --env ${desired?.sink?.environment} --replace ${address}\` and delete the old one in Omni.`;
  return 'It delivers to those who are declared until the sink of this environment is sent, and operations core cannot update a schedule. Set `api: { operations: full }` for this environment, or leave the resource out of it with `in`.';
}

/** Omni refuses a filter that the dashboard does not have, and a report without its filter shows the rows of everybody. */
export function blockedByGoneFilter(
  sends: readonly Send[],
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  drift: Drift | undefined,
): string | undefined {
  const declared = after?.['filterConfig'];
  if (drift === undefined || !sendsDeclaration(sends) || !isJsonObject(declared)) return undefined;
  // Another dashboard may have it.
  if (before?.['identifier'] !== after?.['identifier']) return undefined;
  const gone = filtersIn(drift.diff, 'gone').filter((id) => Object.hasOwn(declared, id));
  if (gone.length === 0) return undefined;
  const [filter, it] = gone.length === 1 ? ['filter', 'it'] : ['filters', 'them'];
  return `Its dashboard does not have the ${filter} ${gone.map((id) => inBackticks(id)).join(', ')} any more, and without ${it} the report would show all rows. Put ${it} back on the dashboard in Omni, or remove ${it} from \`filterConfig\` if everybody who receives the report may see all rows.`;
}

export interface GuardPolicy {
  readonly allowOrphans: boolean;
  readonly allowBehind: boolean;
  readonly force: boolean;
  readonly maxDeletePercent: number;
}

export interface GuardContext {
  /** What the state holds. */
  readonly tracked: readonly Address[];
  /** The service was observed, and none of the tracked schedules was found. */
  readonly foundNone: boolean;
  /** How the files stand to what was applied last. */
  readonly standing: Standing;
}

/** How many resources, or instances of a loop, must be tracked before a share of them means something. */
const shareCountsFrom = 10;

/** Why an apply refuses a plan as a whole, before the first request; each names the flag or the way out. Empty for nothing. */
export function guardPlan(plan: Plan, policy: GuardPolicy, context: GuardContext): readonly Failure[] {
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  const orphaned = plan.changes.filter((change) => leavesOrphan(change, plan.operations));
  const many = givesUpMany(plan, policy.maxDeletePercent, context);
  const back = goingBack(plan, context.standing);
  const refused = (message: string, hint: string) => new Failure('blocked', message, { hint });
  const reasons = blocked.map(({ address, blocked: why }) =>
    refused(`${address} is blocked. ${why}`, 'Nothing was sent.'),
  );
  if (orphaned.length > 0 && !policy.allowOrphans) {
    const schedules = orphaned.length === 1 ? 'One schedule' : `${orphaned.length} schedules`;
    const which = orphaned.map(({ address, id }) => `${address} (${id})`).join(', ');
    reasons.push(
      refused(
        `${schedules} would keep running without being tracked: ${which}. With operations core Almanac cannot remove them.`,
        'To go on, use --allow-orphans; then remove them in Omni and clear them from the list with `almanac state orphans --clear ID`.',
      ),
    );
  }
  if (back > 0 && !policy.allowBehind) {
    reasons.push(
      refused(
        `This checkout is behind commit ${shortCommit(context.standing.behind ?? '')}, which was applied last, so ${back === 1 ? 'the change of this plan goes' : `the ${back} changes of this plan go`} back.`,
        'Run `git pull`, and plan again. To go back on purpose, use --allow-behind.',
      ),
    );
  }
  if (many !== undefined && !policy.force) reasons.push(refused(many, 'If that is intended, use --force.'));
  return reasons;
}

/** How many changes go back where the files lack what was applied last: all of them, unless the plan sends nothing. */
export function goingBack({ changes }: Pick<Plan, 'changes'>, { behind }: Standing): number {
  const isSending = changes.some(({ requests }) => requests > 0);
  return behind !== undefined && isSending ? changes.length : 0;
}

/** Why the plan needs --force, if it gives up too many resources. */
export function givesUpMany(
  plan: Plan,
  maxDeletePercent: number,
  { tracked, foundNone }: GuardContext,
): string | undefined {
  if (foundNone && plan.changes.some(({ reason }) => reason === 'missing'))
    return 'None of the tracked schedules was found in Omni. A token of another organization, or one that may not see them, gives the same picture.';
  // A replaced schedule is no longer tracked; it was counted when it was replaced.
  const lost = plan.changes.filter(
    ({ action, reason }) => reason !== 'replaced' && (actions[action].givesUp || reason === 'missing'),
  );
  const lostAt = new Set(lost.map(({ address, previousAddress = address }) => previousAddress));
  const loops = groupBy(
    tracked.filter((address) => itemOf(address) !== undefined),
    groupOf,
  );
  const shareOf = (all: readonly Address[], words: string): readonly string[] => {
    const count = all.filter((address) => lostAt.has(address)).length;
    const percent = all.length === 0 ? 0 : (100 * count) / all.length;
    if (all.length < shareCountsFrom || percent <= maxDeletePercent) return [];
    return [`${count} of ${words}, ${Math.round(percent)} percent`];
  };
  const shares = [
    ...shareOf(tracked, `${tracked.length} tracked resources`),
    ...[...loops].flatMap(([loop, all]) => shareOf(all, `the ${all.length} instances of ${loop}`)),
  ];
  if (shares.length === 0) return undefined;
  return `The plan deletes, replaces, forgets or finds missing ${shares.join(', and ')}; safety.maxDeletePercent is ${maxDeletePercent}.`;
}
