// Runs an import from the list to the written files: declares everything that exists in Omni and is not tracked, and
// writes adopt entries or, on request, a state. Changes nothing in Omni.

import type { ImportDocument } from '../../model/plan/import.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { secondsUntilSent } from '../../service/service.ts';
import { checkSameOrganization, currentState, replayed } from '../../state/current-state.ts';
import { type Answers, openAnswers } from '../base/details/answers.ts';
import { type KnownDashboard, listDashboards } from '../base/details/known-dashboards.ts';
import {
  type DetailsToRead,
  detailsLeft,
  readDetails,
  requestsFor,
  withResumeHint,
} from '../base/details/read-details.ts';
import { type Drafts, draftSources } from './draft-sources.ts';
import { allowFilters } from './files/allow-filters.ts';
import { placeOfGlob, schemaForFiles } from './files/out-files.ts';
import type { ImportOptions } from './import-options.ts';
import { type ImportPlan, needsDashboards, planImport } from './plan-import.ts';
import { checkNothingUnresolved, usableConfig } from './refusals.ts';
import { whyUnsupported } from './why-unsupported.ts';
import { writeSources } from './write-sources.ts';

export async function importSchedules(options: ImportOptions): Promise<ImportDocument> {
  const { loaded, store } = options;
  const config = usableConfig(loaded);
  const stored = await store.read();
  const state = currentState(stored, store.name);
  const message = replayed(stored, state, store.name);
  if (message !== undefined) options.reporter.emit({ type: 'note', message });
  checkSameOrganization(state, config.api.baseUrl, store.name);
  checkNothingUnresolved(state);
  // A token that is missing is reported before anything is kept.
  options.service.token();
  const scope = { baseUrl: config.api.baseUrl ?? '', identifiers: options.identifiers };
  try {
    const answers = await openAnswers(options.progress, scope, options);
    return await importFrom({ answers, config, state, options });
  } finally {
    await options.progress.close();
  }
}

interface Importing {
  readonly answers: Answers;
  readonly config: Config;
  readonly state: State | undefined;
  readonly options: ImportOptions;
}

async function importFrom(importing: Importing): Promise<ImportDocument> {
  const { answers, config, state, options } = importing;
  const { loaded, reporter, folder, service, environment } = options;
  const listed = answers.listed ?? (await listAll(options));
  const glob = placeOfGlob(config.sources[0] ?? '');
  const place = folder === undefined ? glob : { ...glob, folder };
  const asked = { ...options, loaded, state, listed, place };
  const onNote = (message: string) => reporter.emit({ type: 'note', message });
  const known = answers.get('dashboards', '') ?? (needsDashboards(asked) ? await listDashboards(service, onNote) : []);
  const plan = planImport({ ...asked, known });
  await readAll(importing, plan, { listed, known });
  const { schemaFor, written } = await schemaForFiles(options, config);
  const now = options.clock.now();
  const drafts = await draftSources({
    ...plan,
    answers,
    config,
    environment,
    now,
    schemaFor,
    adopt: !options.writeState,
  });
  if (drafts.skipped.length > 0) reporter.emit({ type: 'skipped', schedules: drafts.skipped });
  if (drafts.notes.length > 0) reporter.emit({ type: 'notes', messages: drafts.notes });
  const settings = await allowFilters(drafts.sources, config, options);
  await writeSources(drafts, { ...options, before: state, schema: written, settings });
  await options.progress.remove();
  return documentOf(drafts, plan, service.sent(), written);
}

async function listAll({ identifiers, service, reporter }: ImportOptions): Promise<readonly ListedSchedule[]> {
  const api = await service.api();
  const only = identifiers.length === 0 ? [{}] : identifiers.map((identifier) => ({ identifier }));
  const found = new Map<string, ListedSchedule>();
  for (const which of only) {
    const rows = await api.listSchedules(which, service.call);
    for (const row of rows) found.set(row.id, row);
    if ('identifier' in which && rows.length === 0)
      reporter.emit({ type: 'note', message: `No schedule delivers the dashboard ${which.identifier}.` });
  }
  return [...found.values()];
}

interface Lists {
  readonly listed: readonly ListedSchedule[];
  readonly known: readonly KnownDashboard[];
}

async function readAll(importing: Importing, plan: ImportPlan, { listed, known }: Lists): Promise<void> {
  const { answers, options } = importing;
  const { reporter, signal, service } = options;
  const wanted = detailsOf(plan);
  const left = detailsLeft(wanted, answers);
  const requests = requestsFor(left, answers);
  if (requests === 0) return;
  if (answers.listed === undefined) await answers.list(listed);
  if (answers.get('dashboards', '') === undefined) await answers.keep('dashboards', '', known);
  const seconds = secondsUntilSent(requests, service);
  const [schedules, dashboards] = [left.schedules.length, left.dashboards.length];
  reporter.emit({ type: 'expected', requests, seconds, schedules, dashboards });
  let done = 0;
  const onRead = (name: string) => {
    done += 1;
    reporter.emit({ type: 'read', done, total: schedules + dashboards, name });
  };
  const api = await service.api();
  const { concurrency } = service;
  try {
    await readDetails(left, { api, answers, concurrency, onRead, signal });
  } catch (error) {
    throw error instanceof Failure ? withResumeHint(error, done, schedules + dashboards, options.progress.name) : error;
  }
}

/** The filters of a dashboard are needed for its schedules: values that differ from them are a schedule's own. */
function detailsOf({ schedules: found, dashboards, declareFilters }: ImportPlan): DetailsToRead {
  const schedules = found.filter((schedule) => whyUnsupported(schedule) === undefined);
  const delivered = new Set(schedules.map(({ identifier }) => identifier));
  const ids = dashboards.map(({ identifier }) => identifier);
  return {
    schedules,
    answers: ['schedule', 'recipients'],
    dashboards: ids.filter((id) => delivered.has(id) || declareFilters.has(id)),
  };
}

function documentOf(
  { sources, imported, skipped, variables }: Drafts,
  { tracked }: ImportPlan,
  requests: number,
  schema: string | undefined,
): ImportDocument {
  const files = sources.map(({ path, dashboards, schedules }) => ({
    path,
    resources: dashboards.length + schedules.length,
  }));
  return {
    formatVersion: 1,
    files,
    schema: files.length === 0 ? undefined : schema,
    imported,
    skipped,
    variables,
    tracked: tracked.length,
    requests,
  };
}
