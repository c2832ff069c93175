// Online checks: the declarations compared with what exists in the service.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkAgainstService } from '../../validate/online/check-against-service.ts';
import { referencesOf } from '../../validate/online/dashboard-references.ts';
import type { Loaded } from '../load/load.ts';
import { checkAccess } from '../owners/check-access.ts';
import { checkOwners } from '../owners/check-owners.ts';
import { observeReferences } from './observe-references.ts';
import type { Service } from './service.ts';

export interface OnlineOptions {
  readonly loaded: Loaded;
  readonly service: Service;
}

export interface OnlineOutcome {
  readonly findings: readonly Finding[];
  /** Repeats included. */
  readonly requests: number;
}

/**
 * Throws Failure missing-token, and what the api throws, with the words that nothing was checked. The failure carries
 * the findings of the files, so that these are not lost.
 */
export async function checkOnline(options: OnlineOptions): Promise<OnlineOutcome> {
  try {
    return await checked(options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint, cause } = error;
    const { loaded } = options;
    throw new Failure(code, code.startsWith('api-') ? `The online checks could not be made. ${message}` : message, {
      ...(hint === undefined ? {} : { hint }),
      ...(cause === undefined ? {} : { cause }),
      findings: loaded.findings,
      source: loaded,
    });
  }
}

async function checked({ loaded, service }: OnlineOptions): Promise<OnlineOutcome> {
  const { config } = loaded;
  // Errors in almanac.yaml have findings of their own.
  if (config === undefined) return { findings: [], requests: 0 };
  const sentBefore = service.sent();
  const outcome = (findings: readonly Finding[]) => ({ findings, requests: service.sent() - sentBefore });
  // Throws where there is no token, before anything is sent.
  service.token();
  const { findings: owners, present } = await checkOwners(loaded.desired.resources, service);
  const declared = loaded.desired.resources.flatMap((resource) => referencesOf(resource) ?? []);
  if (declared.length === 0) return outcome(owners);
  const view = await observeReferences({ declared, operations: config.api.operations, service });
  const owned = present.flatMap((each) => {
    const identifier = referencesOf(each.resource)?.identifier.id;
    return identifier === undefined ? [] : [{ ...each, identifier }];
  });
  const access = await checkAccess(owned, view.documents, service);
  return outcome([...checkAgainstService(declared, view), ...owners, ...access]);
}
