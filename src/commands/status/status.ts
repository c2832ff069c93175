// `almanac status`: which deliveries failed, were missed or stopped, for a person or a job in the morning.

import { selectApplied } from '../../engine/choose/select.ts';
import { invalidWorkspace } from '../../engine/load/load.ts';
import { withService } from '../../engine/service/service.ts';
import { readStatus } from '../../engine/status/read-status.ts';
import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../model/deliveries/status-document.ts';
import { isDelivered, type TriggeredSchedule } from '../../model/deliveries/trigger-document.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderTriggered } from '../../render/trigger/trigger-text.ts';
import { pageOf } from '../base/page.ts';
import { progressReporter } from '../base/progress.ts';
import { readStoreOf } from '../base/read-state.ts';
import { checkFiles } from '../base/report-files.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openSession, openState } from '../base/session.ts';
import { whenInterrupted } from '../base/when-interrupted.ts';
import type { World } from '../base/world.ts';
import { checkCanAsk, deliverNow } from '../trigger/deliver-now.ts';
import type { StatusOptions } from './command.ts';
import { printStatus, renderStatus } from './status-reports.ts';

const defaultTolerance = 30 * 60_000;
const defaultMax = 20;
const withFailures = 2;
const notSent = 1;

export async function status(world: World, options: StatusOptions): Promise<number> {
  const { report: reports = [], retry = [], format, max } = options;
  if (max !== undefined && retry.length === 0)
    throw new Failure('usage', '--max belongs to --retry.', { hint: 'Add --retry.' });
  const files = reports.map(({ file }) => file);
  await checkFiles(world, options, files);
  // The declarations may have errors: the deliveries go on all the same.
  const session = await openSession(world, options);
  const { config, findings } = session.loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, session.loaded);
  if (retry.length > 0) {
    if (format !== 'text' && format !== 'json')
      throw new Failure('usage', `--retry says what it sends as text or JSON, so it takes no --format ${format}.`, {
        hint: `Write the report to a file: --report ${format}=FILE.`,
      });
    checkCanAsk(world, options);
  }
  const store = await openState(world, options, session, retry.length > 0 ? 'changes' : 'reads');
  const state = await readStoreOf(world, store, config);
  const only = options.select && selectApplied(options.select, session.loaded, state);
  const { all = false, tolerance = defaultTolerance } = options;
  const reporter = progressReporter(world, options, session.shown);
  let document: StatusDocument;
  try {
    document = await whenInterrupted(retry.length > 0 ? 'delivered' : 'changed', () =>
      withService(serviceOptions(world, session.loaded, reporter), (service) =>
        readStatus({ config, state, only, all, tolerance }, service, { clock: world.clock, reporter }),
      ),
    );
  } finally {
    reporter.end();
  }
  const writeReports = async (shown: StatusDocument) => {
    for (const { format: form, file } of reports) await session.workspace.writeOutside(file, renderStatus[form](shown));
  };
  const report = session.shown(document);
  await writeReports(report);
  // What a program reads is one document, so it waits for the deliveries.
  if (format === 'text' || retry.length === 0) printStatus(world, options, report);
  const attention = document.schedules.filter(({ health }) => needsAttention(health));
  const isRetried = ({ health }: ScheduleStatus) => retry.includes(health);
  const addresses = attention.filter(isRetried).flatMap(({ address }) => address ?? []);
  let retried: readonly TriggeredSchedule[] = [];
  if (addresses.length > 0) {
    if (format === 'text') world.stdout.write('\n');
    retried = await deliverNow(world, { ...options, max: max ?? defaultMax }, { session, store, addresses });
    if (format === 'text') world.stdout.write(renderTriggered(pageOf(world.stdout, world, options), retried));
  }
  if (retry.length > 0) {
    const told = session.shown({ ...document, retried });
    await writeReports(told);
    if (format === 'json') printStatus(world, options, told);
  }
  if (!retried.every(isDelivered)) return notSent;
  return attention.length > addresses.length ? withFailures : 0;
}
