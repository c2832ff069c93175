// Runs an import from the list to the written files: declares everything that exists in Omni and is not tracked, and
// writes adopt entries or, on request, a state. Changes nothing in Omni.

import { actions } from '../../model/plan/action.ts';
import type { ImportDocument } from '../../model/plan/import.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { secondsFor } from '../../model/values/rate.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { invalidWorkspace } from '../load/invalid-workspace.ts';
import type { Loaded } from '../load/load.ts';
import { checkSameOrganization, currentState, replayed } from '../state/current-state.ts';
import { type Answers, openAnswers } from './answers.ts';
import { type Drafts, draftSources } from './draft-sources.ts';
import type { ImportOptions } from './import-options.ts';
import { placeOfGlob, schemaFor } from './out-files.ts';
import { type ImportPlan, planImport } from './plan-import.ts';
import { detailsLeft, readDetails, requestsFor } from './read-details.ts';
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
  options.service.tokens();
  const scope = { baseUrl: config.api.baseUrl ?? '', identifiers: options.identifiers };
  try {
    const answers = await openAnswers(options.progress, scope, options);
    return await importFrom({ answers, config, state, options });
  } finally {
    await options.progress.close();
  }
}

/** Throws Failure usage with operations core, which cannot read schedules. */
function usableConfig(loaded: Loaded): Config {
  const { config } = loaded;
  if (config !== undefined && config.api.operations !== 'full') {
    throw new Failure('usage', 'An import reads schedules, and operations core cannot read them.', {
      hint: 'Set `api: { operations: full }` in almanac.yaml. Nothing was sent.',
    });
  }
  if (config === undefined || hasErrors(loaded.findings))
    throw invalidWorkspace('The declarations have errors; nothing was imported.', loaded.findings, loaded);
  return config;
}

/** A schedule whose creation is unresolved would be declared a second time. */
function checkNothingUnresolved(state: State | undefined): void {
  const open = state?.unresolved.filter(({ action }) => actions[action].findable) ?? [];
  if (open.length === 0) return;
  throw new Failure(
    'refused',
    `The outcome of an earlier apply is not known yet: ${open.map(({ address }) => address).join(', ')}.`,
    { hint: 'Run almanac apply first: it finds out what was created. Nothing was sent.' },
  );
}

interface Importing {
  readonly answers: Answers;
  readonly config: Config;
  readonly state: State | undefined;
  readonly options: ImportOptions;
}

async function importFrom(importing: Importing): Promise<ImportDocument> {
  const { answers, config, state, options } = importing;
  const { loaded, workspace, reporter, folder, service } = options;
  const listed = answers.listed ?? (await listAll(options));
  const glob = placeOfGlob(config.sources[0] ?? '');
  const place = folder === undefined ? glob : { ...glob, folder };
  const plan = planImport({ ...options, loaded, state, listed, place });
  await readAll(importing, plan, listed);
  const sources = (await workspace.list(config.sources)).flatMap((path) => loaded.fileNamed(path) ?? []);
  const drafts = draftSources({
    ...plan,
    answers,
    config,
    environment: options.environment,
    now: options.clock.now(),
    schema: schemaFor(place.folder, sources),
    adopt: !options.writeState,
  });
  for (const schedule of drafts.skipped) reporter.emit({ type: 'skipped', schedule });
  for (const message of drafts.notes) reporter.emit({ type: 'note', message });
  await writeSources(drafts, { ...options, before: state });
  await options.progress.remove();
  return documentOf(drafts, plan, service.sent());
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

async function readAll(importing: Importing, plan: ImportPlan, listed: readonly ListedSchedule[]): Promise<void> {
  const { answers, options } = importing;
  const { reporter, signal, service } = options;
  const known = plan.schedules.filter((schedule) => whyUnsupported(schedule) === undefined);
  const wanted = { schedules: known, dashboards: filtersToRead({ ...plan, schedules: known }) };
  const left = detailsLeft(wanted, answers);
  const requests = requestsFor(left, answers);
  if (requests === 0) return;
  if (answers.listed === undefined) await answers.list(listed);
  const seconds = secondsFor(service.sent() + requests, service.rateLimit, service.tokens().length);
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
    throw error instanceof Failure ? withResumeHint(error, done, schedules + dashboards, options) : error;
  }
}

/** The dashboards whose filters are needed: values of a schedule that differ from them are its own. */
function filtersToRead({ schedules, dashboards, declareFilters }: ImportPlan): readonly string[] {
  const delivered = new Set(schedules.map(({ identifier }) => identifier));
  return dashboards.map(({ identifier }) => identifier).filter((id) => delivered.has(id) || declareFilters.has(id));
}

function withResumeHint(error: Failure, done: number, total: number, { progress }: ImportOptions): Failure {
  const kept = `${progress.name} keeps what was read, ${done} of ${total}: continue with --resume.`;
  return new Failure(error.code, error.message, {
    hint: error.hint === undefined ? kept : `${error.hint}\n${kept}`,
    cause: error.cause,
  });
}

function documentOf({ sources, imported, skipped }: Drafts, { tracked }: ImportPlan, requests: number): ImportDocument {
  const files = sources.map(({ path, dashboards, schedules }) => ({
    path,
    resources: dashboards.length + schedules.length,
  }));
  return { formatVersion: 1, files, imported, skipped, tracked, requests };
}
