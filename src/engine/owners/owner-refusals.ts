// What speaks against the owners of a plan before anything is sent: nobody has the address, the account is deactivated,
// or the token may not look addresses up.

import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { organizationKeyPrefix } from '../../model/values/organization-key.ts';
import type { Step } from '../../plan/make-step.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import { isAddress, memberAt } from './owner-id.ts';

interface OwnerRefusal {
  readonly code: 'blocked';
  readonly message: string;
  readonly hint: string;
}

interface Owned {
  readonly address: Address;
  readonly owner: string;
}

interface Asking {
  tokens(): readonly string[];
  api(): Promise<Pick<Api, 'listUsers'>>;
  readonly call: CallOptions;
}

/** Sends one request for each address that is not known yet. */
export async function ownerRefusals(steps: readonly Step[], service: Asking): Promise<readonly OwnerRefusal[]> {
  const owned = steps.flatMap(ownedBy);
  if (owned.length === 0) return [];
  if (!service.tokens().every((token) => token.startsWith(organizationKeyPrefix))) return [needsKey(owned)];
  const api = await service.api();
  const refusals: OwnerRefusal[] = [];
  for (const [owner, theirs] of groupBy(owned.filter(isNamedByAddress), (each) => each.owner.toLowerCase())) {
    const member = await memberAt(owner, api, service.call);
    if (member?.active) continue;
    refusals.push(member === undefined ? unknown(owner, theirs) : inactive(owner, theirs));
  }
  return refusals;
}

/** Of a step that says to whom a schedule belongs. */
function ownedBy({ change, calls, after }: Step): readonly Owned[] {
  const owner = after?.['owner'];
  const isSent = change.kind === 'schedule' && (calls.includes('post') || calls.includes('transfer'));
  return isSent && typeof owner === 'string' ? [{ address: change.address, owner }] : [];
}

function isNamedByAddress({ owner }: Owned): boolean {
  return isAddress(owner);
}

function named(owned: readonly Owned[]): string {
  const [first, second, third, ...more] = owned.map(({ address }) => address);
  const shown = [first, second, third].filter((address) => address !== undefined).join(', ');
  return more.length === 0 ? shown : `${shown} and ${more.length} more`;
}

function needsKey(owned: readonly Owned[]): OwnerRefusal {
  return {
    code: 'blocked',
    message: `owner needs an organization key, which begins with ${organizationKeyPrefix}, and the token in use is of another kind: ${named(owned)}. Nothing was sent.`,
    hint: 'Use an organization key, or remove owner.',
  };
}

function unknown(owner: string, owned: readonly Owned[]): OwnerRefusal {
  return {
    code: 'blocked',
    message: `Nobody in the organization has the address ${owner}, which owns ${named(owned)}. Nothing was sent.`,
    hint: 'Check `owner`: it is the address with which the person signs in to Omni.',
  };
}

function inactive(owner: string, owned: readonly Owned[]): OwnerRefusal {
  return {
    code: 'blocked',
    message: `The account of ${owner}, which is to own ${named(owned)}, is deactivated. Nothing was sent.`,
    hint: 'Declare another owner.',
  };
}
