// The operations about people: who is in the organization, and who may see a document.

import type { Operation } from '../pipeline/exchange.ts';
import { listAccess } from './list-access.ts';
import { listUsers } from './list-users.ts';

export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', hasBody: false, answer: listUsers },
  { method: 'GET', path: '/v1/documents/{documentId}/access-list', hasBody: false, answer: listAccess },
];
