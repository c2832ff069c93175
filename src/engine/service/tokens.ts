// The API tokens of a run, from the environment.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Environment } from '../load/load-config.ts';

export interface TokenSource {
  /** The environment variable that holds them. */
  readonly variable: string;
  /** At least one. */
  readonly tokens: readonly string[];
}

/** Throws Failure missing-token. */
export function tokensOf(config: Config, environment: Environment): readonly string[] {
  return tokenSource(config, environment).tokens;
}

/** Throws Failure missing-token. */
export function tokenSource({ api: { tokenEnv } }: Config, environment: Environment): TokenSource {
  const names = variablesOf(tokenEnv);
  const variable = names.find((name) => (environment(name) ?? '').trim() !== '');
  const tokens = variable === undefined ? [] : split(environment(variable));
  if (variable !== undefined && tokens.length > 0) return { variable, tokens };
  throw new Failure(
    'missing-token',
    `No API token: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set.`,
    { hint: `Set ${names[0]} to an API key of your Omni organization. Nothing was sent.` },
  );
}

/** All tokens that are set, whichever is used. */
export function tokensIn({ api: { tokenEnv } }: Config, environment: Environment): readonly string[] {
  return variablesOf(tokenEnv).flatMap((name) => split(environment(name)));
}

function variablesOf(tokenEnv: string | undefined): readonly string[] {
  return tokenEnv === undefined ? ['OMNI_API_TOKEN', 'OMNI_API_KEY'] : [tokenEnv];
}

function split(text = ''): readonly string[] {
  return text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}
