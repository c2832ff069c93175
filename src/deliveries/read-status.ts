// Reads how the last runs ended, and judges it.

import type { Clock, Reporter } from '../model/outside.ts';
import { type ListedSchedule, maxSchedulesOnAPage } from '../model/service/remote.ts';
import { isOrganizationKey } from '../model/service/token-kinds.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { requireFullOperations, type Service, secondsUntilSent, serviceNow } from '../observe/service.ts';
import { makeStatus, type StatusInput } from './make-status.ts';
import { listRuns } from './run-lists.ts';
import type { StatusDocument } from './status-document.ts';

export const defaultTolerance = 30 * 60_000;

interface StatusQuestion
  extends Pick<StatusInput, 'state' | 'neighbours' | 'only' | 'all' | 'tolerance' | 'zoneRelease'> {
  readonly config: Config;
}

/**
 * Reads the list of schedules, with one request for each hundred, and one of routines for each owner, and judges them by the clock of the service. Throws Failure
 * usage with operations core, api-rejected for a list that says nothing about runs, and what the api throws.
 */
export async function readStatus(
  question: StatusQuestion,
  service: Service,
  { clock, reporter }: { readonly clock: Clock; readonly reporter: Reporter },
): Promise<{ readonly document: StatusDocument; readonly listed: readonly ListedSchedule[] }> {
  const { config, ...rest } = question;
  requireFullOperations(config, 'how the last runs ended');
  const api = await service.api();
  // The schedules that Almanac does not manage come on top; nobody has counted them yet.
  const requests = Math.ceil(Object.keys(question.state?.resources ?? {}).length / maxSchedulesOnAPage);
  const seconds = secondsUntilSent(requests, service);
  if (seconds > 0) reporter.emit({ type: 'expected', isLeast: true, requests, sent: 0, seconds });
  const { rows, schedules: listed, refused } = await listRuns(api, service.call, question.state);
  // A list without these fields would make every schedule look as if it had never run.
  if (listed.length > 0 && listed.every(({ runsUntold }) => runsUntold)) {
    throw new Failure('api-rejected', 'Omni’s list of schedules does not say how their last runs ended.', {
      hint: 'Check that api.baseUrl leads to Omni itself, and that nothing in between changes its answers.',
    });
  }
  const now = serviceNow(clock, api);
  const {
    ignore,
    api: { baseUrl },
  } = config;
  const document = makeStatus({ ...rest, baseUrl, listed: rows, refused, ignore, now });
  return { document: isOrganizationKey(service.token()) ? document : { ...document, seesLess: true }, listed };
}
