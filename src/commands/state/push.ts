// `almanac state push FILE`: replaces the state with a later one.

import { pushState } from '../../engine/state/repair-state.ts';
import { parseState } from '../../parse/state/parse-state.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import type { StatePushOptions } from './command.ts';

export async function statePush(run: Run, options: StatePushOptions, file: string): Promise<number> {
  const store = await run.storeAlone('changes');
  const workspace = await run.workspace();
  const text = await workspace.readOutside(file);
  const pushed = parseState(
    text,
    file,
    'Name a file that Almanac wrote, such as errored.state.json. Nothing was changed.',
  );
  await pushState(store, pushed, options.force === true);
  run.stdout.write(`${safeText(store.name)} is now ${safeText(file)}, serial ${pushed.serial}.\n`);
  return 0;
}
