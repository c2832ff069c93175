// What is left to do after a first delivery to S3: the role that writes to the bucket must trust Omni's. The service
// names the role to trust only in its answer to the create.

import type { ApplyResult } from '../../model/plan/apply-outcome.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { type Block, type Doc, indented, part, strong } from '../../report/doc.ts';
import { renderJson } from '../../report/text/render-json.ts';

interface Trust {
  readonly role: string;
  readonly deliverer: string;
  readonly externalId: string;
  readonly addresses: string[];
}

/** A part for each role that has to trust someone. */
export function trustPolicyDoc(
  results: readonly ApplyResult[],
  attributesOf: (address: string) => JsonObject | undefined,
): Doc {
  const trusts = new Map<string, Trust>();
  for (const { address, outputs } of results) {
    const [deliverer, externalId] = [stringIn(outputs?.['delivererRoleArn']), stringIn(outputs?.['externalId'])];
    if (deliverer === undefined || externalId === undefined) continue;
    const role = stringIn(attributesOf(address)?.['roleArn']) ?? `the role of ${address}`;
    const key = JSON.stringify([role, deliverer, externalId]);
    const trust = trusts.get(key) ?? { role, deliverer, externalId, addresses: [] };
    trust.addresses.push(address);
    trusts.set(key, trust);
  }
  return [...trusts.values()].map(trustPart);
}

function trustPart({ role, deliverer, externalId, addresses }: Trust): Block {
  const users = [...addresses.slice(0, 3), ...(addresses.length > 3 ? [`${addresses.length - 3} more`] : [])];
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: deliverer },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  };
  return part(
    strong(`To do: let Omni assume ${role}`),
    indented(2, `${users.join(', ')} can deliver once the trust policy of that role holds this statement:`),
    part({ verbatim: renderJson(statement).trimEnd().split('\n') }),
  );
}

function stringIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
