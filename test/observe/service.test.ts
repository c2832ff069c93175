// The one connection of a run: made when it is first needed, shared by everything, counted, and closed once.

import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/model/workspace/config.ts';
import { type Service, type ServiceOptions, secondsUntilSent, withService } from '../../src/observe/service.ts';
import { tokenSource, tokensIn } from '../../src/observe/token-source.ts';
import type { Api, ApiSettings } from '../../src/omni/api.ts';
import { baseUrl, configOf } from '../support/apply/in-memory.ts';
import { refusal } from '../support/emulator/service.ts';
import { type InstantClock, makeInstantClock } from '../support/fake-clock.ts';

const config: Config = { ...configOf(), api: { ...configOf().api, rateLimit: 60, concurrency: 3 } };
const noFilters = { identifier: '12db1a0a', filters: {}, controls: {}, filterOrder: [] };

interface Connected {
  readonly connections: ApiSettings[];
  readonly clock: InstantClock;
  closed: number;
  use<T>(work: (service: Service) => Promise<T>, options?: Partial<ServiceOptions>): Promise<T>;
}

function connectable(answers: Partial<Api> = {}): Connected {
  const made: Connected = {
    connections: [],
    clock: makeInstantClock(Date.UTC(2026, 2, 1)),
    closed: 0,
    use: (work, options = {}) =>
      withService(
        {
          config,
          secrets: () => [],
          environment: () => ' omni_osk_one ',
          connect: async (settings) => {
            made.connections.push(settings);
            const close = async () => {
              made.closed += 1;
            };
            return { ...answers, close } as Api;
          },
          clock: made.clock,
          signal: undefined,
          onWait: () => undefined,
          allowHttp: false,
          maxAttempts: 5,
          maxWait: 120,
          ...options,
        },
        work,
      ),
  };
  return made;
}

describe('the service of a run', () => {
  it('a service does not connect if it is never used', async () => {
    const made = connectable();
    expect(await made.use(async (service) => service.token())).toBe('omni_osk_one');
    expect(made).toMatchObject({ connections: [], closed: 0 });
  });

  it('each token of a list is masked, although a list is refused', () => {
    const environment = () => 'omni_osk_one, omni_osk_two';
    expect(() => tokenSource(config, environment)).toThrow('contains a comma');
    expect(tokensIn(config, environment)).toEqual(expect.arrayContaining(['omni_osk_one', 'omni_osk_two']));
  });

  it('a service connects once for all callers and is closed once', async () => {
    const made = connectable();
    await made.use((service) => Promise.all([service.api(), service.api()]));
    expect(made).toMatchObject({ connections: [{ baseUrl }], closed: 1 });
  });

  it('a service is closed after a failure, which reaches the caller', async () => {
    const made = connectable();
    const failing = made.use(async (service) => {
      await service.api();
      throw refusal(400);
    });
    await expect(failing).rejects.toMatchObject({ code: 'api-rejected' });
    expect(made.closed).toBe(1);
  });

  it('a service whose connection fails reports that to each caller and has nothing to close', async () => {
    const made = connectable();
    const connect = () => Promise.reject(refusal(400, 'usage'));
    await expect(made.use((service) => service.api(), { connect })).rejects.toMatchObject({ code: 'usage' });
    expect(made.closed).toBe(0);
  });

  it('requests that were sent more than a minute ago do not make those to come take longer', async () => {
    const made = connectable();
    await made.use(async (service) => {
      await service.api();
      made.connections[0]?.onRequest?.();
      expect([secondsUntilSent(59, service), secondsUntilSent(60, service)]).toEqual([0, 60]);
      await made.clock.sleep(61_000);
      expect(secondsUntilSent(60, service)).toBe(0);
      expect([service.sent(), service.sentLately()]).toEqual([1, 0]);
    });
  });

  it('a service reads the filters of a dashboard once, and again after an update', async () => {
    let reads = 0;
    const made = connectable({
      getFilters: async () => {
        reads += 1;
        if (reads === 1) throw refusal(404);
        return noFilters;
      },
      updateFilters: async () => undefined,
    });
    await made.use(async (service) => {
      const api = await service.api();
      await expect(api.getFilters('12db1a0a')).rejects.toMatchObject({ code: 'api-rejected' });
      await api.getFilters('12db1a0a');
      await api.getFilters('12db1a0a');
      expect(reads).toBe(2);
      await api.updateFilters({ identifier: '12db1a0a' });
      await api.getFilters('12db1a0a');
      expect(reads).toBe(3);
    });
  });
});
