// The question before something that cannot be undone. Without a terminal, --auto-approve answers it.

import { Failure } from '../../model/workspace/failure.ts';
import type { World } from './world.ts';

/** Only the answer `yes` confirms; after an interruption no answer does. */
export async function isConfirmed({ ask, signal }: World, question: string): Promise<boolean> {
  const answer = await ask?.(`${question} Only yes is accepted: `);
  return answer?.trim() === 'yes' && !signal.aborted;
}

/** `consequence` completes the sentence, as in `so nothing was sent`. */
export function noTerminal(consequence: string, hint: string): Failure {
  return new Failure('usage', `There is no terminal to ask on, so ${consequence}.`, { hint });
}
