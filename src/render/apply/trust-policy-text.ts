// What is left to do after a first delivery to S3: the role that writes to the bucket must trust Omni's. The service
// names the role to trust only in its answer to the create.

import type { ApplyResult } from '../../model/plan/apply-outcome.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import type { Page } from '../text/field-lines.ts';
import { renderJson } from '../text/render-json.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

interface Trust {
  readonly role: string;
  readonly deliverer: string;
  readonly externalId: string;
  readonly addresses: string[];
}

/** A block for each role that has to trust someone. */
export function trustPolicyBlocks(
  page: Page,
  results: readonly ApplyResult[],
  attributesOf: (address: string) => JsonObject | undefined,
): readonly (readonly string[])[] {
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
  return [...trusts.values()].map((trust) => trustLines(page, trust));
}

function trustLines({ theme, width }: Page, { role, deliverer, externalId, addresses }: Trust): readonly string[] {
  const users = [...addresses.slice(0, 3), ...(addresses.length > 3 ? [`${addresses.length - 3} more`] : [])];
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: deliverer },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  };
  return [
    ...wrap(safeText(`To do: let Omni assume ${role}`), width).map(theme.strong),
    ...wrap(
      `${safeText(users.join(', '))} can deliver once the trust policy of that role holds this statement:`,
      width,
      '  ',
    ),
    '',
    ...renderJson(statement).trimEnd().split('\n'),
  ];
}

function stringIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
