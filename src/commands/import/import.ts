// `almanac import`, from the list to the written files: finds what is declared and not tracked, declares everything else that
// exists in Omni and is not tracked, and writes adopt entries or, on request, a state. Changes nothing in Omni.

import { invalidWorkspace, type Loaded, load } from '../../declare/load/load.ts';
import { isFilter } from '../../declare/rules/filter-shape.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { type SchemaSettings, workspaceSchema } from '../../declare/workspace-schema.ts';
import type { ProgressFile } from '../../model/outside.ts';
import { actions } from '../../model/plan/action.ts';
import { openChanges, type State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SourceDraft } from '../../model/workspace/source-draft.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { renderSource } from '../../report/source-text.ts';
import { schemaText } from '../../report/text/schema-text.ts';
import type { Service } from '../../service/service.ts';
import { unknownOptions } from '../../service/unknown-options.ts';
import { checkSameOrganization, stateForShow } from '../../state/current-state.ts';
import type { StateStore } from '../../state/state-store.ts';
import { editYaml } from '../../yaml/edit/edit-yaml.ts';
import { configOrder } from '../../yaml/format/source-order.ts';
import { type Answers, openAnswers } from '../base/details/answers.ts';
import {
  type DetailsToRead,
  detailsLeft,
  type KnownDashboard,
  listDashboards,
  readDetails,
  requestsFor,
} from '../base/details/read-details.ts';
import type { ImportDocument, ImportReporter } from '../base/import-document.ts';
import { importReporter, renderImport } from '../base/import-text.ts';
import type { Run } from '../base/run.ts';
import type { ImportOptions } from './command.ts';
import { whyUnsupported } from './declare-schedule.ts';
import { type Drafts, draftSources } from './draft-sources.ts';
import { placeOfGlob, schemaForFiles } from './files.ts';
import { findPairs, type Pairing } from './find-pairs.ts';
import { recipientCountOf } from './pair-declared.ts';
import {
  filesInTheWay,
  type ImportPlan,
  needsDashboards,
  planImport,
  refuseExisting,
  trackImported,
} from './plan-import.ts';

/** What an import works with. */
interface Importing extends Pick<Run, 'environment' | 'clock' | 'randomness' | 'toolVersion' | 'signal'> {
  readonly run: Run;
  readonly workspace: Workspace;
  readonly loaded: Loaded;
  readonly config: Config;
  readonly options: ImportOptions;
  /** Of --out, relative to the workspace; undefined for the folder of the first source glob. */
  readonly folder: string | undefined;
  readonly store: StateStore;
  /** As it was when the import began. */
  readonly state: State | undefined;
  readonly progress: ProgressFile;
  readonly answers: Answers;
  readonly service: Service;
  readonly reporter: ImportReporter;
}

export async function importCommand(run: Run, options: ImportOptions): Promise<number> {
  const session = await run.loadAnywhere();
  const { workspace, loaded } = session;
  const writesState = options.writeState === true;
  const reporter = importReporter(run, session.shown);
  try {
    const store = await run.store(session, writesState ? 'changes' : 'reads');
    const progress = await run.progress(session, 'import');
    const folder = options.out === undefined ? undefined : workspace.locate(options.out);
    const imported = await run.asking({ loaded, reporter }, async (service) => {
      const config = usableConfig(loaded);
      const state = await usableState(store, config, reporter);
      // A token that is missing is reported before anything is kept.
      service.token();
      const scope = { baseUrl: config.api.baseUrl ?? '', identifiers: options.identifier ?? [] };
      try {
        const answers = await openAnswers(progress, scope, { ...options, reporter });
        const here = { workspace, loaded, config, options, folder, store, state };
        return await importFrom({ ...run, run, ...here, progress, answers, service, reporter });
      } finally {
        await progress.close();
      }
    });
    const document = session.shown(imported);
    const isOnlyEnvironment = loaded.config?.environments.length === 0;
    run.print(options.format, document, (page) => renderImport(document, { ...page, writesState, isOnlyEnvironment }));
    return 0;
  } finally {
    reporter.end();
  }
}

async function importFrom(importing: Importing): Promise<ImportDocument> {
  const { answers, config, options, folder, reporter, service } = importing;
  const listed = await listAll(importing);
  answers.list(listed);
  const glob = placeOfGlob(config.sources[0] ?? '');
  const place = { ...glob, folder: folder ?? glob.folder };
  const onNote = (message: string) => reporter.emit({ type: 'note', message });
  const dashboards = once(async () => answers.get('dashboards', '') ?? (await listDashboards(service, onNote)));
  const asked = { ...options, ...importing, listed, place };
  const overwritten = options.force ? filesInTheWay({ ...asked, known: await dashboards() }) : new Set<string>();
  const pairing = await findPairs({ ...asked, options, overwritten });
  const known = needsDashboards({ ...asked, pairing }) ? await dashboards() : (answers.get('dashboards', '') ?? []);
  const plan = planImport({ ...asked, pairing, known });
  await readAll(importing, plan, known);
  const { schemaFor, written } = await schemaForFiles(importing, config);
  const now = importing.clock.now();
  const drafts = await draftSources({ ...importing, ...plan, now, schemaFor, adopt: !options.writeState });
  if (drafts.skipped.length > 0) reporter.emit({ type: 'skipped', schedules: drafts.skipped });
  for (const message of unknownOptionsIn(plan, importing)) onNote(message);
  if (drafts.notes.length > 0) reporter.emit({ type: 'notes', messages: drafts.notes });
  const settings = await allowFilters(drafts.sources, importing);
  await writeSources(drafts, { ...importing, schema: written, settings, pairing, schemaFor });
  await importing.progress.remove();
  return documentOf(drafts, { ...importing, plan, pairing, schema: written });
}

async function listAll({ options, service, reporter }: Importing): Promise<readonly ListedSchedule[]> {
  const api = await service.api();
  const only = options.identifier?.map((identifier) => ({ identifier })) ?? [{}];
  const found = new Map<string, ListedSchedule>();
  for (const which of only) {
    const rows = await api.listSchedules(which, service.call);
    for (const row of rows) found.set(row.id, row);
    if ('identifier' in which && rows.length === 0)
      reporter.emit({ type: 'note', message: `No schedule delivers the dashboard ${which.identifier}.` });
  }
  return [...found.values()];
}

async function readAll(importing: Importing, plan: ImportPlan, known: readonly KnownDashboard[]): Promise<void> {
  const { answers } = importing;
  const left = detailsLeft(detailsOf(plan), answers);
  if (requestsFor(left, answers) === 0) return;
  if (answers.get('dashboards', '') === undefined) await answers.keep('dashboards', '', known);
  await readDetails(left, importing);
}

function unknownOptionsIn({ schedules }: ImportPlan, { answers, config }: Importing): readonly string[] {
  if (config.checks['unknown-option'] === 'off') return [];
  return unknownOptions(schedules.flatMap(({ id }) => answers.get('schedule', id) ?? [])).map(({ message }) => message);
}

/** The filters of a dashboard are needed for its schedules: those that differ from them are a schedule's own. */
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

interface Imported extends Importing {
  readonly plan: ImportPlan;
  readonly pairing: Pairing;
  readonly schema: string | undefined;
}

function documentOf({ sources, imported, skipped, variables }: Drafts, importing: Imported): ImportDocument {
  const { plan, pairing, schema, service, options } = importing;
  const { pairs, unpaired } = pairing;
  const files = sources.map(({ path, dashboards, schedules }) => ({
    path,
    resources: dashboards.length + schedules.length,
  }));
  const rows = unpaired.reduce((sum, group) => sum + group.rows.length, pairs.length);
  return {
    formatVersion: 1,
    files,
    schema: files.length === 0 ? undefined : schema,
    adoptFile: pairs.length === 0 || options.writeState ? undefined : pairing.adoptFile,
    imported,
    paired: pairs.map(({ declared: { address }, row: { id, name, identifier } }) => ({
      address,
      id,
      name,
      identifier,
    })),
    unpaired: unpairedIn(importing),
    skipped,
    variables,
    tracked: plan.tracked.length - rows,
    requests: service.sent(),
  };
}

/** Both sides as they look in the list. */
function unpairedIn({ pairing, loaded }: Imported): ImportDocument['unpaired'] {
  const resources = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  return pairing.unpaired.map(({ identifier, name, declared, rows }) => ({
    identifier,
    name,
    declared: declared.map((each) => {
      const { schedule, timezone, format, destinationType } = resources.get(each.address)?.attributes ?? {};
      return {
        address: each.address,
        schedule: String(schedule),
        timezone: String(timezone),
        format: String(format),
        destinationType: String(destinationType),
        recipientCount: destinationType === 'email' ? recipientCountOf(each) : undefined,
      };
    }),
    listed: rows.map(({ id, schedule, timezone, format, destinationType, recipientCount }) => ({
      id,
      schedule,
      timezone,
      format,
      destinationType,
      recipientCount,
    })),
  }));
}

// Omni may hold filter values that are not in the form of a filter: an example of its API is one. They are declared as they
// are, so the error about them is lowered in almanac.yaml.

/** The configuration with what almanac.yaml says from now on. */
async function allowFilters(
  sources: readonly SourceDraft[],
  { config, loaded, workspace, reporter }: Importing,
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

/**
 * The state, if there is one. Throws Failure refused where the creation of a schedule is unresolved, which would be declared
 * a second time, and where the state belongs to another organization.
 */
async function usableState(store: StateStore, { api }: Config, reporter: ImportReporter): Promise<State | undefined> {
  const { state, message } = await stateForShow(store);
  if (message !== undefined) reporter.emit({ type: 'note', message });
  checkSameOrganization(state, api.baseUrl, store.name);
  const open = openChanges(state).filter(({ action }) => actions[action].findable);
  if (open.length === 0) return state;
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
  { sources, imported, unread, values }: Drafts,
  importing: Importing & Written,
): Promise<void> {
  const { workspace, reporter, options, environment, clock, schema, settings, pairing } = importing;
  const { pairs, adoptFile } = pairing;
  if (sources.length + pairs.length === 0) return;
  const overwrites = options.force === true;
  // Reading may have taken hours.
  if (!overwrites) refuseExisting(sources.map(({ path }) => path).filter(workspace.exists));
  if (schema !== undefined && sources.length > 0 && !workspace.exists(schema))
    await workspace.write(schema, schemaText(workspaceSchema(publishedSchemas['resources'] ?? {}, settings)));
  for (const draft of sources) await workspace.write(draft.path, renderSource(draft), { overwrites });
  const entries = pairs.length === 0 || options.writeState ? undefined : adoptionsOf(importing);
  if (entries !== undefined) await workspace.write(entries.path, renderSource(entries), { overwrites: false });
  // The state knows the secrets that Omni returned, whether or not their variables are set here.
  const loaded = await load({
    workspace,
    environment: (name) => values.get(name) ?? environment(name),
    clock,
    environmentName: options.env,
  });
  const ids = new Map(imported.map(({ address, id }) => [address, id]));
  const tracked = new Map<Address, string | undefined>(
    sources.flatMap(addressesOf).map((address) => [address, ids.get(address)]),
  );
  const { resources, absent = [] } = loaded.desired;
  const seen = new Set([...resources, ...absent].map(({ address }) => address));
  const unseen = [
    ...sources.filter((source) => addressesOf(source).some((address) => !seen.has(address))),
    ...(entries === undefined || loaded.fileNamed(adoptFile) !== undefined ? [] : [entries]),
  ];
  const message = `${unseen.map(({ path }) => path).join(', ')} will not be read: no glob of \`sources\` matches.`;
  if (unseen.length > 0 && options.writeState) {
    throw new Failure('refused', `${message} The state was not written: its new entries would count as removed.`, {
      hint: 'Add the folder to `sources` in almanac.yaml, then continue with --write-state --resume --force.',
    });
  }
  if (unseen.length > 0) reporter.emit({ type: 'note', message });
  if (!options.writeState) return;
  const onNote = (text: string) => reporter.emit({ type: 'note', message: text });
  const imports = { imported: tracked, unread, pairs };
  await trackImported({ ...importing, loaded, before: importing.state, ...imports, onNote });
}

interface Written {
  readonly schema: string | undefined;
  readonly schemaFor: (path: string) => string | undefined;
  readonly settings: SchemaSettings;
  readonly pairing: Pairing;
}

/** A file of nothing but the entries for what is declared elsewhere. */
function adoptionsOf({ pairing: { pairs, adoptFile }, schema, schemaFor }: Written): SourceDraft {
  return {
    path: adoptFile,
    schema: schema === undefined ? schemaFor(adoptFile) : undefined,
    comments: ['Declarations that nothing tracked, and the schedules that almanac import found for them.'],
    dashboards: [],
    schedules: [],
    adoptions: pairs.map(({ declared: { address }, row: { id } }) => ({ to: address, id })),
  };
}

function addressesOf({ dashboards, schedules }: SourceDraft): readonly Address[] {
  return [
    ...dashboards.map(({ key }) => addressOf('dashboard', key)),
    ...schedules.map(({ key }) => addressOf('schedule', key)),
  ];
}
