// Every danger of a plan, in the order in which reports list them. Judged against the state: the plan alone does not know
// what stays as it is. A new danger is a row of `dangerGravity` in model/plan/danger.ts, and is found here.

import { filterWords } from '../../model/fields/conditions.ts';
import {
  addressWords,
  type Danger,
  type DangerCode,
  type DangerItem,
  dangerGravity,
  type FoundDanger,
  foldedItems,
  makeFound,
} from '../../model/plan/danger.ts';
import { type Change, leavesOrphan, type Plan, remainingOrphans } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, kindWords } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { pointerSegments, valueAt } from '../../model/values/pointer.ts';
import { knownAtApply, secretKey, sensitive, variablesIn } from '../../model/values/secret.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import { filtersIn } from '../drift.ts';
import { hostOf, textOf } from './destinations.ts';
import { otherAlerts, otherRows } from './other-rows.ts';
import {
  addedRecipients,
  knownPlaces,
  newOwners,
  newPlaces,
  outsideRecipients,
  removedRecipients,
  type Tracked,
} from './receivers.ts';

interface DangerContext {
  readonly state: State | undefined;
  /** In lower case; where there are none, every domain counts as outside. */
  readonly internalDomains: readonly string[];
}

const order = Object.keys(dangerGravity);

/** Only those that occur. */
export function findDangers(plan: Plan, { state, internalDomains }: DangerContext): readonly Danger[] {
  const { changes } = plan;
  // Most plans change nothing that is compared with it.
  const tracked = once(
    () => new Map(Object.entries(state?.resources ?? {}).map(([at, { attributes }]) => [at, attributes])),
  );
  const known = once(() => knownPlaces(tracked()));
  const dangers: readonly FoundDanger[] = [
    ...endedDangers(plan),
    ...otherRows(changes, tracked, internalDomains),
    otherAlerts(changes, tracked),
    goneFilters(plan),
    ...newPlaces(changes, known, internalDomains),
    ...newOwners(changes, tracked, internalDomains),
    movedSecrets(changes, tracked),
    removedPasswords(changes, state),
    addedRecipients(changes),
    // Whom a sink replaces, the plan counts by itself.
    removedRecipients(changes.filter(({ reason }) => reason !== 'sink')),
    switched(changes, true),
    switched(changes, false),
    unreadFields(changes, state),
    unreadFilters(changes, state),
  ];
  // The one line about recipients who may be outside names nobody.
  const found = [
    ...dangers.filter(({ items }) => items.length > 0),
    ...outsideRecipients(changes, known, internalDomains),
  ];
  return found
    .map(({ code, gravity = dangerGravity[code], ...rest }) => ({ code, gravity, ...rest }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** The graver first, and in the order of the table. */
function rankOf({ code, gravity }: Danger): number {
  return order.indexOf(code) + (gravity === 'grave' ? 0 : order.length);
}

/** Filters that a look did not find any more on the dashboards of schedules that set them. */
function goneFilters({ drift }: Plan): FoundDanger {
  const found = makeFound(
    drift.flatMap(({ address, diff }) => filtersIn(diff, 'gone').map((id) => [id, address] as const)),
  );
  const filters = countOf(found.size, 'filter is gone from its dashboard', 'filters are gone from their dashboards');
  const title = `${filters}: without ${found.size === 1 ? 'it' : 'them'} a report would show all rows`;
  return { code: 'filter-gone', title, items: foldedItems(found) };
}

/** Schedules that a plan pauses, or resumes. */
function switched(changes: readonly Change[], paused: boolean): FoundDanger {
  const code = paused ? 'paused' : 'resumed';
  const items = changes.flatMap(({ address, kind, before, after }) => {
    if (kind !== 'schedule' || before === null || after === null) return [];
    const [was, is] = [before['paused'] === true, after['paused'] === true];
    const name = after['name'];
    const detail = typeof name === 'string' ? `schedule ${inBackticks(name)}` : undefined;
    return was === is || is !== paused ? [] : [{ subject: address, detail }];
  });
  const title = `${countOf(items.length, 'schedule is', 'schedules are')} ${code}`;
  return { code, title, items };
}

/** What a plan ends, leaves running or cannot do: deletes, replacements, orphans, and changes that are blocked. */
function endedDangers(plan: Plan): readonly FoundDanger[] {
  const { changes, operations } = plan;
  const isOrphan = (change: Change) => leavesOrphan(change, operations);
  const of = (action: Change['action']) => changes.filter((change) => change.action === action && !isOrphan(change));
  const [blocked, unresolved] = [blockedBy(plan, false), blockedBy(plan, true)];
  const resources = (count: number) => countOf(count, 'resource is', 'resources are');
  return [
    danger('deleted', of('delete').map(lostOf), (count) => `${resources(count)} deleted`),
    danger(
      'blocked',
      blockedItems(blocked),
      () => `${countOf(blocked.length, 'change is', 'changes are')} blocked: apply refuses this plan`,
    ),
    danger(
      'unresolved',
      blockedItems(unresolved),
      () =>
        `${countOf(unresolved.length, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on`,
    ),
    danger('replaced', of('replace').map(named), (count) => `${resources(count)} replaced`),
    danger('orphaned', changes.filter(isOrphan).map(keptRunning), (count) =>
      countOf(count, 'schedule keeps running as an orphan', 'schedules keep running as orphans'),
    ),
    danger('forgotten', of('forget').map(named), (count) => `${resources(count)} no longer tracked`),
    danger('orphans', orphanItems(plan), orphansTitle),
  ];
}

function danger(code: DangerCode, items: readonly DangerItem[], titleOf: (count: number) => string): FoundDanger {
  return { code, title: titleOf(items.length), items };
}

function blockedBy({ changes }: Plan, isLookedFor: boolean): readonly Change[] {
  return changes.filter(({ blocked, lookedFor = false }) => blocked !== undefined && lookedFor === isLookedFor);
}

/** A reason that several have is said once. */
function blockedItems(changes: readonly Change[]): readonly DangerItem[] {
  return [...groupBy(changes, ({ blocked = '' }) => blocked)].map(([why, [first, ...others]]) => ({
    subject: first?.address ?? '',
    detail: others.length === 0 ? why : `and ${countOf(others.length, 'other', 'others')}: ${why}`,
  }));
}

/** What a replacement left is not the resource that has its address now. */
function lostOf(change: Change): DangerItem {
  const { subject, detail } = named(change);
  return { subject, detail: change.reason === 'replaced' ? `${detail}, the old one that was replaced` : detail };
}

function keptRunning({ address, action, id = '' }: Change): DangerItem {
  const what = action === 'replace' ? 'replaced, the old one' : 'forgotten, it';
  return { subject: address, detail: `${what} keeps running as \`${id}\`` };
}

function orphanItems(plan: Plan): readonly DangerItem[] {
  return remainingOrphans(plan).map(({ id, address, name }) => ({
    subject: id,
    detail: `${inBackticks(name)}, was \`${address}\``,
  }));
}

function orphansTitle(count: number): string {
  const made = countOf(count, 'orphan', 'orphans');
  return `${made} of earlier applies still ${count === 1 ? 'runs' : 'run'} in Omni`;
}

function named({ address, kind, before }: Change): DangerItem & { readonly detail: string } {
  const name = before?.['name'];
  return {
    subject: address,
    detail: typeof name === 'string' ? `${kindWords[kind]} ${inBackticks(name)}` : kindWords[kind],
  };
}

// What a plan sends that nobody can read back: secrets that go elsewhere, passwords that a change leaves out, fields whose
// values an import guessed, and filters that it could not tell from those of the dashboard.

/** The fields that may hold a secret, and the field that says where it goes. */
const carriers = {
  url: 'url',
  passwordUnencrypted: 'address',
  username: 'address',
  webhookUrl: 'webhookUrl',
  webhookSigningSecret: 'webhookUrl',
} as const;

interface SecretUse {
  readonly field: string;
  /** The variables in the text; empty where only a mask is known. */
  readonly variables: readonly string[];
  readonly host: string;
}

/**
 * Secrets that go to another place than before: a variable that so far went to other hosts only, or the secret of one
 * resource whose host changes.
 */
function movedSecrets(changes: readonly Change[], tracked: () => Tracked): FoundDanger {
  const hostsOf = once(() => hostsByVariable(tracked()));
  const moves = changes.flatMap(({ address, before, after }) =>
    after === null
      ? []
      : usesOf(after).flatMap((use) => movesOf(use, before, hostsOf).map((words) => [words, address] as const)),
  );
  const items = [...makeFound(moves)].map(([words, addresses]) => {
    const [subject = '', way = ''] = words.split('\n');
    return { subject, detail: `${way}, in ${addressWords(addresses)}` };
  });
  const title = `${countOf(items.length, 'secret goes', 'secrets go')} to another place`;
  return { code: 'secret-elsewhere', title, items };
}

/** `NAME\nfrom … to …`: one key for equal moves. */
function movesOf(
  use: SecretUse,
  before: JsonObject | null,
  hostsOf: () => ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const known = use.variables.flatMap((variable) => {
    const hosts = hostsOf().get(variable);
    return hosts === undefined || hosts.has(use.host) ? [] : [wayOf(variable, [...hosts], use.host)];
  });
  const earlier = before === null ? undefined : usesOf(before).find(({ field }) => field === use.field);
  const isUnnamed = earlier !== undefined && (earlier.variables.length === 0 || use.variables.length === 0);
  if (!isUnnamed || earlier.host === use.host) return known;
  return [...known, wayOf(use.variables[0] ?? use.field, [earlier.host], use.host)];
}

function wayOf(secret: string, hosts: readonly string[], to: string): string {
  const [first = '', ...others] = hosts;
  const more = others.length === 0 ? '' : ` and ${countOf(others.length, 'other', 'others')}`;
  return `${secret}\nto \`${to}\`, so far to \`${first}\`${more}`;
}

function hostsByVariable(tracked: Tracked): ReadonlyMap<string, ReadonlySet<string>> {
  const hosts = new Map<string, Set<string>>();
  for (const attributes of tracked.values()) {
    for (const { variables, host } of usesOf(attributes)) {
      for (const variable of variables) hosts.set(variable, (hosts.get(variable) ?? new Set()).add(host));
    }
  }
  return hosts;
}

function usesOf(attributes: JsonObject): readonly SecretUse[] {
  return Object.entries(carriers).flatMap(([field, destination]) => {
    const value = attributes[field];
    const host = hostOf(attributes[destination]);
    if (value === undefined || host === undefined) return [];
    const variables = variablesIn(textOf(value) ?? '');
    return variables.length > 0 || isMasked(value) ? [{ field, variables, host }] : [];
  });
}

function isMasked(value: Json): boolean {
  return value === sensitive || value === knownAtApply || (isJsonObject(value) && Object.hasOwn(value, secretKey));
}

const password = 'passwordUnencrypted';

/**
 * Passwords that a change may remove, because it sends the schedule without one: of an SFTP schedule whose password was
 * applied and is no longer declared, and of an adopted one that may have a password that nobody recorded.
 */
function removedPasswords(changes: readonly Change[], state: State | undefined): FoundDanger {
  const removing = changes.filter((change) => {
    const { before, after } = change;
    if (after?.['destinationType'] !== 'sftp' || after[password] !== undefined || !isSentWhole(change)) return false;
    return before?.[password] !== undefined || unreadOf(change, state).includes(password);
  });
  const found = makeFound(removing.map(({ address, after }) => [hostOf(after?.['address']) ?? '', address] as const));
  const title = `${countOf(removing.length, 'change', 'changes')} may remove the password`;
  return { code: 'password-removed', title, items: foldedItems(found) };
}

/**
 * Fields that the service does not return, and that an import therefore guessed: the first update that sends one may
 * change what recipients see.
 */
function unreadFields(changes: readonly Change[], state: State | undefined): FoundDanger {
  const after = new Map(changes.map((change) => [change.address, change.after]));
  const found = makeFound(
    changes.filter(isSentWhole).flatMap((change) =>
      unreadOf(change, state)
        .filter((field) => field !== password && !isUnreadFilter(field))
        .map((field) => [field, change.address] as const),
    ),
  );
  const items = [...found].map(([field, addresses]) => ({
    subject: field,
    detail: wordsOf(field, addresses, after.get(addresses[0] ?? '')?.[field]),
  }));
  const title = `${countOf(items.length, 'field that Omni does not return is', 'fields that Omni does not return are')} set`;
  return { code: 'unread', title, items };
}

/**
 * Filters that equalled those of the dashboard when their schedule was adopted: the first update that sends one makes it
 * the schedule's own, and it no longer follows the dashboard.
 */
function unreadFilters(changes: readonly Change[], state: State | undefined): FoundDanger {
  const sent = changes.filter(isSentWhole).flatMap((change) =>
    unreadOf(change, state)
      .filter(isUnreadFilter)
      .flatMap((pointer) => {
        const [field = '', id = ''] = pointerSegments(pointer);
        const filter = valueAt(change.after ?? {}, pointer);
        const { address } = change;
        return filter === undefined
          ? []
          : { subject: `${field}.${id}`, words: `${id}: ${filterWords(filter)}`, address };
      }),
  );
  const items = [...groupBy(sent, ({ words }) => words).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { subject, address, words } = first;
    const own = inBackticks(words);
    const detail =
      others.length === 0
        ? `\`${address}\`: from now on it has ${own} of its own`
        : `${others.length + 1} schedules: from now on they have ${own} of their own`;
    return { subject, detail };
  });
  const title = `${countOf(items.length, "filter that may be the dashboard's is", "filters that may be the dashboard's are")} set`;
  return { code: 'unread', title, items };
}

/** The state names a filter by its pointer, and any other field by its name. */
function isUnreadFilter(unread: string): boolean {
  return unread.startsWith('/');
}

/** Every POST and PUT carries the whole schedule; pausing, resuming and transferring send nothing else. */
function isSentWhole({ action, diff, requests }: Change): boolean {
  if (requests === 0) return false;
  if (action === 'create' || action === 'replace') return true;
  return action === 'update' && diff.some(({ path }) => path !== '/paused' && path !== '/owner');
}

function unreadOf({ address, previousAddress }: Change, state: State | undefined): readonly string[] {
  return state?.resources[previousAddress ?? address]?.unread ?? [];
}

function wordsOf(field: string, addresses: readonly Address[], value: Json | undefined): string {
  if (addresses.length > 1) return `${addresses.length} schedules: sets ${field}, which Omni does not return`;
  const text = textOf(value);
  return `\`${addresses[0]}\`: sets ${field}, which Omni does not return${text === undefined ? '' : `, to ${inBackticks(text)}`}`;
}
