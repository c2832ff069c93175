// How a command reaches the service. Commands that do not change the state retry as often as apply does by default.

import type { ServiceOptions } from '../../engine/service/service.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { World } from './world.ts';

type Limits = Pick<ServiceOptions, 'allowHttp' | 'maxAttempts' | 'maxWait'>;

const usual: Limits = { allowHttp: false, maxAttempts: 5, maxWait: 120 };

interface WaitReporter {
  emit(event: { readonly type: 'waiting'; readonly seconds: number; readonly why: string }): void;
}

/** `config` is undefined where almanac.yaml has errors. */
export function serviceOptions(
  { environment, connect, clock, signal }: World,
  config: Config | undefined,
  reporter: WaitReporter,
  limits: Limits = usual,
): ServiceOptions {
  const onWait = (seconds: number, why: string) => reporter.emit({ type: 'waiting', seconds, why });
  return { config, environment, connect, clock, signal, onWait, ...limits };
}
