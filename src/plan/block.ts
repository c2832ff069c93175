// The reasons why one change cannot be applied, and the way out. Changes that earlier applies left open block in open-changes.ts.

import { goneFilterWay } from '../declare/rows/rows-in-omni.ts';
import { fieldsDeciding } from '../model/fields/fields.ts';
import { namedOf, onWordsOf } from '../model/fields/identity.ts';
import { actions } from '../model/plan/action.ts';
import { type OpenChange, sentNames } from '../model/plan/open-change.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import { isElsewhere } from '../model/service/recognise-rows.ts';
import { type Address, kindAt } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { isJsonObject, type JsonObject } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { inBackticks } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Decision, Facts } from './decide.ts';
import { filtersIn, type SeenMatch } from './drift.ts';
import { type Match, trackedAs } from './match.ts';
import { type RequestKind, sendsDeclaration } from './requests.ts';

/** Protection is kept in the state, so removing the declaration does not lift it. */
export function blockedByProtection(
  { action, reason }: Pick<Decision, 'action' | 'reason'>,
  address: Address,
  prior: JsonObject | undefined,
  desired: JsonObject | undefined,
): string | undefined {
  if (action === 'no-op' || !actions[action].givesUp || !protects(prior)) return undefined;
  return `lifecycle.preventDestroy protects it from being ${actions[action].done}. ${reason === 'missing' ? wayOutOfMissing(address, desired) : destroyHint(desired)}`;
}

function destroyHint(desired: JsonObject | undefined): string {
  return desired !== undefined && !protects(desired)
    ? 'Apply the change that lifts the protection first, with nothing else changed.'
    : 'To lift the protection, declare the resource as it was applied, without preventDestroy, and apply that first.';
}

function wayOutOfMissing(address: Address, desired: JsonObject | undefined): string {
  const recreateWords =
    desired === undefined
      ? `declare it again, then run \`${command('apply', '--refresh')}\``
      : `run \`${command('apply', '--refresh')}\``;
  return `The resource is gone from Omni, or the token cannot see it. To create it again: ${recreateWords}. To stop tracking it: \`${command('state rm', address)}\`.`;
}

function protects(attributes: JsonObject | undefined): boolean {
  const lifecycle = attributes?.['lifecycle'];
  return isJsonObject(lifecycle) && lifecycle['preventDestroy'] === true;
}

/**
 * Leaves the deletion of a schedule that somebody moved to another dashboard, or that the state names by a wrong id. One that an open
 * change moved is deleted, and so is one whose dashboard was renamed.
 */
export function leftElsewhere(
  sends: readonly RequestKind[],
  { recorded, effective, formerly }: SeenMatch,
  open: OpenChange | undefined,
): string | undefined {
  const address = trackedAs(recorded);
  const namedIn = ({ prior }: Match) => namedOf(kindAt(address), prior?.attributes ?? {}) ?? {};
  const [before, now] = [namedIn(recorded), namedIn(effective)];
  const found = now.identifier;
  if (!sends.includes('delete') || typeof found !== 'string' || !isElsewhere({ identifier: found }, before))
    return undefined;
  if ([before, ...sentNames(open)].some(({ identifier }) => identifier === (formerly ?? found))) return undefined;
  return `Omni lists its id on the ${onWordsOf(kindAt(address))} ${found}, and not on ${before.identifier}. ${elsewhereWords([address])}`;
}

/** Says why nothing is deleted or delivered that Omni lists somewhere else than the state does, and the way out. */
export function elsewhereWords(addresses: readonly Address[]): string {
  const on = [...new Set(addresses.map((address) => onWordsOf(kindAt(address))))].join(' or ');
  return `Almanac does not delete or trigger what Omni lists on a different ${on} than the state does. Check it in Omni. \`${command('state rm', ...addresses)}\` stops tracking it; an \`adopt\` entry then tracks the right id.`;
}

/** Taking it over as it is would leave its recipients in place, and operations core cannot change who receives an existing schedule. */
export function blockedBySink(
  { action, reason, sends }: Decision,
  { sunk, operations }: Facts,
  { address, desired }: Match,
): string | undefined {
  if (action === 'adopt' && sunk)
    return `The schedule delivers to its declared recipients until the sink of this environment is sent, so it is not adopted here. Adopt it in an environment without a sink first, or leave it out of this environment with \`in\`. If it already belongs to this environment, \`${command('import', '--write-state', '--declared')}\` tracks it.`;
  if (reason !== 'sink' || sends || operations !== 'core') return undefined;
  return `It is not known whether the schedule delivers to the sink of this environment: the state records the recipients of the sink, but they were never sent. Operations core cannot update a schedule. Set \`api: { operations: full }\` for this environment, or create it again with \`${command('apply', '--env', desired?.sink?.environment ?? 'NAME', '--replace', address)}\` and delete the old one in Omni.`;
}

/**
 * Omni refuses a filter that the dashboard does not have, and a report without its filter shows the rows of everybody. `filters`:
 * those of its dashboard, as far as they were read.
 */
export function leftByGoneFilter(
  sends: readonly RequestKind[],
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  drift: SeenMatch['drift'],
  filters: Iterable<string>,
): string | undefined {
  const declared = after?.['filterConfig'];
  if (drift === undefined || !sendsDeclaration(sends) || !isJsonObject(declared)) return undefined;
  // Another dashboard may have it.
  if (before?.['identifier'] !== after?.['identifier']) return undefined;
  const gone = filtersIn(drift.diff, 'gone').filter((id) => Object.hasOwn(declared, id));
  if (gone.length === 0) return undefined;
  const now = [...filters].filter((id) => !Object.hasOwn(declared, id));
  const [filter, it] = gone.length === 1 ? ['filter', 'it'] : ['filters', 'them'];
  return `Its dashboard no longer has the ${filter} ${gone.map((id) => inBackticks(id)).join(', ')}, and without ${it} the report would show all rows. ${goneFilterWay(gone, now)}`;
}

/**
 * The reason for leaving a change whose dashboard may show somebody the rows of others. `why` is undefined if it does
 * not, or if that was accepted. An update that changes neither the receivers nor the rows is not left.
 */
export function leftByDashboard(
  sends: readonly RequestKind[],
  diff: readonly FieldDiff[],
  why: string | undefined,
): string | undefined {
  if (why === undefined || sends.length === 0) return undefined;
  const changes = diff.some(({ path }) => ofReceiversAndRows.has(pointerSegments(path)[0] ?? ''));
  const isWhole = sends.includes('post') || sends.includes('patch');
  return isWhole || changes ? why : undefined;
}

const ofReceiversAndRows = fieldsDeciding('who', 'rows');

/** A look has found that filters compare another type than those of the dashboard: Omni may drop them. */
export function leftByTypes(found: readonly Finding[]): string | undefined {
  return found.length === 0 ? undefined : found.map(({ message, hint = '' }) => `${message} ${hint}`.trim()).join(' ');
}
