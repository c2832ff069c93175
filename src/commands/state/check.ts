// `almanac state check`: whether the place of the state is fit, and what is there. Leaves the state as it is.

import { checkPlace } from '../../engine/state/shared-place.ts';
import { renderCheck } from '../../render/state/shared-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { pageOf } from '../base/page.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StateCheckOptions } from './command.ts';

export async function stateCheck(world: World, options: StateCheckOptions): Promise<number> {
  const { store } = await openStateAlone(world, options);
  const document = await checkPlace(store, world.signal);
  if (options.format === 'json') world.stdout.data(renderJson(document));
  else world.stdout.write(renderCheck(document, pageOf(world.stdout, world, options)));
  return 0;
}
