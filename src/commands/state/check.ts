// `almanac state check`: whether the place of the state is fit, and what is there. Leaves the state as it is.

import { checkPlace } from '../../engine/state/shared-place.ts';
import { renderCheck } from '../../render/state/shared-text.ts';
import type { Run } from '../base/run.ts';
import type { StateCheckOptions } from './command.ts';

export async function stateCheck(run: Run, options: StateCheckOptions): Promise<number> {
  const store = await run.storeAlone();
  const document = await checkPlace(store, run.signal);
  run.print(options.format, document, (page) => renderCheck(document, page));
  return 0;
}
