// How a command reaches the service. Commands that do not change the state retry as often as apply does by default.

import type { Loaded } from '../../engine/load/load.ts';
import { environmentFailure } from '../../engine/load/require-environment.ts';
import { knownSecrets } from '../../engine/propose/known-secrets.ts';
import type { ServiceOptions } from '../../engine/service/service.ts';
import type { World } from './world.ts';

type Limits = Pick<ServiceOptions, 'allowHttp' | 'maxAttempts' | 'maxWait'>;

const usual: Limits = { allowHttp: false, maxAttempts: 5, maxWait: 120 };

type ServiceEvent =
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly type: 'note'; readonly message: string };

interface ServiceReporter {
  emit(event: ServiceEvent): void;
}

/**
 * The configuration is undefined where almanac.yaml has errors. Throws Failure usage where almanac.yaml requires an environment and
 * none is chosen: the last safeguard before a request.
 */
export function serviceOptions(
  { environment, connect, clock, signal }: World,
  loaded: Loaded,
  reporter: ServiceReporter,
  limits: Limits = usual,
): ServiceOptions {
  const { config } = loaded;
  if (config?.environmentRequired && config.environment === undefined)
    throw environmentFailure({ need: 'required', names: config.environments });
  const onWait = (seconds: number, why: string) => reporter.emit({ type: 'waiting', seconds, why });
  const onNote = (message: string) => reporter.emit({ type: 'note', message });
  const secrets = knownSecrets(loaded, environment);
  return { config, environment, secrets, connect, clock, signal, onWait, onNote, ...limits };
}
