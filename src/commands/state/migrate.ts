// `almanac state migrate`: moves the state to the place that almanac.yaml names, after a confirmation.

import { migrateState } from '../../engine/state/migrate-state.ts';
import type { State } from '../../model/plan/state.ts';
import { countOf } from '../../render/text/count-words.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import type { Run } from '../base/run.ts';
import type { StateMigrateOptions } from './command.ts';
import { openPlaces } from './open-places.ts';

export async function stateMigrate(run: Run, options: StateMigrateOptions): Promise<number> {
  const { from, to, fromFile, toFile } = await openPlaces(run, options, options.from);
  const [old, present] = [safeText(from.name), safeText(to.name)];
  const migrated = await migrateState({
    from,
    to,
    signal: run.signal,
    onNote: (note) => run.stderr.write(`note: ${safeText(note)}\n`),
    confirm: async (state) => {
      if (options.autoApprove) return true;
      const move = `the state (${sizeOf(state)}) from ${old} to ${present}`;
      if (run.asker() === undefined)
        throw noTerminal('the state was not moved', `To move ${move}, use --auto-approve.`);
      return isConfirmed(run, `Move ${move}? After that, ${old} cannot be used any more.`);
    },
  });
  if (migrated.outcome === 'declined') return 1;
  const done = migrated.outcome === 'moved' ? 'The state was moved' : 'The state was moved before';
  run.stdout.write(`${done} from ${old} to ${present} (${sizeOf(migrated.state)}).\n`);
  if (!options.quiet) run.stderr.write(nextStep(fromFile ? old : undefined, toFile ? present : undefined));
  return 0;
}

function sizeOf({ serial, resources }: State): string {
  return `serial ${serial}, ${countOf(Object.keys(resources).length, 'resource')}`;
}

function nextStep(oldFile: string | undefined, newFile: string | undefined): string {
  if (newFile !== undefined)
    return `Commit ${newFile} together with almanac.yaml: the file is the state from now on.\n`;
  if (oldFile !== undefined)
    return `Commit ${oldFile} together with almanac.yaml: it now says where the state is, so that nobody uses an old one.\n`;
  return 'Commit almanac.yaml: whoever still has the old one is told where the state is.\n';
}
