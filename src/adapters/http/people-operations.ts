// The operations about people: who is in the organization, who receives deliveries without an account, and who may see a document.

import type { Api } from '../../ports/api.ts';
import { type Caller, send } from './http-call.ts';
import { listAccess } from './list-access.ts';
import { listEmailOnlyUsers, listUsers } from './list-users.ts';

export function peopleOperations(caller: Caller): Pick<Api, 'listUsers' | 'listEmailOnlyUsers' | 'listAccess'> {
  return {
    listUsers: (only, options) => listUsers(only, (call) => send(caller, { ...call, options })),
    listEmailOnlyUsers: (only, options) => listEmailOnlyUsers(only, (call) => send(caller, { ...call, options })),
    listAccess: (identifier, options) => listAccess(identifier, (call) => send(caller, { ...call, options })),
  };
}
