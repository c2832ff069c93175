// An apply without files: the configuration, declarations as values, and a request that allows everything.

import type { ApplyRequest } from '../../../src/apply/apply-request.ts';
import type { Loaded } from '../../../src/declare/load/load.ts';
import { kindOf } from '../../../src/model/values/address.ts';
import type { Config, Operations } from '../../../src/model/workspace/config.ts';
import type { DeclaredObject } from '../../../src/model/workspace/resource.ts';
import { type Service, type ServiceOptions, withService } from '../../../src/observe/service.ts';

export const baseUrl = 'https://acme.omniapp.co/api';

export function configOf(operations: Operations = 'full'): Config {
  return {
    api: { baseUrl, operations, rateLimit: 0, concurrency: 2, timeout: 30 },
    sources: [],
    state: { backend: 'local', path: 'almanac.state.json' },
    stateFiles: [{ environment: undefined, path: 'almanac.state.json' }],
    defaults: [],
    variables: {},
    environments: [],
    organizations: [undefined],
    environmentRequired: false,
    safety: { maxDeletePercent: 100, allowOrphans: true, internalDomains: [] },
    checks: {},
    ignore: [],
  };
}

/** By address. */
export function loadedOf(declared: Readonly<Record<string, DeclaredObject>>, operations?: Operations): Loaded {
  const origin = { file: 'schedules/all.yaml', document: 0, pointer: '' };
  const resources = Object.entries(declared).map(([address, attributes]) => ({
    kind: kindOf(address) ?? 'schedule',
    address,
    attributes,
    origin,
    line: 1,
  }));
  const desired = { resources, moves: [], adoptions: [], removals: [] };
  const days = { today: '2026-11-21', ended: 'warns' } as const;
  const parts = { submodules: [], unfetched: [] };
  const files = { files: [], read: [], parts, fileNamed: () => undefined };
  return { config: configOf(operations), desired, findings: [], ...files, days };
}

export const randomness = { uuid: () => 'a-lineage', bytes: () => 'c2FsdA==' };
export const everything = { allow: { empty: true } };

export function requestOf(loaded: Loaded, given: Partial<ApplyRequest> = {}): ApplyRequest {
  return { loaded, allow: { empty: true, orphans: true }, force: true, lockTimeout: 0, ...given };
}

/** With the service of a run. */
export function serve<T>(
  given: Pick<ServiceOptions, 'connect' | 'clock'> & Partial<ServiceOptions>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const environment = (name: string) => (name.startsWith('OMNI') ? 'omni_osk_token' : undefined);
  const limits = { allowHttp: false, maxAttempts: 5, maxWait: 120, signal: undefined, onWait: () => undefined };
  return withService({ config: configOf(), secrets: () => [], environment, ...limits, ...given }, work);
}
