// `almanac status`: failed, missed or stopped deliveries, for a person or a job.

import { isDelivered, type TriggeredSchedule } from '../../apply/trigger-document.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { defaultTolerance, readStatus } from '../../deliveries/read-status.ts';
import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../deliveries/status-document.ts';
import { noNeighbours } from '../../model/plan/neighbours.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { stillGoing } from '../../plan/ended-lines.ts';
import type { PlanInputs } from '../../plan/inputs.ts';
import { lostRows, readBackRows } from '../../plan/not-read-back.ts';
import { selectApplied } from '../../plan/select.ts';
import { lacksState, withoutState } from '../../plan/untracked.ts';
import type { Page } from '../../report/text/theme.ts';
import { unappliedTo } from '../base/checkout-position.ts';
import { checkCanAsk, deliverNow, renderTriggered } from '../base/deliver-now.ts';
import { exitCodeOf } from '../base/exit-code.ts';
import { readNeighbours } from '../base/neighbours.ts';
import { sayOldZones } from '../base/old-zones.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import { isCi } from '../base/world.ts';
import type { StatusOptions } from './status-command.ts';
import { renderStatusMarkdown, renderStatusText } from './status-report.ts';

const defaultMax = 20;

export async function status(run: Run, options: StatusOptions, selectors: readonly string[]): Promise<number> {
  const { report = [], retry = [], format, max } = options;
  if (max !== undefined && retry.length === 0)
    throw new Failure('usage', '--max belongs to --retry.', { hint: 'Add --retry.' });
  if (options.all && selectors.length > 0)
    throw new Failure('usage', '--all lists what Almanac does not track, and a selector cannot choose from that.', {
      hint: `Leave out --all, or ${selectors[0]}.`,
    });
  await run.checkFiles(report.map(({ file }) => file));
  // The declarations may have errors: the deliveries go on all the same.
  const session = await run.configured();
  const { config } = session;
  if (retry.length > 0) {
    if (format !== 'text' && format !== 'json')
      throw new Failure('usage', `--retry says what it sends as text or JSON, so it takes no --format ${format}.`, {
        hint: `Write the report to a file: --report ${format}=FILE.`,
      });
    checkCanAsk(run, options);
  }
  const store = await run.store(session, retry.length > 0 ? 'changes' : 'reads');
  const state = await run.readState(store, config);
  // Retried schedules are named as for `trigger`.
  const onlyWhole = retry.length > 0 && isCi(run.environment);
  const only =
    selectors.length > 0 ? selectApplied(selectors, { loaded: session.loaded, state, onlyWhole }).addresses : undefined;
  const { all = false, tolerance = defaultTolerance } = options;
  const neighbours = only === undefined ? await readNeighbours(run, session) : noNeighbours;
  const reporter = progressReporter(run, session.shown);
  const nothing = retry.length > 0 ? 'delivered' : 'changed';
  const { document: found, listed } = await run.asking({ loaded: session.loaded, reporter, nothing }, (service) =>
    readStatus({ config, state, neighbours, only, all, tolerance, zoneRelease: run.zoneRelease }, service, {
      clock: run.clock,
      reporter,
    }),
  );
  const seesAll = found.seesLess !== true;
  const unapplied = await unappliedTo(run, session, state);
  const notReadBack = [...readBackRows({ loaded: session.loaded, state }), ...lostRows(state)].filter(
    ({ address }) => only?.has(address) ?? true,
  );
  const document: StatusDocument = {
    ...found,
    ...(state === undefined ? { noState: withoutState(session.loaded, { listed, seesAll, neighbours }) } : {}),
    ...(unapplied === undefined ? {} : { unapplied }),
    ...(notReadBack.length === 0 ? {} : { notReadBack }),
    ...endsOfPermissions({ loaded: session.loaded, state }, only),
  };
  sayEnded(run, session.loaded);
  const zones = document.schedules.map(({ timezone }) => timezone);
  sayOldZones(run, zones);
  // Programs read one document, so it waits for the deliveries.
  const isWhole = format === 'text' || retry.length === 0;
  await (isWhole ? run.publish : run.writeReports)(options, printersOf(session.shown(document)));
  const attention = document.schedules.filter(({ health }) => needsAttention(health));
  const isRetried = ({ health }: ScheduleStatus) => retry.includes(health);
  const addresses = attention.filter(isRetried).flatMap(({ address }) => address ?? []);
  let retried: readonly TriggeredSchedule[] = [];
  if (addresses.length > 0) {
    if (format === 'text') run.stdout.write('\n');
    retried = await deliverNow(
      run,
      { ...options, max: max ?? defaultMax },
      { session, store, selectors: addresses, listed },
    );
    if (format === 'text') run.stdout.write(renderTriggered(run.page(), retried));
  }
  if (retry.length > 0) {
    const told = printersOf(session.shown({ ...document, retried }));
    await (isWhole ? run.writeReports : run.publish)(options, told);
  }
  const isGone = !document.seesLess && document.gone.length > 0;
  // Unmanaged schedules are judged without a state.
  const isJudged = document.foundNone !== true && (all || !lacksState(document, session.loaded));
  return exitCodeOf({
    isWrong: isGone || attention.length > addresses.length || document.ended !== undefined || notReadBack.length > 0,
    isOpen: !isJudged || !retried.every(isDelivered),
  });
}

/** Ended lines of the table of permissions by which deliveries go on, and lines that end soon. */
function endsOfPermissions(
  inputs: Pick<PlanInputs, 'loaded' | 'state'>,
  only: ReadonlySet<Address> | undefined,
): Pick<StatusDocument, 'ended' | 'ending'> {
  const going = stillGoing([], inputs).filter(({ address }) => only?.has(address) ?? true);
  const byLine = groupBy(going, ({ receiver, line }) => JSON.stringify([receiver.shown, line.at]));
  const ended = [...byLine.values()].flatMap((same) => {
    const [{ line, receiver, finding } = {}] = same;
    if (line === undefined || receiver === undefined) return [];
    const addresses = same.map(({ address }) => address);
    return [
      {
        line: line.text,
        at: line.at,
        until: line.until,
        receiver: receiver.shown,
        addresses,
        hint: finding?.hint ?? '',
      },
    ];
  });
  const ending = inputs.loaded.findings.flatMap(({ code, message, hint = '' }) =>
    code === 'permission-ends' ? [{ message, hint }] : [],
  );
  return { ...(ended.length === 0 ? {} : { ended }), ...(ending.length === 0 ? {} : { ending }) };
}

function printersOf(document: StatusDocument) {
  return {
    text: (page: Page) => renderStatusText(document, page),
    json: document,
    markdown: ({ wording }: Page) => renderStatusMarkdown(document, wording),
  };
}

/**
 * Reports on stderr, unless --quiet, that warnings are back because the last day of their acceptance is over. It
 * changes nothing else: `validate` and `plan` report them.
 */
function sayEnded(run: Run, { findings }: Loaded): void {
  const back = findings.filter((finding) => finding.ended !== undefined && severityOf(finding) !== 'off');
  if (back.length === 0 || run.options.quiet) return;
  const places = back.flatMap(({ code, address = '', concerns = [address] }) =>
    concerns.map((at) => `${code} of \`${at}\``),
  );
  const distinct = [...new Set(places)];
  const are = distinct.length === 1 ? 'is' : 'are';
  run.say(
    `warning: ${countOf(distinct.length, 'acceptance')} ${are} over: ${nameSome(distinct)}. ${command('validate')} shows what was accepted.`,
    run.stderr,
  );
}
