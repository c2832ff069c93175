// The environment in which git runs: what users set for connections stays, what points git at another repository or
// makes it run programs goes. Settings are handed over here too, because the list of processes shows every argument.

import { dirname } from 'node:path';
import { type Environment, environmentForPrograms } from '../host.ts';

export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Of git's own variables, those about connections and about where its configuration is. */
const kept =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;

/** Set for every run, after all others. */
export const safeSettings: readonly Setting[] = [
  { key: 'core.hooksPath', value: '/dev/null' },
  { key: 'core.fsmonitor', value: 'false' },
  { key: 'safe.bareRepository', value: 'explicit' },
  { key: 'fetch.fsckObjects', value: 'true' },
  { key: 'fetch.recurseSubmodules', value: 'false' },
  { key: 'fetch.writeCommitGraph', value: 'false' },
  { key: 'fetch.prune', value: 'false' },
  { key: 'transfer.bundleURI', value: 'false' },
  { key: 'submodule.recurse', value: 'false' },
  { key: 'push.recurseSubmodules', value: 'no' },
  { key: 'push.gpgSign', value: 'false' },
  { key: 'push.followTags', value: 'false' },
  { key: 'push.negotiate', value: 'false' },
  // Empties the list of options that the user's own configuration would send.
  { key: 'push.pushOption', value: '' },
  { key: 'gc.auto', value: '0' },
  { key: 'maintenance.auto', value: 'false' },
];

/** Without git's variables about a repository, and with answers that are always in English. */
export function baseEnvironment(environment: Environment, folder: string): Environment {
  const inherited = Object.entries(environmentForPrograms(environment)).filter(
    ([name]) => !name.startsWith('GIT_') || kept.test(name),
  );
  return {
    GCM_INTERACTIVE: 'never',
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'https:ssh:file',
    // Nothing is taken for a repository because it is above the temporary folder.
    GIT_CEILING_DIRECTORIES: dirname(folder),
  };
}

/** Adds settings after those that the environment already holds, so that they are the last word. */
export function withSettings(environment: Environment, settings: readonly Setting[]): Environment {
  const count = Number(environment['GIT_CONFIG_COUNT'] || '0');
  const before = Number.isInteger(count) && count > 0 ? count : 0;
  const added = settings.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...environment, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(before + settings.length) };
}
