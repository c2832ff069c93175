// What a plan sends that nobody can read back: secrets that go elsewhere, passwords that a change leaves out, fields whose
// values an import guessed, and filters that it could not tell from those of the dashboard.

import { filterWords } from '../../model/fields/conditions.ts';
import { addressWords, concernedBySubject, type FoundDanger, foldedItems } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { pointerSegments, valueAt } from '../../model/values/pointer.ts';
import { knownAtApply, secretKey, sensitive, variablesIn } from '../../model/values/secret.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import { hostOf, textOf } from './destinations.ts';
import type { TrackedAttributes } from './receivers.ts';

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
export function movedSecrets(changes: readonly Change[], tracked: () => TrackedAttributes): FoundDanger {
  const hostsOf = once(() => hostsByVariable(tracked()));
  const moves = changes.flatMap(({ address, before, after }) =>
    after === null
      ? []
      : usesOf(after).flatMap((use) => movesOf(use, before, hostsOf).map((words) => [words, address] as const)),
  );
  const items = [...concernedBySubject(moves)].map(([words, addresses]) => {
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

function hostsByVariable(tracked: TrackedAttributes): ReadonlyMap<string, ReadonlySet<string>> {
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
export function removedPasswords(changes: readonly Change[], state: State | undefined): FoundDanger {
  const removing = changes.filter((change) => {
    const { before, after } = change;
    if (after?.['destinationType'] !== 'sftp' || after[password] !== undefined || !isSentWhole(change)) return false;
    return before?.[password] !== undefined || unreadOf(change, state).includes(password);
  });
  const found = concernedBySubject(
    removing.map(({ address, after }) => [hostOf(after?.['address']) ?? '', address] as const),
  );
  const title = `${countOf(removing.length, 'change', 'changes')} may remove the password`;
  return { code: 'password-removed', title, items: foldedItems(found) };
}

/**
 * Fields that the service does not return, and that an import therefore guessed: the first update that sends one may
 * change what recipients see. An update reads which user groups there are.
 */
export function unreadFields(changes: readonly Change[], state: State | undefined): FoundDanger {
  const after = new Map(changes.map((change) => [change.address, change.after]));
  const found = concernedBySubject(
    changes.filter(isSentWhole).flatMap((change) =>
      unreadOf(change, state)
        .filter((field) => field !== password && field !== 'userGroups' && !isUnreadFilter(field))
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
export function unreadFilters(changes: readonly Change[], state: State | undefined): FoundDanger {
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
