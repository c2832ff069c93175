// What Omni's list of schedules says of the last runs, beside the reports. No reason: it may quote anything.

import type { Health, ScheduleStatus, StatusDocument } from '../../health/status-document.ts';
import { needsAttention } from '../../health/status-document.ts';
import type { PageHealth, PageModel } from './page-model.ts';

const healthWords = {
  failed: 'failed',
  missed: 'missed',
  stopped: 'stopped by Omni',
  fine: undefined,
  paused: undefined,
  'condition-unmet': undefined,
  'never-ran': undefined,
} as const satisfies Readonly<Record<Health, string | undefined>>;

/** `isWhole`: all reports were asked for, so that the rest of Omni was counted. */
export function addStatus(
  model: PageModel,
  { schedules, gone, summary }: StatusDocument,
  { isWhole }: { readonly isWhole: boolean },
): PageModel {
  const known = new Map(schedules.map((each) => [each.address, each]));
  const reports = model.reports.map((report) => {
    const found = known.get(report.id);
    if (found === undefined) return report;
    return { ...report, paused: report.paused || found.health === 'paused', health: healthOf(found, report.paused) };
  });
  const notKeptHere = isWhole ? summary.notManaged.count : undefined;
  return { ...model, reports, asked: { notKeptHere, gone: gone.length } };
}

function healthOf({ health, lastCompletedAt }: ScheduleStatus, isPausedHere: boolean): PageHealth | undefined {
  const words = health === 'paused' && !isPausedHere ? 'paused in Omni' : healthWords[health];
  const last =
    lastCompletedAt !== undefined && !Number.isNaN(Date.parse(lastCompletedAt)) ? lastCompletedAt : undefined;
  if (words === undefined && last === undefined) return undefined;
  return {
    words: words ?? '',
    needsAttention: needsAttention(health),
    lastCompletedAt: last && new Date(last).toISOString(),
  };
}
