// Reads the list of schedules, with one request for each hundred, and judges it by the clock of the service.

import type { StatusDocument } from '../../model/deliveries/status-document.ts';
import type { Clock, Reporter } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import { mostSchedulesOnAPage } from '../../model/service/remote.ts';
import type { Address } from '../../model/values/address.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { requireFullOperations, type Service, secondsUntilSent, serviceNow } from '../../service/service.ts';
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

export interface StatusPorts {
  readonly clock: Clock;
  /** Told before a list that takes a person's patience. */
  readonly reporter: Reporter;
}

/** Throws Failure usage with operations core, api-rejected for a list that says nothing about runs, and what the api throws. */
export async function readStatus(
  question: StatusQuestion,
  service: Service,
  { clock, reporter }: StatusPorts,
): Promise<StatusDocument> {
  const { config, ...rest } = question;
  requireFullOperations(config, 'how the last runs ended');
  const api = await service.api();
  // Those that Almanac does not manage come on top; nobody has counted them yet.
  const requests = Math.ceil(Object.keys(question.state?.resources ?? {}).length / mostSchedulesOnAPage);
  const seconds = secondsUntilSent(requests, service);
  if (seconds > 0) reporter.emit({ type: 'expected', isLeast: true, requests, sent: 0, seconds });
  const listed = await api.listSchedules({}, service.call);
  // A list without these fields would make every schedule look as if it had never run.
  if (listed.length > 0 && listed.every(({ runsUntold }) => runsUntold)) {
    throw new Failure('api-rejected', 'Omni’s list of schedules does not say how their last runs ended.', {
      hint: 'Check that api.baseUrl leads to Omni itself, and that nothing in between changes its answers.',
    });
  }
  const now = serviceNow(clock, api);
  return makeStatus({ ...rest, listed, ignore: config.ignore, now });
}
