// `almanac state resolve ADDRESS`: records what became of a change whose answer was lost.

import { openAt, type Resolution, repairState, resolveOpen } from '../../engine/state/repair-state.ts';
import { uuid } from '../../model/fields/patterns.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import type { StateResolveOptions } from './command.ts';

export async function stateResolve(run: Run, options: StateResolveOptions, address: string): Promise<number> {
  const resolution = resolutionOf(options);
  const store = await run.storeAlone('changes');
  const now = new Date(run.clock.now()).toISOString();
  let isTrigger = false;
  await repairState(store, 'state resolve', (state) => {
    isTrigger = openAt(state, address)?.action === 'trigger';
    return resolveOpen(address, resolution, now)(state);
  });
  run.stdout.write(`${safeText(address)} ${isTrigger ? triggerWords(resolution) : wordsOf(resolution)}.\n`);
  return 0;
}

function resolutionOf({ id, retry, done }: StateResolveOptions): Resolution {
  const chosen = [id !== undefined, retry === true, done === true].filter(Boolean).length;
  if (chosen !== 1) {
    throw new Failure('usage', 'Say what you found in Omni with exactly one of --id ID, --done and --retry.', {
      hint: '--id ID: the resource exists, with that id. --done: the change was made and has no id. --retry: it was not made.',
    });
  }
  if (id === undefined) return { by: retry ? 'retry' : 'done' };
  if (!new RegExp(uuid).test(id)) throw new Failure('usage', `${id} is not an id: ids are UUIDs.`);
  return { by: 'id', id: id.toLowerCase() };
}

function wordsOf(resolution: Resolution): string {
  switch (resolution.by) {
    case 'retry':
      return 'will be planned again';
    case 'id':
      return `is tracked as ${safeText(resolution.id)}`;
    case 'done':
      return 'is recorded as done';
  }
}

/** Either way the next trigger waits for nothing. */
function triggerWords({ by }: Resolution): string {
  return by === 'retry' ? 'was not delivered, and may be triggered again' : 'is recorded as delivered';
}
