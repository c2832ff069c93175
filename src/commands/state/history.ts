// `almanac state history`: the states that a shared place keeps, and who wrote them.

import { stateHistory } from '../../engine/state/shared-place.ts';
import { renderHistory } from '../../render/state/shared-text.ts';
import type { Run } from '../base/run.ts';
import type { StateHistoryOptions } from './command.ts';

export async function stateHistoryCommand(run: Run, options: StateHistoryOptions): Promise<number> {
  const store = await run.storeAlone();
  const document = await stateHistory(store, options.limit);
  run.print(options.format, document, (page) => renderHistory(document, page));
  return 0;
}
