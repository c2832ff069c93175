// `almanac import`, from the list to the written files. Pairs untracked declarations, declares everything else that
// exists in Omni and is not tracked, and writes adopt entries or, on request, a state. Changes nothing in Omni.

import type { Loaded } from '../../declare/load/load.ts';
import { refuseErrors } from '../../declare/load/refuse-errors.ts';
import { isUuid } from '../../model/fields/ids.ts';
import { routineFields } from '../../model/fields/routine-fields.ts';
import type { Reporter } from '../../model/outside.ts';
import { actions } from '../../model/plan/action.ts';
import { openChanges } from '../../model/plan/open-change.ts';
import type { State } from '../../model/plan/state.ts';
import {
  isOrganizationKey,
  isProbe,
  type ListedRoutine,
  type ListedSchedule,
  probesWords,
} from '../../model/service/remote.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit, type Json } from '../../model/values/json.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { FieldDraft, ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { openAnswers } from '../../observe/details/answers.ts';
import { type KnownDashboard, listDashboards } from '../../observe/details/join-answers.ts';
import { type DetailsToRead, detailsLeft, readDetails, requestsFor } from '../../observe/details/read-details.ts';
import { unknownOptions } from '../../observe/observe.ts';
import { printText } from '../../report/print-text.ts';
import { checkSameOrganization, readState } from '../../state/current-state.ts';
import type { StateStore } from '../../state/state-store.ts';
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import { progressReporter } from '../base/progress.ts';
import { type Run, refuseAbove } from '../base/run.ts';
import { byNature } from './choose-keys.ts';
import { faultOf, whyUnsupported } from './declare-schedule.ts';
import { type Drafts, draftSources } from './draft-sources.ts';
import { freeTargets, placeOfGlob, schemaForFiles } from './files.ts';
import { findPairs } from './find-pairs.ts';
import { checkOwners, type FoundRoutine, findRoutines } from './find-routines.ts';
import type { ImportOptions } from './import-command.ts';
import type { ImportDocument, ImportedSchedule, SkippedSchedule } from './import-document.ts';
import { askedFor, followsDashboardIn, type ImportedInto, type ImportRun, type PlannedImport } from './import-run.ts';
import { renderImport, renderNotes, renderSkipped } from './import-text.ts';
import { recipientCountOf } from './pair-declared.ts';
import { type ImportPlan, needsDashboards, planImport } from './plan-import.ts';
import { type NextPlan, writeSources } from './write-sources.ts';

export async function importCommand(run: Run, given: ImportOptions, urls: readonly string[]): Promise<number> {
  refuseIds(urls);
  await refuseAbove(await run.workspace());
  const session = await run.loadAnywhere();
  const { workspace, loaded } = session;
  const writesState = given.writeState === true;
  const reporter = progressReporter(run, session.shown);
  try {
    const store = await run.store(session, writesState ? 'changes' : 'reads');
    const progress = await run.progress(session, 'import');
    const folder = given.out === undefined ? undefined : workspace.locate(given.out);
    const imported = await run.asking({ loaded, reporter }, async (service) => {
      const config = usableConfig(loaded);
      const chosenPages = askedFor(given.identifier, urls, config.api.baseUrl);
      const options = { ...given, identifier: chosenPages.identifiers && [...chosenPages.identifiers] };
      const state = await usableState(store, config, reporter);
      // A missing token is reported before anything is kept.
      service.token();
      checkOwners(options, service);
      const scope = {
        baseUrl: config.api.baseUrl ?? '',
        identifiers: [...(options.identifier ?? []), ...chosenPages.ids],
      };
      try {
        const answers = await openAnswers(progress, scope, { ...options, reporter });
        return await importFrom({
          ...{ ...run, run, workspace, loaded, config, options, pages: chosenPages, folder, store, state },
          ...{ shown: session.shown, progress, answers, service, reporter },
          note: (message) => reporter.emit({ type: 'note', message }),
        });
      } finally {
        await progress.close();
      }
    });
    const document = session.shown(imported);
    const isOnlyEnvironment = loaded.config?.environments.length === 0;
    const place = { writesState, isOnlyEnvironment, state: store.name, isShared: store.shared !== undefined };
    run.print(given.format, document, (page) => renderImport(document, { ...page, ...place }));
    return 0;
  } finally {
    reporter.end();
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
  refuseErrors(loaded, 'nothing was imported');
  return loaded.config;
}

/**
 * The state, if there is one. Throws Failure refused if the creation of a schedule is unresolved, which would be
 * declared a second time, and if the state belongs to another organization.
 */
async function usableState(store: StateStore, { api }: Config, reporter: Reporter): Promise<State | undefined> {
  const { state, message } = await readState(store);
  if (message !== undefined) reporter.emit({ type: 'note', message });
  checkSameOrganization(state, api.baseUrl, store.name);
  const open = openChanges(state).filter(({ action }) => actions[action].findable);
  if (open.length === 0) return state;
  throw new Failure(
    'refused',
    `The outcome of an earlier apply is not known yet: ${nameSome(open.map(({ address }) => address))}.`,
    { hint: `Run ${command('apply')} first: it finds out what was created. Nothing was sent.` },
  );
}

async function importFrom(run: ImportRun): Promise<ImportDocument> {
  const { answers, config, options, folder, note, service } = run;
  const schedules = await listAll(run);
  answers.list(schedules);
  const listed = { ...run, listed: schedules, ...(await findRoutines(run)) };
  const pairing = await findPairs(listed);
  const glob = placeOfGlob(config.sources[0] ?? '');
  const input = { ...listed, pairing, place: { ...glob, folder: folder ?? glob.folder } };
  const known = answers.get('dashboards', '') ?? (needsDashboards(input) ? await listDashboards(service, note) : []);
  const plan = planImport({ ...input, known });
  await readAll(run, plan, known);
  const planned: PlannedImport = {
    ...input,
    plan,
    // Reading may have taken hours.
    targets: freeTargets(plan.files, input.place, run.workspace.exists),
    ...(await schemaForFiles(run, config)),
    now: run.clock.now(),
    only: await onlyEnvironment(run),
    followsDashboard: followsDashboardIn(config, options.filters),
  };
  const drafts = limitedTo(planned.only, joined(await draftSources(planned), await draftRoutines(planned)));
  sayLeftOut(run, drafts);
  for (const message of unknownOptionsIn(plan, run)) note(message);
  sayNotes(run, drafts);
  const next = await writeSources(drafts, planned);
  await run.progress.remove();
  return documentOf(drafts, planned, next);
}

/** An id belongs to one environment. What is declared with it belongs to the others too if each of them delivers to sinks. */
async function onlyEnvironment({ run, config }: ImportRun): Promise<ImportedInto> {
  const { environment, environments } = config;
  const others = environments.filter((name) => name !== environment);
  if (environment === undefined || others.length === 0) return {};
  const all = await Promise.all(others.map((name) => run.inEnvironment(name).settings()));
  const isCopied = all.every(({ usable }) => usable.deliver !== undefined);
  return { entries: [environment], declarations: isCopied ? undefined : [environment] };
}

/** The fields that follow `in` in a file. */
const behindIn: ReadonlySet<string> = new Set(['lifecycle', 'accept', 'meta', 'extra']);

function limitedTo({ entries, declarations }: ImportedInto, drafts: Drafts): Drafts {
  const limited = ({ fields, ...draft }: ResourceDraft): ResourceDraft => {
    const isBehind = ({ name }: FieldDraft) => behindIn.has(name);
    const before = fields.filter((field) => !isBehind(field));
    const inField = declarations === undefined ? [] : [{ name: 'in', value: declarations }];
    return { ...draft, fields: [...before, ...inField, ...fields.filter(isBehind)] };
  };
  const sources = drafts.sources.map(
    (source): SourceDraft => ({
      ...source,
      resources: Object.fromEntries(Object.entries(source.resources).map(([name, all]) => [name, all.map(limited)])),
      adoptions: source.adoptions.map((entry) => ({ ...entry, in: entries })),
    }),
  );
  return { ...drafts, sources };
}

function sayLeftOut({ run, shown }: ImportRun, { skipped }: Drafts): void {
  const page = run.page(run.stderr);
  run.stderr.write(printText(renderSkipped(shown(skipped), page), page));
}

/** Each note is on one line, as in every log. */
function sayNotes({ run, shown }: ImportRun, { notes }: Drafts): void {
  const page = { ...run.page(run.stderr), width: Number.POSITIVE_INFINITY };
  run.stderr.write(printText(renderNotes(shown(notes), page), page));
}

function joined(
  drafts: Drafts,
  { sources, imported, madeBy, skipped }: Awaited<ReturnType<typeof draftRoutines>>,
): Drafts {
  return {
    ...drafts,
    sources: [...drafts.sources, ...sources],
    imported: [...drafts.imported, ...imported],
    madeBy: new Map([...drafts.madeBy, ...madeBy]),
    skipped: [...drafts.skipped, ...skipped],
  };
}

/** A word that is no URL is an id, and does not say of what. Throws Failure usage. */
function refuseIds(words: readonly string[]): void {
  const id = words.find((word) => /^[\w-]+$/.test(word));
  if (id === undefined) return;
  throw new Failure('usage', `\`${id}\` is an id, and an import takes the URL of a page of Omni.`, {
    hint: isUuid(id)
      ? `A schedule has the URL \`https://acme.omniapp.co/dashboards/12db1a0a/schedules/${id}\`. For all schedules of a dashboard, write \`${command('import', '--identifier', 'ID')}\`, with the last part of its URL.`
      : `For all schedules of this dashboard, write \`${command('import', '--identifier', id)}\`.`,
  });
}

async function listAll({ pages: chosenPages, service, note }: ImportRun): Promise<readonly ListedSchedule[]> {
  const api = await service.api();
  const only = chosenPages.identifiers?.map((identifier) => ({ identifier })) ?? [{}];
  const found = new Map<string, ListedSchedule>();
  const probes = new Set<string>();
  for (const which of only) {
    const rows = await api.listSchedules(which, service.call);
    for (const row of rows.filter(chosenPages.includes)) {
      if (isProbe(row)) probes.add(row.id);
      else found.set(row.id, row);
    }
    if ('identifier' in which && rows.length === 0) note(`No schedule delivers the dashboard ${which.identifier}.`);
  }
  if (probes.size > 0) note(probesWords(probes.size));
  const isMissing = (id: string) => ![...found.keys(), ...probes].includes(id);
  for (const id of chosenPages.ids.filter(isMissing))
    note(`Its dashboard has no schedule with the id ${id}, or the token does not see it.`);
  return [...found.values()];
}

async function readAll(importing: ImportRun, plan: ImportPlan, known: readonly KnownDashboard[]): Promise<void> {
  const { answers } = importing;
  const detailsToRead = detailsLeft(detailsOf(plan), answers);
  if (requestsFor(detailsToRead, answers) === 0) return;
  if (answers.get('dashboards', '') === undefined) await answers.keep('dashboards', '', known);
  await readDetails(detailsToRead, importing);
}

function unknownOptionsIn({ schedules }: ImportPlan, { answers, config }: ImportRun): readonly string[] {
  if (config.checks['unknown-option'] === 'off') return [];
  return unknownOptions(schedules.flatMap(({ id }) => answers.get('schedule', id) ?? [])).map(({ message }) => message);
}

/** A dashboard's filters are needed for its schedules: filters that differ from them are a schedule's own. */
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
  { sources, imported, skipped, variables, following, shared }: Drafts,
  importing: PlannedImport,
  next: NextPlan | undefined,
): ImportDocument {
  const { plan, pairing, targets, schema, service, config, options } = importing;
  const isInsideUnknown = options.filters !== 'all' && config.safety.internalDomains.length === 0;
  const { pairs, unpaired, routines, notLookedFor, trackedBy, ignored } = pairing;
  const leftToOthers = trackedBy.reduce((sum, { count }) => sum + count, ignored);
  const paired = [...pairs, ...routines];
  const files = sources.map(({ path, resources }) => ({ path, resources: Object.values(resources).flat().length }));
  const adoptFile = paired.length === 0 || options.writeState ? undefined : targets.adopt;
  const written = [...files.map(({ path }) => path), ...(adoptFile === undefined ? [] : [adoptFile])];
  const rows = unpaired.reduce((sum, group) => sum + group.rows.length, pairs.length);
  return {
    formatVersion: 1,
    files,
    schema: files.length === 0 ? undefined : schema,
    adoptFile,
    beside: written.flatMap((path) => {
      const there = targets.existingFiles.get(path);
      return there === undefined ? [] : [{ path, there }];
    }),
    imported,
    paired: paired.map(({ declared: { address }, row }) => ({
      address,
      id: row.id,
      name: row.name,
      identifier: 'identifier' in row ? row.identifier : '',
    })),
    unpaired: unpairedIn(importing),
    notLookedFor,
    skipped,
    following,
    undecided: isInsideUnknown && shared > 0 ? shared : undefined,
    variables,
    tracked: plan.tracked.length - rows + plan.routines.tracked - leftToOthers,
    ...(trackedBy.length === 0 ? {} : { trackedBy }),
    ...(ignored === 0 ? {} : { ignored }),
    ...(plan.undeclared === 0 ? {} : { undeclared: plan.undeclared }),
    only: importing.only.declarations?.[0],
    next: next?.summary,
    requests: service.sent(),
  };
}

/** Both sides as they look in the list. */
function unpairedIn({ pairing, loaded }: PlannedImport): ImportDocument['unpaired'] {
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

// Turns the routines that were found into a source file. Their list shows routines whole, so no details are requested
// and no field stays unread.

type RoutineDrafts = Pick<Drafts, 'sources' | 'imported' | 'madeBy' | 'skipped'>;

async function draftRoutines(importing: PlannedImport): Promise<RoutineDrafts> {
  const { found, taken, maybeDeclared } = importing.plan.routines;
  const path = importing.targets.routines;
  const keys = new Set(taken);
  const drafts: ResourceDraft[] = [];
  const imported: ImportedSchedule[] = [];
  const madeBy = new Map<Address, string>();
  const skipped: SkippedSchedule[] = [];
  const isKey = isOrganizationKey(importing.service.token());
  const sorted = found.toSorted(({ row: a }, { row: b }) => byNature(a.name, b.name) || byCodeUnit(a.id, b.id));
  for (const each of sorted) {
    const { id, name } = each.row;
    const named = { id, name, identifier: '' };
    const draft = { ...draftOf(each), key: keyFrom(name, 'routine') };
    const reason =
      maybeDeclared.get(id) ??
      (isKey && each.owner === undefined ? ofNobody : undefined) ??
      (each.row.destination === undefined ? 'Omni does not say where it delivers.' : undefined) ??
      (await faultOf(sourceOf(path, [draft]), importing));
    if (reason !== undefined) {
      skipped.push({ ...named, reason });
      continue;
    }
    const key = takeName([draft.key], keys);
    drafts.push({ ...draft, key });
    const address = addressOf('routine', key);
    imported.push({ address, ...named });
    if (each.owner !== undefined) madeBy.set(address, each.owner.id);
  }
  if (drafts.length === 0) return { sources: [], imported, madeBy, skipped };
  const adoptions = importing.options.writeState ? [] : imported.map(({ address, id }) => ({ to: address, id }));
  return {
    sources: [{ ...sourceOf(path, drafts), schema: importing.schemaFor(path), adoptions }],
    imported,
    madeBy,
    skipped,
  };
}

function sourceOf(path: string, routines: readonly ResourceDraft[]): SourceDraft {
  return { path, comments: ['Routines, as almanac import read them.'], resources: { routines }, adoptions: [] };
}

/** Only its owner sees a routine, so every later request has to name that member. */
const ofNobody =
  'Omni does not say to an organization key whose it is: name its owner in --owners, or ask for all of them with --owners all.';

function draftOf({ row, owner }: FoundRoutine): Omit<ResourceDraft, 'key'> {
  const { paused, stopped, destination = { type: '' } } = row;
  const values: Readonly<Record<string, Json | undefined>> = {
    ...row,
    destination: declaredDestination(destination),
    owner: owner?.email,
  };
  const fields = Object.keys(routineFields).flatMap((name): readonly FieldDraft[] => {
    const value = values[name] ?? undefined;
    return value === undefined || value === '' ? [] : [{ name, value: escapeInterpolation(value) }];
  });
  const comments = [
    ...(paused ? ['Paused by its owner in Omni.'] : []),
    ...(stopped === undefined ? [] : [`Stopped by Omni: ${stopped}.`]),
  ];
  return { comments, fields };
}

/** Declares only published fields, and no empty lists. */
function declaredDestination({
  type,
  recipientEmails = [],
  userGroupIds = [],
  recipientId,
  slackRecipientType,
}: NonNullable<ListedRoutine['destination']>): Json {
  const parts: Readonly<Record<string, Json | undefined>> =
    type === 'slack'
      ? { type, recipientId, slackRecipientType }
      : {
          type,
          recipientEmails: recipientEmails.length === 0 ? undefined : recipientEmails,
          userGroupIds: userGroupIds.length === 0 ? undefined : userGroupIds,
        };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
