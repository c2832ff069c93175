// The look at a dashboard: its filters and controls, as far as Almanac applied them.

import type { StateResource } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import { type Looking, type Seen, unobserved } from './looking.ts';
import { observedFilters } from './observed.ts';

export async function lookAtDashboard(
  address: Address,
  { attributes }: StateResource,
  { api, service, secrets }: Looking,
): Promise<Seen> {
  const { identifier } = attributes;
  // A fingerprint names no dashboard.
  if (typeof identifier !== 'string') return {};
  try {
    const filters = await api.getFilters(identifier, service.call);
    return { resource: observedFilters(filters, attributes, secrets.of(address)) };
  } catch (error) {
    return { finding: unobserved(address, `what became of \`${address}\``, error) };
  }
}
