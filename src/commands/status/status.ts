// `almanac status`: which deliveries failed, were missed or stopped, for a person or a job in the morning.

import { selectApplied } from '../../engine/choose/select.ts';
import { invalidWorkspace } from '../../engine/load/load.ts';
import { readStatus } from '../../engine/status/read-status.ts';
import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../model/deliveries/status-document.ts';
import { isDelivered, type TriggeredSchedule } from '../../model/deliveries/trigger-document.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderStatusJunit } from '../../render/status/status-junit.ts';
import { renderStatusMarkdown } from '../../render/status/status-markdown.ts';
import { renderStatusText } from '../../render/status/status-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { plainTheme } from '../../render/text/theme.ts';
import { renderTriggered } from '../../render/trigger/trigger-text.ts';
import type { StatusFormat } from '../base/command.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import { checkCanAsk, deliverNow } from '../trigger/trigger.ts';
import type { StatusOptions } from './command.ts';

const defaultTolerance = 30 * 60_000;
const defaultMax = 20;
const withFailures = 2;
const notSent = 1;

export async function status(run: Run, options: StatusOptions): Promise<number> {
  const { report: reports = [], retry = [], format, max } = options;
  if (max !== undefined && retry.length === 0)
    throw new Failure('usage', '--max belongs to --retry.', { hint: 'Add --retry.' });
  const files = reports.map(({ file }) => file);
  await run.checkFiles(files);
  // The declarations may have errors: the deliveries go on all the same.
  const session = await run.load();
  const { config, findings } = session.loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, session.loaded);
  if (retry.length > 0) {
    if (format !== 'text' && format !== 'json')
      throw new Failure('usage', `--retry says what it sends as text or JSON, so it takes no --format ${format}.`, {
        hint: `Write the report to a file: --report ${format}=FILE.`,
      });
    checkCanAsk(run, options);
  }
  const store = await run.store(session, retry.length > 0 ? 'changes' : 'reads');
  const state = await run.recorded(store, config);
  const only = options.select && selectApplied(options.select, session.loaded, state);
  const { all = false, tolerance = defaultTolerance } = options;
  const reporter = progressReporter(run, session.shown);
  const nothing = retry.length > 0 ? 'delivered' : 'changed';
  const document = await run.asking({ loaded: session.loaded, reporter, nothing }, (service) =>
    readStatus({ config, state, only, all, tolerance }, service, { clock: run.clock, reporter }),
  );
  const writeReports = async (shown: StatusDocument) => {
    for (const { format: form, file } of reports) await session.workspace.writeOutside(file, renderStatus[form](shown));
  };
  const report = session.shown(document);
  await writeReports(report);
  // What a program reads is one document, so it waits for the deliveries.
  if (format === 'text' || retry.length === 0) printStatus(run, options, report);
  const attention = document.schedules.filter(({ health }) => needsAttention(health));
  const isRetried = ({ health }: ScheduleStatus) => retry.includes(health);
  const addresses = attention.filter(isRetried).flatMap(({ address }) => address ?? []);
  let retried: readonly TriggeredSchedule[] = [];
  if (addresses.length > 0) {
    if (format === 'text') run.stdout.write('\n');
    retried = await deliverNow(run, { ...options, max: max ?? defaultMax }, { session, store, addresses });
    if (format === 'text') run.stdout.write(renderTriggered(run.page(), retried));
  }
  if (retry.length > 0) {
    const told = session.shown({ ...document, retried });
    await writeReports(told);
    if (format === 'json') printStatus(run, options, told);
  }
  if (!retried.every(isDelivered)) return notSent;
  return attention.length > addresses.length ? withFailures : 0;
}

/** For a file or a program. Each ends with a newline. */
const renderStatus: Readonly<Record<StatusFormat, (document: StatusDocument) => string>> = {
  text: (document) => renderStatusText(document, { theme: plainTheme, width: 80 }),
  json: renderJson,
  markdown: renderStatusMarkdown,
  junit: renderStatusJunit,
};

/** The status in any format, made from the one document. */
function printStatus(run: Run, options: StatusOptions, document: StatusDocument): void {
  const { format } = options;
  if (format === 'text') run.stdout.write(renderStatusText(document, run.page()));
  else run.stdout.data(renderStatus[format](document));
}
