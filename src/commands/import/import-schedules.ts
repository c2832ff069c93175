// Runs an import from the list to the written files: declares everything that exists in Omni and is not tracked, and
// writes adopt entries or, on request, a state. Changes nothing in Omni.

import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import { isFilter } from '../../declare/rules/filter-shape.ts';
import type { SchemaSettings } from '../../declare/workspace-schema.ts';
import type { ImportDocument } from '../../model/documents.ts';
import { actions } from '../../model/plan/action.ts';
import { openChanges, type State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SourceDraft } from '../../model/workspace/source-draft.ts';
import { renderSource } from '../../report/source-text.ts';
import { secondsUntilSent } from '../../service/service.ts';
import { checkSameOrganization, currentState, replayed } from '../../state/current-state.ts';
import { editYaml } from '../../yaml/edit/edit-yaml.ts';
import { configOrder } from '../../yaml/format/sort-entries.ts';
import { type Answers, openAnswers } from '../base/details/answers.ts';
import {
  type DetailsToRead,
  detailsLeft,
  type KnownDashboard,
  listDashboards,
  readDetails,
  requestsFor,
  withResumeHint,
} from '../base/details/read-details.ts';
import { whyUnsupported } from './declare-schedule.ts';
import { type Drafts, draftSources } from './draft-sources.ts';
import { placeOfGlob, schemaForFiles } from './files/out-files.ts';
import type { ImportOptions } from './import-options.ts';
import { type ImportPlan, needsDashboards, planImport, trackImported } from './plan-import.ts';

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

// Omni may hold filter values that are not in the form of a filter: an example of its API is one. They are declared as they
// are, so the error about them is lowered in almanac.yaml.

/** The configuration with what almanac.yaml says from now on. */
async function allowFilters(
  sources: readonly SourceDraft[],
  config: Config,
  { loaded, workspace, reporter }: ImportOptions,
): Promise<Config> {
  const odd = sources.flatMap(({ schedules }) => schedules).filter(hasOddFilter);
  if (odd.length === 0 || config.checks['filter-shape'] !== undefined) return config;
  // An import needs operations full, which only a file can say.
  const { path, text: before } = loaded.fileNamed(config.file ?? '') ?? { path: 'almanac.yaml', text: '' };
  const edits = [{ document: 0, pointer: '/checks/filter-shape', value: 'warning' }];
  const after = editYaml(before, edits, configOrder);
  const found = `${countOf(odd.length, 'schedule')}, such as ${odd[0]?.key}, ${odd.length === 1 ? 'has' : 'have'} a filter value that is not in the form of a filter. It is declared as Omni has it.`;
  const line = '`checks: { filter-shape: warning }`';
  if (after === undefined) {
    reporter.emit({ type: 'note', message: `${found} To allow that, write ${line} in ${path}.` });
    return config;
  }
  await workspace.replace(path, before, after);
  reporter.emit({ type: 'note', message: `${found} To allow that, ${path} now says ${line}.` });
  return { ...config, checks: { ...config.checks, 'filter-shape': 'warning' } };
}

function hasOddFilter({ fields }: SourceDraft['schedules'][number]): boolean {
  const filters = fields.find(({ name }) => name === 'filterConfig')?.value;
  return isJsonObject(filters) && !Object.values(filters).every((filter) => isFilter(filter, 'schedule'));
}

// When an import is refused before it asks the service for anything.

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
  const open = openChanges(state).filter(({ action }) => actions[action].findable);
  if (open.length === 0) return;
  throw new Failure(
    'refused',
    `The outcome of an earlier apply is not known yet: ${open.map(({ address }) => address).join(', ')}.`,
    { hint: 'Run almanac apply first: it finds out what was created. Nothing was sent.' },
  );
}

/**
 * Writes the drafts as files. Their adopt entries make them take effect; with --write-state the state is written
 * instead.
 */
async function writeSources(
  { sources, imported, guessed, values }: Drafts,
  options: ImportOptions & {
    readonly before: State | undefined;
    readonly schema: string | undefined;
    readonly settings: SchemaSettings;
  },
): Promise<void> {
  const { workspace, reporter } = options;
  if (sources.length === 0) return;
  const { schema, settings } = options;
  if (schema !== undefined) await workspace.write(schema, options.schemaText(settings));
  for (const draft of sources) await workspace.write(draft.path, renderSource(draft));
  // The state knows the secrets that Omni returned, whether or not their variables are set here.
  const loaded = await options.reload(values);
  const ids = new Map(imported.map(({ address, id }) => [address, id]));
  const tracked = new Map<Address, string | undefined>(
    sources.flatMap(addressesOf).map((address) => [address, ids.get(address)]),
  );
  const { resources, absent = [] } = loaded.desired;
  const seen = new Set([...resources, ...absent].map(({ address }) => address));
  const unseen = sources.filter((source) => addressesOf(source).some((address) => !seen.has(address)));
  const message = `${unseen.map(({ path }) => path).join(', ')} will not be read: no glob of \`sources\` matches.`;
  if (unseen.length > 0 && options.writeState) {
    throw new Failure('refused', `${message} The state was not written: its new entries would count as removed.`, {
      hint: 'Add the folder to `sources` in almanac.yaml, then continue with --write-state --resume --force.',
    });
  }
  if (unseen.length > 0) reporter.emit({ type: 'note', message });
  if (!options.writeState) return;
  const onNote = (text: string) => reporter.emit({ type: 'note', message: text });
  await trackImported({ ...options, loaded, imported: tracked, unread: guessed, onNote });
}

function addressesOf({ dashboards, schedules }: SourceDraft): readonly Address[] {
  return [
    ...dashboards.map(({ key }) => addressOf('dashboard', key)),
    ...schedules.map(({ key }) => addressOf('schedule', key)),
  ];
}
