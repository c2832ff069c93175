// Whether Omni accepts the token. Only a read is tried: whether the token may also write shows at an apply.

import type { Operations } from '../../model/workspace/config.ts';
import type { Answer } from './ask-service.ts';
import { failed, passed, type Verdict, warned } from './verdict.ts';

export function checkRights({ failure }: Answer, operations: Operations): Verdict {
  if (failure === undefined)
    return passed(
      `The token may list ${operations === 'full' ? 'schedules' : 'documents'} (operations ${operations}).`,
    );
  // An apply waits for its turn.
  if (failure.code === 'api-rate-limited')
    return warned(failure.message, 'The token was not checked. Run it again later.');
  return failed(failure.message, failure.hint);
}
