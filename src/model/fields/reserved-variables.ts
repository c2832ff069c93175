// Environment variables that no declaration may read: the token of the service, and what a CI job keeps for itself. A
// pull request can change every declaration, so these must not leave the job through one.

import { tokenVariable } from './patterns.ts';

/** Whatever `tokenEnv` may name: a pull request can change that, too. */
const mayHoldToken = new RegExp(tokenVariable);

const prefixes = ['GITHUB_', 'GITLAB_', 'ACTIONS_', 'CI_', 'AWS_', 'PG', 'NPM_', 'NODE_', 'SSH_', 'ALMANAC_'];
const suffix = '_PROXY';
const names: ReadonlySet<string> = new Set(['STATE_PUSH_TOKEN']);

/** Upper and lower case are alike: Windows does not tell them apart, and proxies are read in both. */
export function isReservedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    names.has(upper) ||
    mayHoldToken.test(upper) ||
    upper.endsWith(suffix) ||
    prefixes.some((prefix) => upper.startsWith(prefix))
  );
}
