// Refuses requests that name another host than this machine. The emulator's tokens are public, so without this a page in
// a browser could make its own host name lead here (DNS rebinding) and use them.

import { type Answer, Rejection, toErrorAnswer } from './answers.ts';
import { isThisMachine, parsedUrl } from './formats.ts';

/** The answer to a request for another host, undefined for one of ours. `listened` is the host that is listened on. */
export function refuseForeignHost(header: string | undefined, listened: string): Answer | undefined {
  const name = hostName(header ?? '');
  if (isThisMachine(name) || name === hostName(listened.includes(':') ? `[${listened}]` : listened)) return undefined;
  return toErrorAnswer(new Rejection(421, `The emulator does not answer for the host ${JSON.stringify(header ?? '')}`));
}

function hostName(text: string): string | undefined {
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  return parsedUrl(`http://${text}`)?.hostname.replace(/\.$/, '');
}
