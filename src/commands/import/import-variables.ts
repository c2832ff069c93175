// The environment variables of an import: which of them the workspace uses already, and which ones people must set.

import type { Environment } from '../../declare/load/load-config.ts';
import { hostOf } from '../../model/fields/receiver.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { Secret } from '../../model/values/secret.ts';
import { hookWords, secretsInUrl } from '../../model/values/url-secrets.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { byNature } from './choose-keys.ts';
import type { NamedSecret } from './declare-schedule.ts';
import type { ImportedVariable } from './import-document.ts';
import type { ImportedSecret, UsedVariable } from './name-variables.ts';
import { secretOf } from './secret-references.ts';

/** Each variable once, sorted by name. */
export function variablesOf(
  schedules: readonly { readonly address: Address; readonly secrets: readonly NamedSecret[] }[],
): readonly ImportedVariable[] {
  const uses = schedules.flatMap(({ address, secrets }) => secrets.map((each) => ({ ...each, address })));
  const groups = [...groupBy(uses, ({ variable }) => variable)];
  return groups
    .flatMap(([name, uses]): ImportedVariable[] => {
      const [first] = uses;
      if (first === undefined) return [];
      const kind = first.secret.kind === 'password' ? 'password' : 'url';
      return [{ name, kind, holds: wordsOfSecret(first.secret), schedules: uses.map(({ address }) => address) }];
    })
    .sort((a, b) => byNature(a.name, b.name));
}

/** Without the secret itself. */
function wordsOfSecret(secret: ImportedSecret): string {
  switch (secret.kind) {
    case 'password':
      return `the password of ${secret.username} at ${secret.host}`;
    case 'parameter':
      return `\`${secret.parameter}\` of a URL at ${secret.host}`;
    case 'hook':
      return `the end of the URL of ${hookWords(secret.service)}`;
    case 'random':
      return `the part of a URL at ${secret.host} that looks like a token`;
  }
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

/** Undefined where a variable is a part of something else, or its value is not known. */
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
    return { kind: 'password', host: hostOf(address) ?? address, username };
  }
  const url = value.reveal() ?? '';
  const part = secretsInUrl(url).find(({ start, end }) => url.slice(start, end) === environment(variable));
  return part === undefined || part.kind === 'user-information' ? undefined : secretOf(url, part);
}
