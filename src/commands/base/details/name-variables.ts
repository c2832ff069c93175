// The environment variables of imported secrets: one for each password of a user at a server, and for each secret of a
// URL. Schedules that share the secret share the variable. The order of the secrets does not matter, and a variable that
// the workspace uses already for a secret is used for it again.

import { isReservedVariable } from '../../../model/fields/reserved-variables.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { byCodeUnit } from '../../../model/values/json.ts';
import { parseUrl, secretsInUrl, type UrlSecret } from '../../../model/values/urls.ts';
import { kebabOf } from '../../../model/values/words.ts';
import type { FieldDraft } from '../../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../../yaml/escape-interpolation.ts';

export type ImportedSecret =
  | { readonly kind: 'password'; readonly address: string; readonly username: string }
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
      ? [secret.address.toLowerCase(), secret.username]
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
      const wish = isAlone || secret.kind === 'password' ? base : `${base}_${wordsOf(key)}`;
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
      return nameOf('SFTP', `${secret.address} ${secret.username}`, 'PASSWORD');
    case 'parameter':
      return nameOf('WEBHOOK', secret.host, wordsOf(secret.parameter));
    case 'hook':
      return `${wordsOf(secret.service)}_HOOK`;
    case 'random':
      return nameOf('WEBHOOK', secret.host, 'PATH');
  }
}

function nameOf(prefix: string, owner: string, noun: string): string {
  const name = [wordsOf(owner), noun].filter((text) => text !== '').join('_');
  return /^[A-Z]/.test(name) && !isReservedVariable(name) ? name : `${prefix}_${name}`;
}

function wordsOf(text: string): string {
  return kebabOf(text).replaceAll('-', '_').toUpperCase();
}

// Secrets of imported schedules as references to environment variables. Omni returns the URL of a webhook with whatever
// is secret in it; the file holds the variable instead, and says where people find its value.

/** The variable of a secret. */
export type VariableOf = (secret: ImportedSecret) => string;

/** The password of a user at a server; Omni never returns it. */
export function passwordReference(name: string, address: string, username: string, variableOf: VariableOf): FieldDraft {
  const variable = variableOf({ kind: 'password', address, username });
  const comment = `Omni never returns it: set ${variable} where almanac apply runs, or remove this line if the user has none.`;
  return { name, value: `\${env.${variable}}`, comment };
}

/** A URL without its secrets. Undefined where it holds none. */
export function urlReference(
  name: string,
  url: string,
  variableOf: VariableOf,
): FieldDraft | { readonly reason: string } | undefined {
  const found = secretsInUrl(url);
  if (found.length === 0) return undefined;
  if (found.some(({ kind }) => kind === 'user-information')) {
    return {
      reason: `Its \`${name}\` has a user or a password before the host, where no variable can hide it. Move it to the path or the query in Omni, and import again.`,
    };
  }
  let value = '';
  let last = 0;
  const comments: string[] = [];
  for (const part of found) {
    const secret = secretOf(url, part);
    const variable = variableOf(secret);
    value += `${plain(url.slice(last, part.start))}\${env.${variable}}`;
    last = part.end;
    comments.push(`${variable} to ${placeOf(url, part)}`);
  }
  return {
    name,
    value: value + plain(url.slice(last)),
    comment: `Set ${comments.join(', and ')} in the URL. Omni shows it where the schedule is edited.`,
  };
}

function plain(text: string): string {
  return String(escapeInterpolation(text));
}

/** The secret that a part of a URL is. */
export function secretOf(url: string, { parameter, service, start, end }: UrlSecret): ImportedSecret {
  const host = parseUrl(url)?.hostname ?? '';
  const value = url.slice(start, end);
  if (parameter !== undefined) return { kind: 'parameter', host, parameter, value };
  return service === undefined ? { kind: 'random', host, value } : { kind: 'hook', service, host, value };
}

/** No other secret comes before that of a path. */
function placeOf(url: string, { parameter, start, end }: UrlSecret): string {
  if (parameter !== undefined) return `the value of \`${parameter}\``;
  const rest = url.slice(end).replace(/[?#].*/s, '');
  const until = rest === '' ? '' : ` up to ${rest}`;
  return `what follows ${url.slice(0, start)}${until}`;
}

/** Whether any text of an answer is a URL with a secret. */
export function holdsUrlSecret(answer: unknown): boolean {
  if (typeof answer === 'string') return secretsInUrl(answer).length > 0;
  return typeof answer === 'object' && answer !== null && Object.values(answer).some(holdsUrlSecret);
}
