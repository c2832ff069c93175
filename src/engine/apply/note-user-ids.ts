// A warning before the confirmation: a token that is not an organization key can act only for its owner.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { isOrganizationKey, organizationKeyPrefix } from '../../model/values/organization-key.ts';
import { type Finding, hasErrors, severityOf } from '../../model/workspace/diagnostic.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import { invalidWorkspace, type Loaded } from '../load/load.ts';
import type { ApplyPorts } from './apply-request.ts';

/** Throws Failure invalid-workspace where `checks` makes it an error. */
export function noteUserIds({ changes }: PlanDocument, loaded: Loaded, { service, reporter }: ApplyPorts): void {
  const named = changes.filter(({ requests, after }) => requests > 0 && after?.['userId'] !== undefined);
  if (named.length === 0 || isOrganizationKey(service.token())) return;
  const found = named.map(({ address }): Finding => ({ code, message: messageAbout(address), hint, address }));
  const judged = judgeFindings(found, loaded);
  if (hasErrors(judged)) throw invalidWorkspace('The token cannot act for others; nothing was sent.', judged, loaded);
  const open = judged.filter((finding) => severityOf(finding) === 'warning' && finding.accepted === undefined);
  if (open.length === 0) return;
  reporter.emit({ type: 'note', code, message: messageAbout(open.map(({ address }) => address).join(', ')) });
}

const code = 'user-id-needs-organization-key';
const hint = 'Use an organization key, or remove userId.';

function messageAbout(addresses: string): string {
  return `userId needs an organization key, which begins with ${organizationKeyPrefix}; with another token the service answers 403 to ${addresses}.`;
}
