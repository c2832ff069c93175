// Parses the answers and options of `almanac init`. Throws a Failure with the reason if one is not accepted.

import { nearest } from '../../declare/findings/suggest.ts';
import { normaliseBaseUrl } from '../../declare/parse-config.ts';
import { timeZoneFault } from '../../declare/rules/time-zones.ts';
import { freeMailDomains } from '../../model/values/free-mail.ts';
import { baseUrlFault, isLoopback } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { inBrackets, isSafePlain } from '../../yaml/format/print-string.ts';

/** A host alone is enough: nobody types https:// in front of it. */
export function readBaseUrl(text: string): string {
  const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?:\/.*)?$/i.test(text.trim());
  const url = normaliseBaseUrl(isHost ? `https://${text.trim()}` : text);
  const fault = baseUrlFault(url) ?? clearTextFault(new URL(url));
  if (fault === undefined) return url;
  const hint = fault.includes('; write') ? undefined : 'Write it like acme.omniapp.co.';
  throw new Failure('usage', `The Omni address ${fault}`, { hint });
}

/** Every command but `apply --allow http` refuses such an address, so a new workspace does not begin with it. */
function clearTextFault({ protocol, hostname }: URL): string | undefined {
  return protocol === 'http:' && !isLoopback(hostname)
    ? 'is not HTTPS: the token would travel unencrypted.'
    : undefined;
}

export function readTimeZone(name: string): string {
  const fault = timeZoneFault(name);
  if (fault === undefined) return name;
  throw new Failure('usage', fault.message, { hint: fault.hint });
}

/** Each domain once, also from an address; one where anybody may have a mailbox would make strangers colleagues. */
export function readDomains(given: readonly string[]): readonly string[] {
  const domains = given.flatMap(splitWords).map((word) => word.slice(word.lastIndexOf('@') + 1).toLowerCase());
  for (const name of domains) {
    if (freeMailDomains.has(name) || /(?:^|[.])noreply[.]/.test(name))
      throw new Failure('usage', `Anybody can have an address at ${name}, so it is not a domain of your own.`);
    if (!/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]*$/u.test(name))
      throw new Failure('usage', `\`${name}\` is not a domain.`, { hint: 'Write it like acme.com.' });
  }
  return unique(domains);
}

/** `1 github, 2 gitlab, 3 none`. */
export function numbered(choices: readonly string[]): string {
  return choices.map((choice, index) => `${index + 1} ${choice}`).join(', ');
}

/** Chosen by its number or by itself. */
export function oneOf<T extends string>(word: string, choices: readonly T[]): T {
  const found = choices.find((choice, index) => choice === word.toLowerCase() || word === String(index + 1));
  if (found !== undefined) return found;
  const near = nearest(word, choices);
  const hint = near && `Did you mean \`${near}\`?`;
  throw new Failure('usage', `\`${word}\` is not one of ${choices.join(', ')}.`, { hint });
}

/** Each once, separated by spaces or commas. */
export function choicesIn<T extends string>(text: string, choices: readonly T[]): readonly T[] {
  return unique(splitWords(text).map((word) => oneOf(word, choices)));
}

/** The names become parts of file names and of variables, in which upper and lower case or - and _ are the same. */
export function readEnvironments(given: readonly string[]): readonly string[] {
  const names = unique(given.flatMap(splitWords));
  for (const name of names) {
    // almanac.yaml and the files of jobs name it without quotes.
    if (!isSafePlain(name, inBrackets) || !/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
      throw new Failure('usage', `\`${name}\` cannot be the name of an environment.`, {
        hint: 'Begin with a letter, and go on with letters, digits, `-` or `_`: `dev`, `prod-eu`.',
      });
    const same = names.find((other) => other !== name && folded(other) === folded(name));
    if (same !== undefined)
      throw new Failure(
        'usage',
        `\`${name}\` and \`${same}\` cannot both be environments: only spelling tells them apart.`,
      );
  }
  return names;
}

export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function splitWords(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
