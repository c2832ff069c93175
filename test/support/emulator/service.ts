// An organization for tests of the engine: the emulator with operations full and the real adapter in this process, where each
// request that changes something is a point before its work and one after it.

import { giveIdentifier } from '../../../src/emulator/documents.ts';
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import type { EmulatorData } from '../../../src/emulator/store.ts';
import type { Clock } from '../../../src/model/outside.ts';
import type { Created } from '../../../src/model/service/remote.ts';
import { Failure, type ServiceError } from '../../../src/model/workspace/failure.ts';
import type { Api, ConnectApi } from '../../../src/omni/api.ts';
import { connectInProcess } from './in-process.ts';
import { type Reached, watchedApi } from './watched-api.ts';

interface Meeting {
  readonly reach?: Reached | undefined;
  /** `before` is when nothing holds the request back any more. */
  readonly isUnderWay?: boolean;
  /** What a create is answered with, given what was made. */
  readonly answered?: (made: Created) => Created;
  /** Who receives a schedule cannot be read. */
  readonly isUnread?: boolean | undefined;
}

export interface EngineService {
  readonly emulator: Emulator;
  /** What the organization has; a test may change it. */
  readonly data: EmulatorData;
  /** As a run on a machine with this clock connects, and what its requests meet. */
  connect(clock: Clock, meeting?: Meeting): ConnectApi;
  /** How long it takes until something new is listed, although it is found by its id. */
  listLagMs: number;
  /** How long it takes until something new is found at all. */
  consistencyMs: number;
}

/** The token of `support/apply/in-memory.ts`. */
const token = 'omni_osk_token';

export function openService({ now }: Pick<Clock, 'now'>, options: EmulatorOptions = {}): EngineService {
  const lags = { listLagMs: 0, consistencyMs: options.eventualConsistencyMs ?? 0 };
  const emulator = createEmulator({
    ...{ operations: 'full', rateLimit: 0, now, random: countingDigits() },
    ...options,
    get eventualConsistencyMs() {
      return lags.consistencyMs;
    },
  });
  let data: EmulatorData | undefined;
  emulator.edit((live) => {
    live.tokens.push({ kind: 'organization', token });
    data = live;
  });
  const service: EngineService = Object.assign(lags, {
    emulator,
    data: data as unknown as EmulatorData,
    connect:
      (
        clock: Clock,
        { reach = () => undefined, isUnderWay, answered = (made: Created) => made, isUnread = false }: Meeting = {},
      ): ConnectApi =>
      async (settings) => {
        const all = { ...settings, clock, version: '0.1.0', random: () => 0 };
        const api = watchedApi(await connectInProcess(emulator, all), reach, isUnderWay);
        return {
          ...late(api),
          createSchedule: async (...given) => answered(await api.createSchedule(...given)),
          createRoutine: async (...given) => answered(await api.createRoutine(...given)),
          getRecipients: async (...given) => {
            if (isUnread) throw refusal(403, 'api-unauthorized');
            return api.getRecipients(...given);
          },
        };
      },
  });
  const isListed = (made: readonly { readonly id: string; readonly createdAt: string }[], id: string) =>
    made.some((each) => each.id === id && Date.parse(each.createdAt) + service.listLagMs <= now());
  const late = (api: Api): Api => ({
    ...api,
    listSchedules: async (...given) =>
      (await api.listSchedules(...given)).filter(({ id }) => isListed(service.data.schedules, id)),
    listRoutines: async (...given) =>
      (await api.listRoutines(...given)).filter(({ id }) => isListed(service.data.routines ?? [], id)),
  });
  return service;
}

/** Somebody gives a dashboard another identifier. */
export function renameDashboard(data: EmulatorData, from: string, to: string): void {
  const document = data.documents.find(({ identifier }) => identifier === from);
  if (document === undefined) throw new Error(`no dashboard ${from}`);
  giveIdentifier(document, to, data);
}

/** The id of the nth thing that was made. */
export const madeId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

/** The id of what a test calls so, with up to 16 letters; sorted as the names are. */
export function idOf(name: string): string {
  const digits = Buffer.from(name).toString('hex').padEnd(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Ids count what was made. */
function countingDigits(): () => number {
  let drawn = 0;
  return () => {
    const digits = String(1 + Math.floor(drawn / 32)).padStart(32, '0');
    const digit = Number(digits[drawn % 32]);
    drawn += 1;
    return digit / 16;
  };
}

export function refusal(status: number, code: Failure['code'] = 'api-rejected'): Failure {
  const cause: ServiceError = Object.assign(new Error(`HTTP ${status}`), { code: `HTTP_${status}`, status });
  return new Failure(code, `The service answered ${status}.`, { cause });
}

export const answerLost = () => new Failure('api-answer-lost', 'It is not known whether it was carried out.');

/** The requests that were under way when a run died reach the service. */
export const arrived = () => new Promise((resolve) => setImmediate(resolve));

/** What a PUT sends for fields that are not declared, and a POST leaves to the service. */
export const unset = {
  ...{ enableFormatting: false, fanOut: false, killJobsOnFailure: false },
  ...{ overrideRowLimit: false, showContentLink: true, showFilters: true },
  ...{ expandTablesToShowAllRows: false, hideTitle: false, singleColumnLayout: false },
};
