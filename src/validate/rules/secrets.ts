// A password in a file stays in the history of the repository forever, also as a part of a URL.

import { secretFieldsOf } from '../../model/fields/fields.ts';
import { parseUrl } from '../../model/values/parse-url.ts';
import { type Rule, textOf } from '../findings/rule.ts';

export const secretsComeFromOutside: Rule = ({ kind, value, fromEnvironment }) =>
  secretFieldsOf[kind]
    .filter((name) => textOf(value, name) && !fromEnvironment.has(`/${name}`))
    .map((name) => ({
      code: 'secret-in-plain-text',
      message: `${name} is written in the file, so everyone who can read the repository can read it, now and in its history.`,
      hint: `Write \`${name}: \${env.NAME}\`, set the variable where almanac apply runs, and replace the secret.`,
      pointer: `/${name}`,
      at: 'key',
    }));

const urlFields = { schedule: ['url'], aiJob: ['webhookUrl'], dashboard: [] } as const;
const secretParameter = /^(?:.*[-_.])?(?:token|key|secret|sig|password)$/i;

/** A URL with a part from the environment is not judged: it does not show which part that is. */
export const urlsHoldNoSecret: Rule = ({ kind, value, fromEnvironment }) =>
  urlFields[kind].flatMap((name) => {
    const url = textOf(value, name);
    if (url === undefined || fromEnvironment.has(`/${name}`)) return [];
    return secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `${name} contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Write `${env.NAME}` for a secret in the path or the query, set the variable where almanac apply runs, and replace the secret.',
      pointer: `/${name}`,
      at: 'key' as const,
    }));
  });

/** In words, without the secret. */
function secretPartsOf(text: string): readonly string[] {
  const url = parseUrl(text);
  if (url === undefined) return [];
  const names = [...url.searchParams].flatMap(([key, value]) => (value !== '' && secretParameter.test(key) ? key : []));
  const isSlackHook = url.hostname === 'hooks.slack.com' && url.pathname.split('/').filter(Boolean).length > 1;
  return [
    ...(url.username + url.password === '' ? [] : ['user information before the host']),
    ...[...new Set(names)].map((key) => `the query parameter \`${key}\``),
    ...(isSlackHook ? ['the path of a Slack hook, which is a secret'] : []),
  ];
}
