// Secrets of imported schedules as references to environment variables. Omni returns the URL of a webhook with whatever
// is secret in it; the file holds the variable instead, and says where people find its value.

import { secretsInUrl, type UrlSecret } from '../../model/values/url-secrets.ts';
import { parseUrl } from '../../model/values/urls.ts';
import type { FieldDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../yaml/escape-interpolation.ts';
import type { ImportedSecret } from './name-variables.ts';

/** The variable of a secret. */
export type VariableOf = (secret: ImportedSecret) => string;

/** The password of a user at a server; Omni never returns it. */
export function passwordReference(name: string, host: string, username: string, variableOf: VariableOf): FieldDraft {
  const variable = variableOf({ kind: 'password', host, username });
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

/** The secret that a part of a URL is. */
export function secretOf(url: string, { parameter, service, start, end }: UrlSecret): ImportedSecret {
  const host = parseUrl(url)?.hostname ?? '';
  const value = url.slice(start, end);
  if (parameter !== undefined) return { kind: 'parameter', host, parameter, value };
  return service === undefined ? { kind: 'random', host, value } : { kind: 'hook', service, host, value };
}

/** No other secret comes before that of a path. */
function partOfUrl(url: string, { parameter, start, end }: UrlSecret): string {
  if (parameter !== undefined) return `the value of \`${parameter}\``;
  const rest = url.slice(end).replace(/[?#].*/s, '');
  const until = rest === '' ? '' : ` up to ${rest}`;
  return `what follows ${url.slice(0, start)}${until}`;
}
