// `almanac state history`: the states that a shared place keeps, and who wrote them.

import { stateHistory } from '../../engine/state/shared-place.ts';
import { renderHistory } from '../../render/state/shared-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { pageOf } from '../base/page.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StateHistoryOptions } from './command.ts';

export async function stateHistoryCommand(world: World, options: StateHistoryOptions): Promise<number> {
  const { store } = await openStateAlone(world, options);
  const document = await stateHistory(store, options.limit);
  if (options.format === 'json') world.stdout.data(renderJson(document));
  else world.stdout.write(renderHistory(document, pageOf(world.stdout, world, options)));
  return 0;
}
