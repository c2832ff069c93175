// What a question or an option of `almanac init` accepts: the value that is meant, or a Failure with the reason.

import { timeZoneNames } from '../../cron/zones/time-zone.ts';
import { nearest } from '../../declare/findings/suggest.ts';
import { normaliseBaseUrl } from '../../declare/parse-config.ts';
import { timeZoneFault } from '../../declare/rules/time-zone.ts';
import { baseUrlFault, isLoopback } from '../../model/workspace/base-url-fault.ts';
import { Failure } from '../../model/workspace/failure.ts';

/** A host alone is enough: nobody types https:// in front of it. */
export function readBaseUrl(text: string): string {
  const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?:\/.*)?$/i.test(text.trim());
  const url = normaliseBaseUrl(isHost ? `https://${text.trim()}` : text);
  const fault = baseUrlFault(url) ?? clearTextFault(new URL(url));
  if (fault === undefined) return url;
  throw new Failure('usage', `The Omni address ${fault}`, { hint: 'Write it like acme.omniapp.co.' });
}

/** Every command but `apply --allow-http` refuses such an address, so a new workspace does not begin with it. */
function clearTextFault({ protocol, hostname }: URL): string | undefined {
  return protocol === 'http:' && !isLoopback(hostname)
    ? 'is not HTTPS: the token would travel unencrypted.'
    : undefined;
}

export function readTimeZone(name: string): string {
  const fault = timeZoneFault(name, (wrong) => nearest(wrong, timeZoneNames()));
  if (fault === undefined) return name;
  throw new Failure('usage', fault.message, { hint: fault.hint });
}

export function oneOf<T extends string>(word: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === word.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(word, choices);
  throw new Failure('usage', `\`${word}\` is not one of ${choices.join(', ')}.`, {
    ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
  });
}

/** Each once; between them spaces or commas. */
export function someOf<T extends string>(text: string, choices: readonly T[]): readonly T[] {
  return unique(wordsOf(text).map((word) => oneOf(word, choices)));
}

/** The names become parts of file names and of variables, in which upper and lower case or - and _ are the same. */
export function readEnvironments(given: readonly string[]): readonly string[] {
  const names = unique(given.flatMap(wordsOf));
  for (const name of names) {
    const isWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name);
    if (isWord || !/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
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

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
