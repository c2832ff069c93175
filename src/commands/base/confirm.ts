// The question before something that cannot be undone. Without a terminal, --auto-approve answers it.

import { withoutCredentials } from '../../model/values/credentials.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { World } from './world.ts';

/** Only `yes` confirms, and nothing does after an interruption. The question may contain any text. */
export async function isConfirmed({ asker, signal }: World, question: string): Promise<boolean> {
  const answer = await asker()?.(
    `${safeText(withoutCredentials(question), { keepNewlines: true })} Only yes is accepted: `,
  );
  return answer?.trim() === 'yes' && !signal.aborted;
}

/**
 * `what` and `nothing` complete the sentence, as in `The delivery was not confirmed; nothing was sent.` Throws Failure
 * refused and interrupted.
 */
export async function requireConfirmed(
  world: World,
  question: string,
  { what, nothing }: { readonly what: string; readonly nothing: string },
): Promise<void> {
  if (await isConfirmed(world, question)) return;
  if (world.signal.aborted)
    throw new Failure('interrupted', `Interrupted; ${nothing}.`, { hint: 'Run the command again.' });
  throw new Failure('refused', `${what} not confirmed; ${nothing}.`);
}

/** `consequence` completes the sentence, as in `so nothing was sent`. */
export function noTerminal(consequence: string, hint: string): Failure {
  return new Failure('usage', `There is no terminal to ask on, so ${consequence}.`, { hint });
}
