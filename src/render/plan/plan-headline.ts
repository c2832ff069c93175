// A plan in one line, for every report: `1 to update, 1 to delete`.

import { actionNames } from '../../model/plan/action.ts';
import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { PlanDocument, PlanSummary } from '../../model/plan/plan.ts';
import { countList, countOf } from '../text/count-words.ts';
import { duration } from '../text/time-words.ts';

/** `3 to create, 1 to update`; empty where nothing changes. */
export function planCounts(summary: PlanSummary): string {
  return countList(actionNames.map((action) => [summary[action], `to ${action}`]));
}

/**
 * Which service it is for, empty plans included: ``At `https://…`, operations full``. A state that many share is named as
 * well.
 */
export function placeWords({ baseUrl, operations, state }: PlanDocument, code: (text: string) => string): string {
  const service = baseUrl === null ? 'No base URL is set' : `At ${code(baseUrl)}`;
  return `${service}, operations ${operations}${state.place === undefined ? '' : `, state in ${code(state.place)}`}`;
}

/** `14 recipients replaced by the sink of staging`; empty where deliveries go to those who are declared. */
export function sinkWords({ sink }: PlanDocument, code: (text: string) => string): string {
  if (sink === undefined) return '';
  const { environment, recipients } = sink;
  return `${recipients === 0 ? 'No recipient is' : countOf(recipients, 'recipient')} replaced by the sink of ${code(environment)}`;
}

/** `2 requests`. */
export function requestCount({ changes }: PlanDocument): string {
  const requests = changes.reduce((sum, change) => sum + change.requests, 0);
  return requests === 0 ? 'No requests' : countOf(requests, 'request');
}

/** The same for a run that is about to begin: `1 request for the changes, 1 to see what exists`. */
export function costWords({ requests, sent, seconds }: RunCost): string {
  const changes = countOf(requests - sent, 'request');
  const words = sent === 0 ? changes : `${changes} for the changes, ${sent} to see what exists`;
  return seconds === 0 ? words : `${words}; the rate limit makes them take about ${duration(seconds)}`;
}
