// The secrets of imported schedules, as references to environment variables. Omni returns the URL of a webhook with whatever is
// secret in it, and never a password: the file holds the variable, and says where people find its value. Schedules that share
// a secret share the variable, and one that the workspace uses already for a secret is used for it again.

import type { Environment } from '../../declare/load/load-config.ts';
import { hostOf } from '../../model/fields/receiver.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { isReservedVariable } from '../../model/values/references.ts';
import { Secret } from '../../model/values/secret.ts';
import { hookWords, secretsInUrl, type UrlSecret } from '../../model/values/url-secrets.ts';
import { parseUrl } from '../../model/values/urls.ts';
import { kebabOf } from '../../model/values/words.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import type { FieldDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import { takeName } from '../base/kebab.ts';
import { byNature } from './choose-keys.ts';
import type { ImportedVariable } from './import-document.ts';

/** The variable is named after its owner and its noun. */
export interface ImportedSecret {
  /** The owner of the secret: a host, with the user where it has one, or a service that people know. */
  readonly owner: string;
  readonly noun: string;
  /** Undefined for a password, which Omni never returns. */
  readonly value: string | undefined;
  /** A description without the secret itself. */
  readonly words: string;
}

export interface NamedSecret {
  readonly variable: string;
  readonly secret: ImportedSecret;
}

export type VariableOf = (secret: ImportedSecret) => string;

export function passwordOf(host: string, username: string): ImportedSecret {
  const owner = `${host.toLowerCase()} ${username}`;
  return { owner, noun: 'PASSWORD', value: undefined, words: `the password of ${username} at ${host}` };
}

export function secretOf(url: string, { parameter, service, start, end }: UrlSecret): ImportedSecret {
  const host = parseUrl(url)?.hostname ?? '';
  const value = url.slice(start, end);
  if (parameter !== undefined)
    return { owner: host, noun: parameter, value, words: `\`${parameter}\` of a URL at ${host}` };
  return service === undefined
    ? { owner: host, noun: 'PATH', value, words: `the part of a URL at ${host} that looks like a token` }
    : { owner: service, noun: 'HOOK', value, words: `the end of the URL of ${hookWords(service)}` };
}

/** The password of a user at a server. */
export function passwordReference(name: string, host: string, username: string, variableOf: VariableOf): FieldDraft {
  const variable = variableOf(passwordOf(host, username));
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
    const variable = variableOf(secretOf(url, part));
    value += `${plain(url.slice(last, part.start))}\${env.${variable}}`;
    last = part.end;
    comments.push(`${variable} to ${partOfUrl(url, part)}`);
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

/** No other secret comes before that of a path. */
function partOfUrl(url: string, { parameter, start, end }: UrlSecret): string {
  if (parameter !== undefined) return `the value of \`${parameter}\``;
  const rest = url.slice(end).replace(/[?#].*/s, '');
  const until = rest === '' ? '' : ` up to ${rest}`;
  return `what follows ${url.slice(0, start)}${until}`;
}

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

/** A key that is equal for two uses of the same secret. */
export function identityOf({ owner, noun, value }: ImportedSecret): string {
  return JSON.stringify([owner, noun, value]);
}

/** By identity. The order of the secrets does not matter. */
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
      const wish = isAlone || secret.value === undefined ? base : `${base}_${upperSnakeOf(key)}`;
      names.set(
        identityOf(secret),
        takeName([wish], taken, (name, number) => `${name}_${number}`),
      );
    }
  }
  return names;
}

function byKey(a: NeededSecret, b: NeededSecret): number {
  return byCodeUnit(a.key, b.key) || byCodeUnit(identityOf(a.secret), identityOf(b.secret));
}

/** `SFTP_EXAMPLE_COM_ALMANAC_PASSWORD` for `almanac` at `sftp.example.com`; `HOOKS_EXAMPLE_COM_TOKEN`; `SLACK_HOOK`; `HOOKS_EXAMPLE_COM_PATH`. */
function baseOf({ owner, noun, value }: ImportedSecret): string {
  const name = [owner, noun]
    .map(upperSnakeOf)
    .filter((text) => text !== '')
    .join('_');
  const prefix = value === undefined ? 'SFTP' : 'WEBHOOK';
  return /^[A-Z]/.test(name) && !isReservedVariable(name) ? name : `${prefix}_${name}`;
}

function upperSnakeOf(text: string): string {
  return kebabOf(text).replaceAll('-', '_').toUpperCase();
}

/** The variables that people must set, each once, sorted by name. */
export function variablesOf(
  schedules: readonly { readonly address: Address; readonly secrets: readonly NamedSecret[] }[],
): readonly ImportedVariable[] {
  const uses = schedules.flatMap(({ address, secrets }) => secrets.map((each) => ({ ...each, address })));
  return [...groupBy(uses, ({ variable }) => variable)]
    .map(([name, uses]): ImportedVariable => {
      const { value, words: holds } = uses[0].secret;
      const kind = value === undefined ? 'password' : 'url';
      return { name, kind, holds, schedules: uses.map(({ address }) => address) };
    })
    .sort((a, b) => byNature(a.name, b.name));
}

/** The variables of declarations that stay. */
export function variablesInUse(resources: readonly Resource[], environment: Environment): readonly UsedVariable[] {
  return resources.flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([field, value]) =>
      value instanceof Secret
        ? value.variables.map((name) => ({ name, secret: secretBehind(field, value, name, attributes, environment) }))
        : [],
    ),
  );
}

/** Undefined if a variable is only part of a value, or its value is not known. */
function secretBehind(
  field: string,
  value: Secret,
  variable: string,
  { address, username }: DeclaredObject,
  environment: Environment,
): ImportedSecret | undefined {
  if (field === 'passwordUnencrypted') {
    if (typeof address !== 'string' || typeof username !== 'string' || value.shown !== `\${env.${variable}}`)
      return undefined;
    return passwordOf(hostOf(address) ?? address, username);
  }
  const url = value.reveal() ?? '';
  const part = secretsInUrl(url).find(({ start, end }) => url.slice(start, end) === environment(variable));
  return part === undefined || part.kind === 'user-information' ? undefined : secretOf(url, part);
}
