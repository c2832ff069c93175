// Reads the list of schedules, with one request for each hundred, and judges it by the clock of the service.

import type { State } from '../../model/plan/state.ts';
import type { StatusDocument } from '../../model/plan/status-document.ts';
import type { Address } from '../../model/values/address.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Service } from '../service/service.ts';
import { makeStatus } from './make-status.ts';

export interface StatusQuestion {
  readonly config: Config;
  readonly state: State | undefined;
  /** The schedules that the report is about; undefined for all. */
  readonly only: ReadonlySet<Address> | undefined;
  /** Whether schedules that Almanac does not manage are listed too. */
  readonly all: boolean;
  /** Milliseconds. */
  readonly tolerance: number;
}

/** Throws Failure usage with operations core, and what the api throws. */
export async function readStatus(question: StatusQuestion, service: Service, clock: Clock): Promise<StatusDocument> {
  const { config, ...rest } = question;
  if (config.api.operations !== 'full') {
    throw new Failure('usage', 'With operations core, Almanac cannot ask Omni how the last runs ended.', {
      hint: 'Set `api: { operations: full }` in almanac.yaml. Nothing was sent.',
    });
  }
  const api = await service.api();
  const listed = await api.listSchedules({}, service.call);
  const now = clock.now() + (api.clockDifference() ?? 0);
  return makeStatus({ ...rest, listed, ignore: config.ignore, now });
}
