// Whose a token is, and what it may do on each model.

import type { Answer } from './answers.ts';
import { aString, readQuery } from './checks.ts';
import type { OperationInput } from './requests.ts';

/** Each that the vendor names; a token has all of them unless the data of the organization says which. */
const permissions = [
  'DOWNLOAD_CONTENT_QUERY',
  'QUERY_FULL_MODEL',
  'QUERY_SQL',
  'QUERY_TOPICS',
  'RUN_CONTENT_QUERIES',
  'SAVE_SPREADSHEETS',
  'SCHEDULE',
  'UPDATE',
  'UPDATE_RESTRICTED',
  'UPLOAD_CSV',
  'USE_AI',
  'USE_IDE',
  'USE_WORKBOOKS',
  'VIEW_SQL',
];

/** GET /v1/whoami. */
export function whoami({ caller, query, store: { data } }: OperationInput): Answer {
  const { modelId } = readQuery(query, { modelId: aString });
  const asked = modelId?.split(',');
  const isOrganization = caller.kind === 'organization';
  const membershipId = caller.kind === 'personal' ? caller.memberId : (data.members[0]?.id ?? '');
  const role = {
    roleName: isOrganization ? 'Connection admin' : 'Querier',
    baseRole: isOrganization ? 'CONNECTION_ADMIN' : 'QUERIER',
    connectionId: data.organization.id,
    permissions: caller.permissions ?? permissions,
  };
  const models = data.models.filter(({ id }) => asked === undefined || asked.includes(id));
  return {
    status: 200,
    body: {
      keyScope: isOrganization ? 'organization' : 'user',
      orgRole: isOrganization ? 'ORG_ADMIN' : 'MEMBER',
      user: { id: membershipId, membershipId },
      rolesByModel: Object.fromEntries(models.map(({ id }) => [id, role])),
      rolesByModelTruncated: false,
    },
  };
}
