// A running emulator for one test, and a way to send it requests. The end of a test closes the emulator.

import { expect, onTestFinished } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { problemInData } from '../../../src/emulator/store.ts';
import { bucket, hook, mail, sftp, slack } from '../vocabulary.ts';

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReplyBody;
}

/** What a test may read: every answer has some of these. */
interface ReplyBody {
  readonly detail: string;
  readonly status: number;
  readonly id: string;
  readonly jobId: string;
  readonly pageInfo: { hasNextPage: boolean; nextCursor: string | null; pageSize: number; totalRecords: number };
  readonly records: { identifier: string; name: string }[];
}

export interface Running {
  readonly emulator: Emulator;
  readonly baseUrl: string;
  readonly organizationKey: string;
  readonly personalToken: string;
  /** A personal token's header: Ana's. */
  readonly asAna: Record<string, string>;
  /** Sends JSON with the organization key unless told otherwise. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Makes a schedule of the organization and returns its id. */
  create(destinationType?: keyof typeof schedules, changes?: object): Promise<string>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Running> {
  const running = await openEmulator(options);
  const { emulator } = running;
  onTestFinished(async () => {
    await emulator.close();
    // Whatever a test does, a data file can hold what comes of it.
    expect(problemInData(JSON.parse(JSON.stringify(emulator.data())))).toBeUndefined();
  });
  return running;
}

/** With the full operations. */
export const startFull = (options: EmulatorOptions = {}) => startEmulator({ operations: 'full', ...options });

/** Runs until the test closes it. */
export async function openEmulator(options: EmulatorOptions): Promise<Running> {
  const emulator = createEmulator({ rateLimit: 0, now: () => Date.UTC(2026, 2, 1), ...options });
  const { baseUrl, organizationKey, personalToken } = await emulator.listen();
  const send: Running['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${organizationKey}`, 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const read: unknown = isJson ? await response.json() : await response.text();
    return { status: response.status, headers: response.headers, body: read as ReplyBody };
  };
  return {
    emulator,
    baseUrl,
    organizationKey,
    personalToken,
    asAna: { Authorization: `Bearer ${personalToken}` },
    send,
    create: async (destinationType = 'email', changes = {}) => {
      const body = schedules[destinationType]({ passwordUnencrypted: undefined, ...changes });
      return (await send('POST', '/v1/schedules', body)).body.id;
    },
  };
}

export const ids = {
  ana: '987fcdeb-51a2-43d7-9b56-254415f67890',
  bo: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  cleo: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b',
  board: 'a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31',
  salesTeam: 'b27d5e80-1c49-4f6a-9d3b-84a0c1e2f567',
  stranger: '00000000-0000-4000-8000-000000000000',
  salesFolder: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
  model: '770e8400-e29b-41d4-a716-446655440002',
  branch: '880e8400-e29b-41d4-a716-446655440003',
  conversation: '660e8400-e29b-41d4-a716-446655440001',
};

const schedules = { email: mail, webhook: hook, slack, sftp, s3: bucket };

/** The smallest valid routine, with changes. */
export function routineBody(changes: object = {}): Record<string, unknown> {
  return {
    modelId: ids.model,
    name: 'Monday summary',
    prompt: 'What changed last week?',
    schedule: '0 9 ? * MON *',
    timezone: 'Europe/London',
    destination: { type: 'email', recipientEmails: ['bo@example.com'] },
    ...changes,
  };
}
