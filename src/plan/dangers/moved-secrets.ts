// Secrets that go to another place than before: a variable that so far went to other hosts only, or the secret of one
// resource whose host changes.

import { type Danger, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/once.ts';
import { knownAtApply, secretKey, sensitive, variablesIn } from '../../model/values/secret.ts';
import { hostOf, textOf } from './destinations.ts';
import { addressWords, counted, makeFound } from './folded.ts';
import type { Tracked } from './tracked.ts';

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

export function movedSecrets(changes: readonly Change[], tracked: () => Tracked): Danger {
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
  const title = `${counted(items.length, 'secret goes', 'secrets go')} to another place`;
  return { code: 'secret-elsewhere', gravity: dangerGravity['secret-elsewhere'], title, items };
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
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other', 'others')}`;
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
