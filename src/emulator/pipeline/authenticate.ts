// Identifies the caller: the bearer token belongs either to the organization or to one of its members.

import type { Store } from '../store/store.ts';
import { Rejection } from './answer.ts';
import type { Step } from './exchange.ts';

export function authenticateBy(store: Store): Step {
  return (exchange) => {
    const sent = /^Bearer +(\S+)$/i.exec(exchange.request.headers.authorization ?? '')?.[1];
    const caller = store.data.tokens.find((known) => known.token === sent);
    if (caller === undefined) throw new Rejection(401, 'Unauthorized: Missing or invalid API key');
    exchange.caller = caller;
    return undefined;
  };
}
