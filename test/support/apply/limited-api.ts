// A service under the rate limit of the real adapter, whose answers take time.

import type { Clock } from '../../../src/model/outside.ts';
import type { Api, CallOptions, Created } from '../../../src/service/api.ts';
import { makeSlidingWindow } from '../../../src/service/http/sliding-window.ts';
import { goOut } from './go-out.ts';
import { refusingApi } from './refusing-api.ts';

export interface Limits {
  /** Requests a minute. */
  readonly rateLimit: number;
  readonly concurrency: number;
  /** Milliseconds of a request. */
  readonly requestMs: number;
}

export interface LimitedApi {
  readonly api: Api;
  /** When each request went out. */
  readonly sent: number[];
  /** Called as a request goes out. */
  onSent: () => void;
}

export function makeLimitedApi(clock: Clock, { requestMs, ...limits }: Limits): LimitedApi {
  const window = makeSlidingWindow({ clock, ...limits });
  async function call(options: CallOptions = {}): Promise<Created> {
    const release = await window.take(options.signal);
    let isSent = false;
    try {
      await goOut(options);
      isSent = true;
      made.sent.push(clock.now());
      const id = `id ${made.sent.length}`;
      made.onSent();
      await clock.sleep(requestMs);
      return { id, outputs: {} };
    } finally {
      release(isSent);
    }
  }
  const done = async (options: CallOptions | undefined) => {
    await call(options);
  };
  const made: LimitedApi = {
    sent: [],
    onSent: () => undefined,
    api: {
      ...refusingApi,
      createSchedule: (_, options) => call(options),
      createAiJob: (_, options) => call(options),
      updateFilters: (_, options) => done(options),
      updateSchedule: (_, __, options) => done(options),
      deleteSchedule: (_, options) => done(options),
      pauseSchedule: (_, options) => done(options),
      resumeSchedule: (_, options) => done(options),
      listSchedules: async () => [],
    },
  };
  return made;
}
