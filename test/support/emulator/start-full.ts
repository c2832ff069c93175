// An emulator with the full operations, with shortcuts to create and read schedules.

import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { type Running, scheduleBody, startEmulator } from './start-emulator.ts';

export interface RunningFull extends Running {
  /** A personal token's header: Ana's. */
  readonly asAna: Record<string, string>;
  /** Makes a schedule, of the organization unless told otherwise, and returns its id. */
  create(...args: Parameters<typeof scheduleBody>): Promise<string>;
  createOwnedBy(memberId: string, ...args: Parameters<typeof scheduleBody>): Promise<string>;
  /** What GET answers. */
  read(id: string): Promise<Record<string, unknown>>;
}

export async function startFull(options: EmulatorOptions = {}): Promise<RunningFull> {
  const running = await startEmulator({ operations: 'full', ...options });
  const { send, personalToken } = running;
  const post = async (query: string, body: unknown) => (await send('POST', `/v1/schedules${query}`, body)).body.id;
  return {
    ...running,
    asAna: { Authorization: `Bearer ${personalToken}` },
    create: (...args) => post('', scheduleBody(...args)),
    createOwnedBy: (memberId, ...args) => post(`?userId=${memberId}`, scheduleBody(...args)),
    read: async (id) => ({ ...(await send('GET', `/v1/schedules/${id}`)).body }),
  };
}
