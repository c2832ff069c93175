// What a careful user does after an apply that died: checks Omni for every unresolved change that may not be repeated,
// resolves it, and applies again.

import type { Emulator } from '../../src/emulator/emulator.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { Ran, Workspace } from './workspace.ts';

/** Throws where something does not come out as it should. */
export async function resolveByHand(workspace: Workspace, emulator: Emulator): Promise<void> {
  const shown = JSON.parse(mustSucceed(await workspace.run('show', '--format', 'json')).stdout) as State;
  const { schedules, jobs, deliveries } = emulator.data();
  const known = new Set([...Object.values(shown.resources).map(({ id }) => id), ...shown.orphans.map(({ id }) => id)]);
  for (const { address, action, identifier, name } of shown.unresolved) {
    if (address.startsWith('dashboards.') || action === 'update' || action === 'delete') continue;
    if (address.startsWith('aiJobs.')) {
      const job = jobs.find(({ id, status }) => status === 'QUEUED' && !known.has(id));
      known.add(job?.id);
      mustSucceed(
        await workspace.run('state', 'resolve', address, ...(job === undefined ? ['--retry'] : ['--id', job.id])),
      );
    } else if (action === 'run') {
      const wasSent = deliveries.some((delivery) => JSON.stringify(delivery).includes(JSON.stringify(name)));
      mustSucceed(await workspace.run('state', 'resolve', address, wasSent ? '--done' : '--retry'));
    } else {
      const there = schedules.filter(
        (schedule) =>
          !known.has(schedule.id) && schedule.fields['name'] === name && schedule.fields['identifier'] === identifier,
      );
      if (there.length > 1) throw new Error(`${address} exists ${there.length} times`);
      known.add(there[0]?.id);
      mustSucceed(
        await workspace.run(
          'state',
          'resolve',
          address,
          ...(there[0] === undefined ? ['--retry'] : ['--id', there[0].id]),
        ),
      );
    }
  }
}

export function mustSucceed(ran: Ran): Ran {
  if (ran.code !== 0) throw new Error(`exit code ${ran.code}: ${ran.stdout}${ran.stderr}`);
  return ran;
}

/** Every schedule of the service is tracked or a known orphan, each once. */
export function unaccounted(workspace: Pick<Workspace, 'state'>, emulator: Emulator): readonly string[] {
  const state = workspace.state();
  const counted = [
    ...Object.values(state.resources).flatMap(({ id }) => id ?? []),
    ...state.orphans.map(({ id }) => id),
  ];
  const schedules = emulator.data().schedules.map(({ id }) => id);
  const twice = counted.filter((id, index) => counted.indexOf(id) !== index);
  return [
    ...schedules.filter((id) => !counted.includes(id)).map((id) => `${id} is lost`),
    ...twice.map((id) => `${id} is counted twice`),
  ];
}
