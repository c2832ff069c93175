// Whether every secret that the declarations name is set here, and whether their fingerprints can be compared.

import type { State } from '../../model/plan/state.ts';
import type { Config } from '../../model/workspace/config.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { Loaded } from '../load/load.ts';
import type { Environment } from '../load/load-config.ts';
import { secretsOf, unsetVariables } from '../propose/fingerprint-secrets.ts';
import { keyingOf } from '../propose/secret-keys.ts';
import { failed, passed, skipped, together, type Verdict, warned } from './verdict.ts';

export interface SecretsFacts {
  readonly loaded: Loaded;
  readonly config: Config;
  readonly environment: Environment;
  readonly state: State | undefined;
  /** Whether everything could be read: else some names may be missing. */
  readonly isWhole: boolean;
}

export function checkSecrets(facts: SecretsFacts): Verdict {
  const { loaded, environment, isWhole } = facts;
  const unset = unsetVariables(loaded.desired, environment);
  if (unset.length > 0) {
    const names = unset.map(({ name, addresses }) => `${name} (${countOf(addresses.length, 'resource')})`);
    return failed(
      `Not set, or empty: ${names.join(', ')}.`,
      `Set ${names.length === 1 ? 'it' : 'them'} where almanac apply runs.`,
    );
  }
  if (!isWhole) return skipped('Not every declaration could be read: see the configuration.');
  const set = new Set(secretsOf(loaded.desired).flatMap(({ variables }) => variables)).size;
  const found = passed(
    set === 0 ? 'The declarations need none.' : `${countOf(set, 'variable')} ${set === 1 ? 'is' : 'are'} set.`,
  );
  return together([found, ...otherKey(facts)]);
}

function otherKey({ loaded, config, state }: SecretsFacts): readonly Verdict[] {
  const { operations } = config.api;
  const { findings } = keyingOf({
    state,
    salt: state?.salt ?? '',
    key: loaded.stateKey,
    operations,
    resends: false,
  });
  return findings.map(({ message, hint = '' }) => warned(message, hint));
}
