// The API tokens of a run, from the environment.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Environment } from '../load/load-config.ts';

/** Throws Failure missing-token. */
export function tokensOf({ api: { tokenEnv } }: Config, environment: Environment): readonly string[] {
  const names = tokenEnv === undefined ? ['OMNI_API_TOKEN', 'OMNI_API_KEY'] : [tokenEnv];
  const text = names.map(environment).find((value) => value !== undefined && value.trim() !== '');
  const tokens = (text ?? '')
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  if (tokens.length > 0) return tokens;
  throw new Failure(
    'missing-token',
    `No API token: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set.`,
    { hint: `Set ${names[0]} to an API key of your Omni organization. Nothing was sent.` },
  );
}
