// The operations about people: those who have an account, those who receive deliveries without one, and who may see a
// document.

import type { Operation } from '../pipeline/exchange.ts';
import { listAccess } from './list-access.ts';
import { listEmailOnlyUsers } from './list-email-only-users.ts';
import { listUsers } from './list-users.ts';

export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', hasBody: false, answer: listUsers },
  { method: 'GET', path: '/v1/users/email-only', hasBody: false, answer: listEmailOnlyUsers },
  { method: 'GET', path: '/v1/documents/{documentId}/access-list', hasBody: false, answer: listAccess },
];
