// Dangers in what a plan sends that nobody can read back: secrets that go elsewhere, passwords that a change leaves out, fields
// whose values an import guessed, and filters that it could not tell from those of the dashboard.

import { filterWords } from '../../model/fields/conditions.ts';
import type { Delivery } from '../../model/fields/delivery.ts';
import { addressWords, concernedBySubject, foldedItems } from '../../model/plan/danger.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy, once } from '../../model/values/collections.ts';
import type { Json } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { knownText } from '../../model/values/secret.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import type { Step } from '../plan.ts';
import { sendsDeclaration } from '../requests.ts';
import { rowsGravity } from './other-rows.ts';
import type { DangerRule, World } from './world.ts';

type SentSecret = Delivery['secrets'][number];

/**
 * The secrets that go to another place than before: a variable that so far went to other hosts only, or the secret of one
 * resource whose host changes.
 */
export const movedSecrets: DangerRule = (steps, { applied }) => {
  const hostsOf = once(() => hostsByVariable(applied()));
  const moves = steps.flatMap(({ change: { address }, delivered }) => {
    const { before, after } = delivered();
    return (after?.secrets ?? []).flatMap((secret) =>
      movesOf(secret, before, hostsOf).map((words) => [words, address] as const),
    );
  });
  const items = [...concernedBySubject(moves)].map(([words, addresses]) => {
    const [subject = '', way = ''] = words.split('\n');
    return { subject, detail: `${way}, in ${addressWords(addresses)}` };
  });
  const title = `${countOf(items.length, 'secret goes', 'secrets go')} to a different place`;
  return [{ code: 'secret-elsewhere', title, items }];
};

/** `NAME\nfrom … to …`: one key for equal moves. */
function movesOf(
  { field, variables, host }: SentSecret,
  before: Delivery | undefined,
  hostsOf: () => ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const known = variables.flatMap((variable) => {
    const hosts = hostsOf().get(variable);
    return hosts === undefined || hosts.has(host) ? [] : [secretHint(variable, [...hosts], host)];
  });
  const earlier = before?.secrets.find((secret) => secret.field === field);
  const isUnnamed = earlier !== undefined && (earlier.variables.length === 0 || variables.length === 0);
  if (!isUnnamed || earlier.host === host) return known;
  return [...known, secretHint(variables[0] ?? field, [earlier.host], host)];
}

function secretHint(secret: string, hosts: readonly string[], to: string): string {
  const [first = '', ...others] = hosts;
  const more = others.length === 0 ? '' : ` and ${countOf(others.length, 'other host', 'other hosts')}`;
  return `${secret}\nto \`${to}\`, so far to \`${first}\`${more}`;
}

function hostsByVariable(applied: ReturnType<World['applied']>): ReadonlyMap<string, ReadonlySet<string>> {
  const hosts = new Map<string, Set<string>>();
  for (const [, { secrets }] of applied)
    for (const { variables, host } of secrets)
      for (const variable of variables) hosts.set(variable, (hosts.get(variable) ?? new Set()).add(host));
  return hosts;
}

const password = 'passwordUnencrypted';

/**
 * Passwords that a change may remove, because it sends the schedule without one: of an SFTP schedule whose password was
 * applied and is no longer declared, and of an adopted one that may have a password that nobody recorded.
 */
export const removedPasswords: DangerRule = (steps, world) => {
  const removing = steps.filter((step) => {
    const { before, after } = step.delivered();
    // A resource that runs only once leaves nothing without a password.
    if (after?.way !== 'sftp' || hasPassword(after) || !sendsDeclaration(step.calls) || step.change.action === 'run')
      return false;
    return (before !== undefined && hasPassword(before)) || unreadOf(step, world).includes(password);
  });
  const found = concernedBySubject(
    removing.map(({ change: { address }, delivered }) => [delivered().after?.to[0]?.shown ?? '', address] as const),
  );
  const title = `${countOf(removing.length, 'change', 'changes')} may remove the password`;
  return [{ code: 'password-removed', title, items: foldedItems(found) }];
};

function hasPassword({ secrets }: Delivery): boolean {
  return secrets.some(({ field }) => field === password);
}

/**
 * Fields that the service does not return, and that an import therefore guessed: the first update that sends one may
 * change what recipients see.
 */
export const unreadFields: DangerRule = (steps, world) => {
  const found = concernedBySubject(
    sendingUnread(steps, world).flatMap(({ unread, step }) =>
      unread
        .filter((field) => field !== password && !isUnreadFilter(field))
        .map((field) => [field, step.change.address] as const),
    ),
  );
  const after = new Map(steps.map(({ change }) => [change.address, change.after]));
  const items = [...found].map(([field, addresses]) => ({
    subject: field,
    detail: neverReadWords(field, addresses, after.get(addresses[0] ?? '')?.[field]),
  }));
  const title = `${countOf(items.length, 'field that Omni does not return is', 'fields that Omni does not return are')} set`;
  return [{ code: 'unread', title, items }];
};

/**
 * Filters that equalled those of the dashboard when their schedule was adopted: the first update that sends one makes it
 * the schedule's own, and it no longer follows the dashboard.
 */
export const unreadFilters: DangerRule = (steps, world) => {
  const found = sendingUnread(steps, world).flatMap(({ unread, step }) => {
    const { address } = step.change;
    const limits = [...(step.delivered().after?.rows ?? [])];
    return unread.filter(isUnreadFilter).flatMap((pointer) => {
      const [id, limit] = limits.find(([, { at }]) => at === pointer) ?? [];
      if (limit === undefined) return [];
      return { subject: pointerSegments(pointer).join('.'), words: `${id}: ${filterWords(limit.written)}`, address };
    });
  });
  const items = [...groupBy(found, ({ words }) => words).values()].map(
    ([{ subject, address, words }, ...otherSchedules]) => {
      const own = inBackticks(words);
      const detail =
        otherSchedules.length === 0
          ? `\`${address}\` gets ${own} as its own filter`
          : `${otherSchedules.length + 1} schedules get ${own} as their own filter`;
      return { subject, detail };
    },
  );
  const title = `${countOf(items.length, "filter that may be the dashboard's is", "filters that may be the dashboard's are")} set`;
  return [{ code: 'unread', title, items }];
};

/**
 * Filters that an import left unread and that are no longer declared: the first request that carries the whole schedule makes
 * it follow the dashboard, also where they were its own. Not those that a look has just seen to be equal there.
 */
export const takenOutFilters: DangerRule = (steps, world) => {
  const isNamed = world.internalDomains.length > 0;
  const found = sendingUnread(steps, world).flatMap(({ unread, step }) => {
    const { address, previousAddress = address } = step.change;
    const { before, after } = step.delivered();
    if (after === undefined) return [];
    const [declared, applied] = [after.rows, world.appliedAt(previousAddress)?.rows].map((rows) => [...(rows ?? [])]);
    const isDeclared = (pointer: string) => declared?.some(([, { at }]) => at === pointer);
    const gravity = rowsGravity(
      true,
      [before, after].some((each) => each && world.isOutside(each)),
      isNamed,
    );
    return unread.filter(isUnreadFilter).flatMap((pointer) => {
      if (isDeclared(pointer) || step.asDashboard?.includes(pointer)) return [];
      const id = pointerSegments(pointer)[1] ?? '';
      const [, limit] = applied?.find(([, { at }]) => at === pointer) ?? [];
      const so = limit === undefined ? '' : `, so far it was ${inBackticks(filterWords(limit.written))}`;
      return [{ gravity, address, words: `from now on ${inBackticks(id)} follows the dashboard${so}`, pointer }];
    });
  });
  return (['grave', 'caution'] as const).map((gravity) => {
    const these = found.filter((each) => each.gravity === gravity);
    const items = [...groupBy(these, ({ words }) => words)].map(([words, of]) => ({
      subject: pointerSegments(of[0].pointer).join('.'),
      detail: `${addressWords(of.map(({ address }) => address))}: ${words}`,
    }));
    const outside = gravity === 'grave' && isNamed ? ' in reports that go outside' : '';
    const title = `${countOf(items.length, "filter that may be the dashboard's is", "filters that may be the dashboard's are")} left to the dashboard${outside}`;
    return { code: 'unread', gravity, title, items };
  });
};

/** The state names a filter by its pointer, and any other field by its name. */
function isUnreadFilter(unread: string): boolean {
  return unread.startsWith('/');
}

/** The steps that send what was not sent since the adoption. */
function sendingUnread(steps: readonly Step[], world: World) {
  return steps.flatMap((step) => {
    const unread = unreadOf(step, world);
    return unread.length > 0 && sendsDeclaration(step.calls) ? [{ unread, step }] : [];
  });
}

function unreadOf({ change: { address, previousAddress } }: Step, { state }: World): readonly string[] {
  return state?.resources[previousAddress ?? address]?.unread ?? [];
}

function neverReadWords(field: string, addresses: readonly Address[], value: Json | undefined): string {
  if (addresses.length > 1) return `${addresses.length} schedules: sets ${field}, which Omni does not return`;
  const text = knownText(value);
  return `\`${addresses[0]}\`: sets ${field}, which Omni does not return${text === undefined ? '' : `, to ${inBackticks(text)}`}`;
}
