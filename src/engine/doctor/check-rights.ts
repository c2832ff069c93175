// Whether Omni accepts the tokens. Only reads are tried: whether a token may also write shows at an apply.

import type { Operations } from '../../model/workspace/config.ts';
import type { Answer } from './ask-service.ts';
import { failed, passed, type Verdict, warned } from './verdict.ts';

/** `tokens` counts those that there are; the answers are those of the ones that were tried. */
export function checkRights(answers: readonly Answer[], tokens: number, operations: Operations): Verdict {
  const at = answers.findIndex(({ failure }) => failure !== undefined);
  const failure = answers[at]?.failure;
  if (failure !== undefined) {
    const which = tokens === 1 ? '' : `Token ${at + 1} of ${tokens}: `;
    const message = `${which}${failure.message}`;
    // An apply waits for its turn.
    if (failure.code === 'api-rate-limited') return warned(message, 'The token was not checked. Run it again later.');
    return failed(message, failure.hint);
  }
  const what = operations === 'full' ? 'schedules' : 'documents';
  if (tokens === 1) return passed(`The token may list ${what} (operations ${operations}).`);
  const untried = tokens - answers.length;
  const rest = untried === 0 ? '' : ` ${untried} more ${untried === 1 ? 'was' : 'were'} not tried.`;
  return passed(`${answers.length} tokens may list ${what} (operations ${operations}).${rest}`);
}
