// The environment variables of imported secrets: one for each password of a user at a server, and for each secret of a
// URL. Schedules that share the secret share the variable. The order of the secrets does not matter, and a variable that
// the workspace uses already for a secret is used for it again.

import { isReservedVariable } from '../../model/fields/reserved-variables.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { kebabOf } from '../../model/values/words.ts';

export type ImportedSecret =
  | { readonly kind: 'password'; readonly host: string; readonly username: string }
  | { readonly kind: 'parameter'; readonly host: string; readonly parameter: string; readonly value: string }
  | { readonly kind: 'hook'; readonly service: string; readonly host: string; readonly value: string }
  | { readonly kind: 'random'; readonly host: string; readonly value: string };

export interface NeededSecret {
  readonly secret: ImportedSecret;
  /** The key of the schedule that needs it. */
  readonly key: string;
}

/** A variable that the workspace uses; the secret is undefined where nobody knows it. */
export interface UsedVariable {
  readonly name: string;
  readonly secret: ImportedSecret | undefined;
}

/** What makes two secrets the same one. */
export function identityOf(secret: ImportedSecret): string {
  const parts =
    secret.kind === 'password'
      ? [secret.host.toLowerCase(), secret.username]
      : secret.kind === 'parameter'
        ? [secret.host, secret.parameter, secret.value]
        : [secret.host, secret.value];
  return JSON.stringify([secret.kind, ...parts]);
}

/** By identity. */
export function nameVariables(
  needed: readonly NeededSecret[],
  used: readonly UsedVariable[] = [],
): ReadonlyMap<string, string> {
  const names = new Map(
    used.flatMap(({ name, secret }): [string, string][] => (secret === undefined ? [] : [[identityOf(secret), name]])),
  );
  const taken = new Set(used.map(({ name }) => name));
  const unnamed = groupBy(
    needed.filter(({ secret }) => !names.has(identityOf(secret))),
    ({ secret }) => identityOf(secret),
  );
  const firsts = [...unnamed.values()].map((all) => [...all].sort(byKey)[0] as NeededSecret).sort(byKey);
  for (const [base, group] of groupBy(firsts, ({ secret }) => baseOf(secret))) {
    for (const { secret, key } of group) {
      const isAlone = group.length === 1 && !taken.has(base);
      const wish = isAlone || secret.kind === 'password' ? base : `${base}_${upperSnakeOf(key)}`;
      names.set(identityOf(secret), takeVariable(wish, taken));
    }
  }
  return names;
}

function byKey(a: NeededSecret, b: NeededSecret): number {
  return byCodeUnit(a.key, b.key) || byCodeUnit(identityOf(a.secret), identityOf(b.secret));
}

function takeVariable(wish: string, taken: Set<string>): string {
  let name = wish;
  for (let number = 2; taken.has(name); number += 1) name = `${wish}_${number}`;
  taken.add(name);
  return name;
}

/** `SFTP_EXAMPLE_COM_ALMANAC_PASSWORD` for `almanac` at `sftp.example.com`; `HOOKS_EXAMPLE_COM_TOKEN`; `SLACK_HOOK`; `HOOKS_EXAMPLE_COM_PATH`. */
function baseOf(secret: ImportedSecret): string {
  switch (secret.kind) {
    case 'password':
      return nameOf('SFTP', `${secret.host} ${secret.username}`, 'PASSWORD');
    case 'parameter':
      return nameOf('WEBHOOK', secret.host, upperSnakeOf(secret.parameter));
    case 'hook':
      return `${upperSnakeOf(secret.service)}_HOOK`;
    case 'random':
      return nameOf('WEBHOOK', secret.host, 'PATH');
  }
}

function nameOf(prefix: string, owner: string, noun: string): string {
  const name = [upperSnakeOf(owner), noun].filter((text) => text !== '').join('_');
  return /^[A-Z]/.test(name) && !isReservedVariable(name) ? name : `${prefix}_${name}`;
}

function upperSnakeOf(text: string): string {
  return kebabOf(text).replaceAll('-', '_').toUpperCase();
}
