// `almanac page [SELECTOR...]`: the reports for people who never open git, as one HTML file. Sends nothing to Omni
// without --status.

import type { Loaded } from '../../declare/load/load.ts';
import { deliveryRows, outsideDomainTest } from '../../deliveries/deliveries.ts';
import { defaultTolerance, readStatus } from '../../deliveries/read-status.ts';
import type { ScheduleStatus, StatusDocument } from '../../deliveries/status-document.ts';
import { type NameOf, type NamesById, nameIn } from '../../model/plan/names.ts';
import { noNeighbours } from '../../model/plan/neighbours.ts';
import { type Health, needsAttention } from '../../model/service/health.ts';
import { type Address, kindsInWords, recurringKinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { parseUrl } from '../../model/values/urls.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { AppliedState } from '../../plan/applied.ts';
import { choiceAmong, resolveOrAll } from '../../plan/select.ts';
import { cronWordsAt, sayOldZones } from '../base/cron-words.ts';
import { readNeighbours } from '../base/neighbours.ts';
import { progressReporter } from '../base/progress.ts';
import { readApplied } from '../base/read-applied.ts';
import type { Run, SoundSession } from '../base/run.ts';
import { dashboardKeysIn, describeReports, isReport, type ReportsInput } from './describe-reports.ts';
import { mapTexts, maskRecipients, withoutUrlSecrets } from './hide-people.ts';
import type { PageOptions } from './page-command.ts';
import { isPage, renderPage } from './page-html.ts';
import type { PageHealth, PageModel, PagePermission } from './page-model.ts';

const toStdout = '-';

export async function page(run: Run, options: PageOptions, selectors: readonly string[]): Promise<number> {
  const { out } = options;
  if (out !== toStdout) await checkFile(run, options);
  const session = await run.declared('nothing was written');
  const { config } = session.loaded;
  const applied = await readApplied(run, session);
  const { chosen, whole } = chosenReports(session, applied, selectors);
  const zones = chosen.map(([{ attributes }]) => attributes['timezone']);
  sayOldZones(run, zones);
  const only = selectors.length === 0 ? undefined : new Set(chosen.flat().map(({ id }) => id));
  const online = options.status ? await askStatus(run, session, config, only) : undefined;
  const nameOf = nameIn(session.shown(applied.state?.names), online?.heard);
  const model = await makeModel(run, session, { config, chosen, selectors: whole, applied, online, nameOf });
  const text = renderPage(options.maskRecipients ? maskRecipients(model) : model);
  if (out === toStdout) {
    run.stdout.data(text);
    return 0;
  }
  await session.workspace.writeOutside(out, text);
  if (!run.options.quiet) run.say(`Wrote ${out}: ${countOf(chosen.length, 'report')}.`);
  return 0;
}

/** Throws Failure usage for a file that Almanac reads or keeps, and refused for one that another program wrote. */
async function checkFile(run: Run, { out, force }: PageOptions): Promise<void> {
  await run.checkFiles([out]);
  if (force) return;
  const existingText = await run
    .openDataFile(run.path(out))
    .read()
    .catch(() => 'of another encoding');
  if (existingText === undefined || isPage(existingText)) return;
  throw new Failure('refused', `${out} is there already and is not a page of Almanac, so it was not replaced.`, {
    hint: 'Name another file with --out, or replace it with --force.',
  });
}

/** The rows of each report, including undeclared ones that are still delivered. */
function chosenReports({ loaded }: SoundSession, applied: AppliedState, selectors: readonly string[]) {
  const rows = deliveryRows(applied, loaded.fileNamed).filter(isReport);
  const reports = groupBy(rows, ({ address = '' }) => address);
  const whyNot = () => ({ why: `is not a ${kindsInWords(recurringKinds, 'or')}` });
  const { addresses, selectors: whole } = resolveOrAll(
    selectors,
    choiceAmong(reports.keys(), { loaded, state: applied.state, whyNot }),
  );
  return { chosen: [...reports].flatMap(([address, same]) => (addresses.has(address) ? [same] : [])), whole };
}

interface OnlineAnswers {
  readonly document: StatusDocument;
  readonly heard: NamesById;
}

async function askStatus(
  run: Run,
  session: SoundSession,
  config: Config,
  ids: ReadonlySet<string | undefined> | undefined,
): Promise<OnlineAnswers> {
  const state = await run.readState(await run.store(session), config);
  const tracked = Object.entries(state?.resources ?? {});
  const only = ids && new Set(tracked.flatMap(([address, { id }]) => (ids.has(id) ? address : [])));
  const reporter = progressReporter(run, session.shown);
  const neighbours = only === undefined ? await readNeighbours(run, session) : noNeighbours;
  const question = {
    config,
    state,
    neighbours,
    only,
    all: false,
    tolerance: defaultTolerance,
    zoneRelease: run.zoneRelease,
  };
  const asked = { loaded: session.loaded, reporter, nothing: 'written' } as const;
  return run.asking(asked, async (service) => {
    const { document } = await readStatus(question, service, { clock: run.clock, reporter });
    return session.shown({ document, heard: service.names() });
  });
}

interface PageInput {
  readonly config: Config;
  readonly chosen: ReportsInput['chosen'];
  readonly selectors: readonly string[];
  readonly applied: AppliedState;
  readonly online: OnlineAnswers | undefined;
  readonly nameOf: NameOf;
}

async function makeModel(
  run: Run,
  { loaded, workspace }: SoundSession,
  { config, chosen, selectors, applied, online, nameOf }: PageInput,
): Promise<PageModel> {
  const { internalDomains } = config.safety;
  const { baseUrl } = config.api;
  const knowsInside = internalDomains.length > 0;
  const now = run.clock.now();
  const reports = describeReports({
    chosen,
    isOutside: knowsInside ? outsideDomainTest(internalDomains) : () => false,
    applied,
    nameOf,
    baseUrl,
    dashboardKeys: dashboardKeysIn(loaded.desired.resources),
    cron: await cronWordsAt(now),
  });
  const model: PageModel = {
    host: baseUrl === undefined ? undefined : parseUrl(baseUrl)?.hostname,
    madeAt: new Date(now).toISOString(),
    commit: await (await run.openCheckout(workspace.root)).head(),
    environment: config.environment,
    selectors,
    knowsInside,
    canProve: loaded.rows !== undefined && config.api.operations === 'full',
    isMasked: false,
    reports,
    permissions: permissionsIn(loaded, new Set(reports.map(({ id }) => id))),
  };
  return mapTexts(
    online === undefined ? model : addStatus(model, online.document, { isWhole: selectors.length === 0 }),
    withoutUrlSecrets,
  );
}

/** `ids` are the reports that are shown. */
function permissionsIn({ findings }: Loaded, ids: ReadonlySet<Address>): readonly PagePermission[] {
  return findings.flatMap(({ code, message: words, lapsed, severity, address, concerns = [] }): PagePermission[] => {
    if (code === 'permission-ends') return [{ words, masked: endsSoonWords, isOver: false, reports: [] }];
    if (lapsed === undefined || severity === 'off') return [];
    const reports = [address ?? [], concerns].flat().filter((each) => ids.has(each));
    return reports.length === 0 ? [] : [{ words, masked: `A permission ended on ${lapsed}.`, isOver: true, reports }];
  });
}

const endsSoonWords = 'Permissions end within 30 days.';

const healthWords = {
  failed: 'failed',
  missed: 'missed',
  stopped: 'stopped by Omni',
  unknown: 'last delivery unknown',
  fine: undefined,
  paused: undefined,
  'condition-unmet': undefined,
  'never-ran': undefined,
} as const satisfies Readonly<Record<Health, string | undefined>>;

/**
 * Adds the last runs from Omni's list of schedules to the reports. Reasons are left out: they may quote anything.
 * `isWhole` is true if all reports were requested, so that the rest of Omni was counted.
 */
function addStatus(
  model: PageModel,
  { schedules, gone, seesLess, summary, trackedBy = [] }: StatusDocument,
  { isWhole }: { readonly isWhole: boolean },
): PageModel {
  const known = new Map(schedules.map((each) => [each.id, each]));
  const reports = model.reports.map((report) => {
    const found = known.get(report.idInOmni ?? '');
    if (found === undefined) return report;
    return { ...report, paused: report.paused || found.health === 'paused', health: healthOf(found, report.paused) };
  });
  const notKeptHere = isWhole ? summary.notManaged.count : undefined;
  const hasRun = schedules.some(
    ({ health, lastCompletedAt }) => lastCompletedAt !== undefined || needsAttention(health),
  );
  return {
    ...model,
    reports,
    online: { notKeptHere, trackedBy, gone: gone.length, seesLess: seesLess === true, hasRun },
  };
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
