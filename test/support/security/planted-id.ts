// A schedule of somebody else, and a state that says that it is a declared one: what whoever may write the state can do with
// two commands of Almanac, wherever the state is kept.

import { expect } from 'vitest';
import type { State } from '../../../src/model/plan/state.ts';
import type { Finished } from '../program.ts';
import type { Workspace } from '../workspace.ts';

/** Of the board, as somebody made it in Omni. */
export const boards = {
  identifier: 'b4d86e20',
  name: 'Board pack',
  schedule: '0 7 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['board@example.com'],
  subject: 'Board pack',
};

/** `run`: of the program, in this process or built. */
export async function plantId(
  {
    run,
    write,
  }: Pick<Workspace, 'write'> & {
    run(...argv: readonly string[]): Promise<Pick<Finished, 'code' | 'stdout' | 'stderr'>>;
  },
  address: string,
  id: string,
): Promise<void> {
  const { resources, ...state } = JSON.parse((await run('state', 'pull')).stdout) as State;
  const edited = { ...resources, [address]: { ...resources[address], id } };
  write({ 'edited.json': { ...state, serial: state.serial + 1, resources: edited } });
  const { code, stderr } = await run('state', 'push', 'edited.json');
  expect(code, stderr).toBe(0);
}
