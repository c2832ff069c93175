// Finds secrets that are written in a file, also as part of a URL. The history of a repository keeps each forever.

import { secretFieldsOf, urlFieldsOf } from '../../model/fields/fields.ts';
import { command } from '../../model/values/command.ts';
import { hookWords, secretsInUrl, type UrlSecret } from '../../model/values/url-secrets.ts';
import { fieldText, type ReferredAt, type Rule } from '../findings/rule.ts';

export const secretsComeFromOutside: Rule = ({ kind, value, fromEnvironment, referredAt }) =>
  secretFieldsOf[kind]
    .filter((name) => fieldText(value, name) && !fromEnvironment.has(`/${name}`))
    .map((name) => ({
      code: 'secret-in-plain-text',
      message: `${name} is written in the file, so everyone who can read the repository can read it, now and in its history.`,
      hint: `${wayOut(referredAt(`/${name}`)) ?? `Write \`${name}: \${env.NAME}\``}, set the variable where ${command('apply')} runs, and replace the secret.`,
      pointer: `/${name}`,
      at: 'key',
    }));

/** A URL with a part from the environment is not judged: it does not show which part that is. */
export const urlsHoldNoSecret: Rule = ({ kind, value, fromEnvironment, referredAt }) =>
  urlFieldsOf[kind].flatMap((name) => {
    const url = fieldText(value, name);
    if (url === undefined || fromEnvironment.has(`/${name}`)) return [];
    return secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `${name} contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: `${wayOut(referredAt(`/${name}`)) ?? 'Write `${env.NAME}` for a secret in the path or the query'}, set the variable where ${command('apply')} runs, and replace the secret.`,
      pointer: `/${name}`,
      at: 'key' as const,
    }));
  });

/** One variable in the declaration would be the secret of all items, so each item of a loop names its own. */
function wayOut(referred: ReturnType<ReferredAt>): string | undefined {
  if (referred?.place.kind !== 'item') return undefined;
  return referred.place.part === 'cell'
    ? 'A table holds no secrets: use `forEach` instead of `forEachRow`, with `${env.NAME}` in each item'
    : 'Write `${env.NAME}` into the item, with a name for each item';
}

/** Words for the parts, without the secret. */
export function secretPartsOf(url: string): readonly string[] {
  return [...new Set(secretsInUrl(url).map(inWords))];
}

function inWords({ kind, parameter, service }: UrlSecret): string {
  switch (kind) {
    case 'user-information':
      return 'user information before the host';
    case 'parameter':
      return `the query parameter \`${parameter}\``;
    case 'hook':
      return `the path of ${hookWords(service ?? '')}, which is a secret`;
    case 'random':
      return 'a part of the path that looks like a token';
  }
}
