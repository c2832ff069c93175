// `almanac state history`: the states that a shared place keeps, and who wrote them.

import { stateHistory } from '../../engine/state/shared-place.ts';
import { renderHistory } from '../../render/state/shared-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import type { Run } from '../base/run.ts';
import type { StateHistoryOptions } from './command.ts';

export async function stateHistoryCommand(run: Run, options: StateHistoryOptions): Promise<number> {
  const store = await run.storeAlone();
  const document = await stateHistory(store, options.limit);
  if (options.format === 'json') run.stdout.data(renderJson(document));
  else run.stdout.write(renderHistory(document, run.page()));
  return 0;
}
