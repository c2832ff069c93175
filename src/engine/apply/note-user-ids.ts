// A warning before the confirmation: a token that is not an organization key can act only for its owner.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { organizationKeyPrefix } from '../../model/values/organization-key.ts';
import type { ApplyPorts } from './apply-request.ts';

export function noteUserIds({ changes }: PlanDocument, { service, reporter }: ApplyPorts): void {
  const named = changes.filter(({ requests, after }) => requests > 0 && after?.['userId'] !== undefined);
  if (named.length === 0 || service.tokens().every((token) => token.startsWith(organizationKeyPrefix))) return;
  const addresses = named.map(({ address }) => address).join(', ');
  const message = `userId needs an organization key, which begins with ${organizationKeyPrefix}; with another token the service answers 403 to ${addresses}.`;
  reporter.emit({ type: 'note', code: 'user-id-needs-organization-key', message });
}
