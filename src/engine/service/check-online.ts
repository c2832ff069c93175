// Online checks: the declarations compared with what exists in the service. Answers of the last few minutes count,
// unless they show an error: then the service is asked again, because somebody may have fixed it in Omni meanwhile.

import { createHash } from 'node:crypto';
import type { KnownDocument } from '../../model/service/service-view.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Clock } from '../../ports/clock.ts';
import { checkAgainstService } from '../../validate/online/check-against-service.ts';
import { referencesOf } from '../../validate/online/dashboard-references.ts';
import type { Loaded } from '../load/load.ts';
import { checkAccess } from '../owners/check-access.ts';
import { checkOwners } from '../owners/check-owners.ts';
import { observeReferences } from './observe-references.ts';
import type { Service } from './service.ts';
import { readServiceCache, type ServiceCache, writeServiceCache } from './service-cache.ts';

export interface OnlineOptions {
  readonly loaded: Loaded;
  readonly service: Service;
  /** Undefined with --no-cache. */
  readonly cache: Cache | undefined;
  readonly clock: Clock;
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

async function checked(options: OnlineOptions): Promise<OnlineOutcome> {
  const { loaded, service, cache, clock } = options;
  const { config } = loaded;
  // Errors in almanac.yaml have findings of their own.
  if (config === undefined) return { findings: [], requests: 0 };
  const tokens = service.tokens();
  const sentBefore = service.sent();
  const { findings: owners, present } = await checkOwners(loaded.desired.resources, service);
  const declared = loaded.desired.resources.flatMap((resource) => referencesOf(resource) ?? []);
  if (declared.length === 0) return { findings: owners, requests: service.sent() - sentBefore };
  const { operations, baseUrl } = config.api;
  let documents: readonly KnownDocument[] = [];
  const check = async (known: ServiceCache): Promise<readonly Finding[]> => {
    const now = () => clock.now();
    const view = await observeReferences({ declared, operations, service, cache: known, now });
    documents = view.documents;
    return checkAgainstService(declared, view);
  };
  const key = keyOf(baseUrl, tokens);
  const known = readServiceCache(await cache?.read(key), clock.now());
  const isKnown = known.documents !== undefined || known.ids.size + known.queries.size > 0;
  let latest = known;
  let findings = await check(known);
  if (isKnown && hasErrors(findings)) {
    latest = readServiceCache(undefined, clock.now());
    findings = await check(latest);
  }
  const owned = present.flatMap((each) => {
    const identifier = referencesOf(each.resource)?.identifier.id;
    return identifier === undefined ? [] : [{ ...each, identifier }];
  });
  const access = await checkAccess(owned, documents, service);
  const requests = service.sent() - sentBefore;
  if (requests > 0) await cache?.write(key, writeServiceCache(latest));
  return { findings: [...findings, ...owners, ...access], requests };
}

/** One organization, seen with the same rights. The key reveals nothing about a token. */
function keyOf(baseUrl: string | undefined, tokens: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, [...tokens].sort()]))
    .digest('hex');
}
