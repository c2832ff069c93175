// The variable that holds the token of a run, and all tokens to mask.

import { type Environment, tokenVariables } from '../declare/load/load-config.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface TokenSource {
  /** The environment variable that holds it. */
  readonly variable: string;
  readonly token: string;
}

/** Throws Failure missing-token, and usage for a list of tokens. */
export function tokenSource(config: Config, environment: Environment): TokenSource {
  const names = tokenVariables(config);
  const [source] = names.flatMap((variable) => sourceIn(variable, environment));
  if (source?.token.includes(','))
    throw new Failure('usage', `${source.variable} contains a comma. A run uses one token, and no list.`, {
      hint: 'Keep one of the tokens in it. Nothing was sent.',
    });
  if (source !== undefined) return source;
  throw new Failure(
    'missing-token',
    `No API token: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set.`,
    { hint: `Set ${names[0]} to an API key of your Omni organization. Nothing was sent.` },
  );
}

/** All tokens that are set, whichever is used. A list is refused, but each token in it is still a secret. */
export function tokensIn(config: Config, environment: Environment): readonly string[] {
  return tokenVariables(config)
    .flatMap((variable) => sourceIn(variable, environment))
    .flatMap(({ token }) => [token, ...token.split(',').map((part) => part.trim())])
    .filter((token) => token !== '');
}

function sourceIn(variable: string, environment: Environment): readonly TokenSource[] {
  const token = (environment(variable) ?? '').trim();
  return token === '' ? [] : [{ variable, token }];
}
