// From files to the desired state. Reads the configuration and the sources, parses and validates them. Sends nothing
// and writes nothing.

import { fieldsDeciding } from '../../model/fields/fields.ts';
import type { Clock } from '../../model/outside.ts';
import { pushAll } from '../../model/values/collections.ts';
import { utcDay } from '../../model/values/day.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { Secret } from '../../model/values/secret.ts';
import { isHeard } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, hasErrors, type SourceFile } from '../../model/workspace/diagnostic.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import type { Audiences, Desired, Resource } from '../../model/workspace/resource.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import {
  type AcceptanceDays,
  acceptancesAreNeeded,
  acceptancesEndSoon,
  judgeFindings,
  waiversInDefaults,
} from '../acceptances.ts';
import { domainsOfEverybody } from '../domains-of-everybody.ts';
import type { Elsewhere, Here } from '../environments.ts';
import { startExpansion } from '../expand/expansion-room.ts';
import type { ScopeOf } from '../expand/resolve-reference.ts';
import { type AudienceUse, makeAudienceUse, parseAudiences } from '../expand/use-audience.ts';
import { nearlyWords } from '../findings/near-text.ts';
import {
  audienceWaiversAreNeeded,
  type InsideFindings,
  recipientsAreInside,
  seenTogether,
} from '../inside/recipients-inside.ts';
import { joinFilters } from '../join-filters.ts';
import { parseResources } from '../parse-resources.ts';
import { countedOutside, pausedWhereEnded } from '../rows/counts-outside.ts';
import type { RowRules } from '../rows/judge-rows.ts';
import { type JudgedRows, judgeRowsOf, noRows } from '../rows/rows-of-others.ts';
import { asksForWords } from '../schema-findings.ts';
import { type Raw, type ValidateOptions, validate } from '../validate.ts';
import type { Parts, Workspace } from '../workspace.ts';
import { type Environment, type LoadedConfig, loadConfig } from './load-config.ts';
import { type MissingEnvironment, missingEnvironment } from './missing-environment.ts';
import { scopes } from './source-scopes.ts';
import { namedSources, noSources, readSources } from './sources.ts';
import { fetchedSources } from './unfetched.ts';

export interface LoadOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly environment: Environment;
  /** The environment chosen with --env. */
  readonly environmentName?: string;
  /** The state that --state names, absolute. */
  readonly stateFile?: string;
  /** Report only on these files and folders; on all sources if left out. */
  readonly paths?: readonly string[];
  /** True to resolve resources of other environments as well, and report their mistakes. */
  readonly everywhere?: boolean;
  /** The effect of acceptances that have ended; `warns` if left out. */
  readonly ended?: AcceptanceDays['ended'];
}

export interface Loaded {
  /** Undefined if almanac.yaml has errors. */
  readonly config?: Config;
  /** Everything that could be read, if the findings contain errors. */
  readonly desired: Desired;
  /** Left out if there are none. */
  readonly audiences?: Audiences;
  readonly findings: readonly Finding[];
  /** Errors that may only follow from what could not be read; absent if every source was read whole. */
  readonly unheard?: readonly Finding[] | undefined;
  /** Every source file that was read; if the user named files, those of them. */
  readonly files: readonly string[];
  /** Every file whose content is in it: almanac.yaml, the sources, and the tables and texts that they name. */
  readonly read: readonly string[];
  /** The submodules that hold some of these, or could hold a source; and all that git has not fetched. */
  readonly parts: Parts;
  readonly fileNamed: (path: string) => SourceFile | undefined;
  /** The run must name its environment, and does not: nothing may read the state or send a request. */
  readonly missingEnvironment?: MissingEnvironment;
  /** The key for the fingerprints of secrets. */
  readonly stateKey?: Secret;
  /** Undefined if no table says whose rows are whose. */
  readonly rows?: JudgedRows;
  /** The dates for judging later findings. */
  readonly days: AcceptanceDays;
}

export interface SoundLoaded extends Loaded {
  readonly config: Config;
}

/** After these probable mistakes it is not known whose rows a report shows, or to whom. */
const mistaken: ReadonlySet<Finding['code']> = new Set(['not-a-value', 'invalid-email']);

function withoutMistaken(ofRows: readonly Finding[], ofChecks: readonly Finding[]): readonly Finding[] {
  const errors = ofChecks.filter(
    (finding) => (mistaken.has(finding.code) || isMisshapen(finding)) && hasErrors([finding]),
  );
  const addresses = new Set(errors.flatMap(({ address, concerns = [] }) => [address ?? [], ...concerns].flat()));
  const loops = new Set(errors.flatMap(({ concerns = [] }) => concerns.map(loopOf)));
  const isConsequence = ({ address, concerns = [] }: Finding) =>
    [address ?? [], ...concerns].flat().some((at) => addresses.has(at) || loops.has(at));
  return ofRows.filter((finding) => !isConsequence(finding));
}

const loopOf = (address: string) => address.split('.').slice(0, 2).join('.');

const fieldsOfReceivers: ReadonlySet<string> = new Set([...fieldsDeciding('who'), ...fieldsDeciding('rows')]);

/** A value of the wrong type, where it decides who receives what. */
function isMisshapen({ code, place }: Finding): boolean {
  const [, , field = ''] = code === 'wrong-type' && place && 'pointer' in place ? pointerSegments(place.pointer) : [];
  return fieldsOfReceivers.has(field);
}

/** Reads, parses, expands and checks, in this order. Throws Failure usage for a named path that is not a source. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { environment, clock, environmentName } = options;
  const configured = await loadConfig(options.workspace, environment, environmentName);
  const { config, usable, file: configFile } = configured;
  const paths = (await options.workspace.list(usable.sources)).filter((path) => path !== usable.file);
  const fetched = await fetchedSources(options.workspace, usable, paths);
  const { workspace } = fetched;
  const isFetched = fetched.findings.length === 0;
  const named = options.paths?.length
    ? await namedSources(options.paths, paths, workspace, { ...configured, isFetched })
    : undefined;
  const ofNamed = named?.findings ?? (paths.length > 0 || !isFetched ? [] : [noSources(usable)]);
  const ofPaths = [...fetched.findings, ...ofNamed];

  const files = new Map<string, SourceFile>(configFile && [[configFile.path, configFile]]);
  const read = await readSources(paths, workspace, files);
  const isWhole = config !== undefined && read.isWhole && isFetched;

  const texts = new Set<string>();
  const scopeOf = await scopes({ ...options, workspace }, usable, { files, texts });
  const { deliver } = config ?? {};
  const runContext = { environment: environmentName, deliver, everywhere: options.everywhere };
  const declared = parseDeclared(read.byFile, usable, scopeOf, runContext);
  const { audiences } = declared.audiences;

  const now = clock.now();
  const days: AcceptanceDays = { today: utcDay(now), ended: options.ended ?? 'warns' };
  const ofRows =
    config === undefined ? noRows : judgeRowsOf(declared.resources, config, { workspace, files }, days.today);
  const { rows } = ofRows;
  const { value: desired, findings: ofChecks } = await validateWithWords(declared, {
    operations: usable.api.operations,
    now,
    environments: config?.environments,
    environment: environmentName,
    deliver,
    rows: usable.safety.rows,
    permissions: rows?.rules.permissions,
  });

  const fileNamed = (path: string) => files.get(path);
  const known = { sent: desired.resources, ofRows, ofChecks, fileNamed, days, now };
  const { inside, ofReceivers } = await judgeReceivers(declared, configured, known);
  const ofStates = await ignoredStates(config, workspace);
  const findings = [
    ...(config === undefined ? [] : [...ofPaths, ...ofStates]),
    ...read.findings.flat(),
    ...declared.findings,
    ...withoutSaid(ofChecks, ofRows.findings),
    ...ofReceivers,
  ];
  const unknown = [...(isWhole ? [] : (['sources'] as const)), ...(config === undefined ? (['config'] as const) : [])];
  const heard = onceInTables(withoutLiteral(findings, fileNamed), fileNamed).filter(({ code }) =>
    isHeard(code, ...unknown),
  );
  const counted = countedOutside([...configured.findings, ...heard], desired.resources, usable.safety, rows?.rules);
  const found = await withInexact(counted, declared, configured, fileNamed);
  const needed = () =>
    acceptancesAreNeeded(desired.resources, found, usable.checks, mayReceiveOutside(inside, desired));
  const ofAcceptances = config === undefined || isInDoubt(desired, ofRows) ? [] : needed();
  const ofEnds = acceptancesEndSoon(desired.resources, audiences, usable.checks, days);
  const everyFile = [...files.keys(), ...texts];
  const judged = judgeFindings([...found, ...ofAcceptances, ...ofEnds], { config: usable, desired, days });
  const loaded: Loaded = {
    config,
    desired: { ...desired, resources: pausedWhereEnded(desired.resources, judged, usable) },
    audiences: audiences.size === 0 ? undefined : audiences,
    findings: judged,
    unheard: isWhole ? undefined : findings.filter(({ code }) => !isHeard(code, ...unknown)),
    files: paths,
    read: everyFile,
    parts: { submodules: fetched.submodulesOf(everyFile), unfetched: fetched.unfetched },
    fileNamed,
    missingEnvironment: missingEnvironment(usable, desired),
    stateKey: stateKeyIn(environment),
    rows,
    days,
  };
  return named === undefined ? loaded : about(named.files, loaded);
}

/** True if a warning may be missing only because it exists in another environment, or depends on unknown facts. */
function isInDoubt({ absent }: Desired, { isUnreadable }: ReturnType<typeof judgeRowsOf>): boolean {
  return absent !== undefined || isUnreadable;
}

function stateKeyIn(environment: Environment): Secret | undefined {
  const stateKey = environment('ALMANAC_STATE_KEY');
  return stateKey ? Secret.literal(stateKey) : undefined;
}

interface Judged extends Pick<Loaded, 'fileNamed' | 'days'> {
  /** In epoch milliseconds. */
  readonly now: number;
  readonly sent: readonly Resource[];
  readonly ofRows: ReturnType<typeof judgeRowsOf>;
  readonly ofChecks: readonly Finding[];
}

/** Almost no workspace needs the words of other tools, so they are read where a finding asks for them. */
async function validateWithWords(declared: Raw, options: ValidateOptions): Promise<ReturnType<typeof validate>> {
  const judged = validate(declared, options);
  if (!asksForWords(judged.findings)) return judged;
  const { otherWords: words } = await import('../words/other-words.ts');
  return validate(declared, { ...options, words });
}

async function judgeReceivers(
  { resources, audiences: { audiences, usedElsewhere } }: ReturnType<typeof parseDeclared>,
  { config, usable }: LoadedConfig,
  { sent, ofRows, ofChecks, fileNamed, days, now }: Judged,
) {
  const refused = new Set(ofRows.findings.flatMap(({ address, concerns = [] }) => [address ?? [], ...concerns].flat()));
  const inside = await recipientsAreInside({ resources, audiences, usedElsewhere, fileNamed }, usable, days, ofRows);
  const ofReceivers = [
    ...inside.findings,
    ...withoutMistaken(ofRows.findings, ofChecks),
    ...(await pngUnfiltered(sent, usable.safety)),
    ...seenTogether(
      sent.filter(({ address }) => !refused.has(address)),
      usable.safety,
    ),
    ...(await sameFiles(sent, ofRows.rows?.rules, now)),
    ...(config === undefined ? [] : await domainsOfEverybody(config, ofRows.rows?.rules.permissions)),
    ...waiversInDefaults(resources),
    ...(ofRows.isUnreadable ? [] : audienceWaiversAreNeeded(audiences, inside.receiveOutside, usable)),
  ];
  return { inside, ofReceivers };
}

/** Empty if nothing divides the rows. */
async function pngUnfiltered(sent: readonly Resource[], safety: Config['safety']): Promise<readonly Finding[]> {
  if (safety.rows === undefined) return [];
  return (await import('../rows/on-dashboards.ts')).pngUnfiltered(sent, safety);
}

/** A value that is nearly one of the table is named once: where somebody may not have it, by that error. */
function withoutSaid(ofChecks: readonly Finding[], ofRows: readonly Finding[]): readonly Finding[] {
  const isNear = ({ code, message }: Finding, of: Finding['code']) => code === of && message.includes(nearlyWords);
  const said = new Set(ofRows.flatMap((each) => (isNear(each, 'rows-of-others') ? (each.address ?? []) : [])));
  return said.size === 0
    ? ofChecks
    : ofChecks.filter((each) => !isNear(each, 'filter-value') || !said.has(each.address ?? ''));
}

/** Drops other findings about a cell with `${…}`: the intended value is unknown, so they would mislead. */
function withoutLiteral(findings: readonly Finding[], fileNamed: Loaded['fileNamed']): readonly Finding[] {
  // A part of a cell, such as one of several addresses, is below the row and the column.
  const keyOfPlace = (place: Finding['place']) =>
    place && 'pointer' in place && fileNamed(place.file)?.isTable === true
      ? JSON.stringify([place.file, ...pointerSegments(place.pointer).slice(0, 2)])
      : undefined;
  const isLiteral = ({ code }: Finding) => code === 'not-interpolated';
  const cells = new Set(findings.filter(isLiteral).flatMap(({ place }) => keyOfPlace(place) ?? []));
  if (cells.size === 0) return findings;
  const isConsequence = ({ place, related = [] }: Finding) =>
    [place, ...related.map((each) => each.place)].some((each) => cells.has(keyOfPlace(each) ?? ''));
  return findings.filter((finding) => isLiteral(finding) || !isConsequence(finding));
}

/** A mistake in a cell is one finding, however many loops read the table. */
function onceInTables(findings: readonly Finding[], fileNamed: Loaded['fileNamed']): readonly Finding[] {
  const first = new Map<string, Finding>();
  return findings.flatMap((finding): readonly Finding[] => {
    const { code, message, place, address, concerns = [] } = finding;
    if (place === undefined || fileNamed(place.file)?.isTable !== true) return [finding];
    const key = JSON.stringify([code, message, place]);
    const known = first.get(key);
    const whole = { ...finding, concerns: [...concerns] };
    first.set(key, known ?? whole);
    if (known === undefined) return [whole];
    pushAll(known.concerns as string[], [address ?? [], concerns].flat());
    return [];
  });
}

/** Empty where fewer than two write a file. */
async function sameFiles(sent: readonly Resource[], rules: RowRules | undefined, now: number) {
  const writing = sent.filter(({ attributes: { path, filename } }) => path !== undefined || filename !== undefined);
  return writing.length < 2 ? [] : (await import('../rules/same-file.ts')).sameFiles(writing, rules, now);
}

/** `ignore` names none almost always. */
async function ignoredStates(config: Config | undefined, workspace: Workspace): Promise<readonly Finding[]> {
  if (config === undefined || config.ignore.every(({ state }) => state?.backend !== 'local')) return [];
  const { checkIgnoredFiles } = await import('./ignored-states.ts');
  return checkIgnoredFiles(config, workspace);
}

/** The texts and filters with such a number are known only after everything is resolved. */
async function withInexact(
  findings: readonly Finding[],
  { documents, resources }: ReturnType<typeof parseDeclared>,
  { file, isInexact }: LoadedConfig,
  fileNamed: Loaded['fileNamed'],
): Promise<readonly Finding[]> {
  const inexact = new Set(documents.flatMap((document) => (document.isInexact ? document.origin.file : [])));
  if (isInexact && file !== undefined) inexact.add(file.path);
  if (inexact.size === 0) return findings;
  const { withInexactNumbers } = await import('../inexact-values.ts');
  return withInexactNumbers(findings, resources, inexact, fileNamed);
}

/** Only Omni knows the receivers of an adopted schedule. */
function mayReceiveOutside({ receiveOutside }: InsideFindings, { adoptions }: Desired): ReadonlySet<string> {
  return new Set([...receiveOutside, ...adoptions.map(({ to }) => to)]);
}

/** Audiences come first, because resources of any file use them. The defaults of a file apply to all of its documents. */
function parseDeclared(
  files: readonly (readonly RawDocument[])[],
  { defaults }: Config,
  scopeIn: ScopeOf,
  runContext: Here,
) {
  const expansion = startExpansion();
  const scopeOf: ScopeOf = (file) => ({ ...scopeIn(file), expansion });
  const documents = files.flat();
  const ofAudiences = parseAudiences(documents, scopeOf);
  const audiences = makeAudienceUse(ofAudiences.value);
  const parsed = files.map((file) => parseResources(file, defaults, scopeOf, audiences, runContext));
  const here = parsed.flatMap(({ value }) => value);
  const { value: resources, findings: ofFilters } = joinFilters(here);
  const absent = parsed.flatMap((each) => each.elsewhere.absent);
  const elsewhere: Elsewhere = {
    absent: joinFilters(absent, [...here, ...absent]).value,
    loops: parsed.flatMap((each) => each.elsewhere.loops),
    skipped: parsed.reduce((sum, each) => sum + each.elsewhere.skipped, 0),
  };
  const neededHere = ofAudiences.findings.filter((finding) => !isElsewhere(finding, resources, audiences));
  return {
    documents,
    audiences,
    resources,
    elsewhere,
    loops: parsed.flatMap(({ loops }) => loops),
    findings: [...neededHere, ...ofFilters, ...parsed.flatMap(({ findings }) => findings)],
  };
}

/** True if a finding is about a value of an audience that is only used elsewhere. */
function isElsewhere(
  { code, place }: Finding,
  resources: readonly Resource[],
  { usedElsewhere }: AudienceUse,
): boolean {
  if (isHeard(code, 'here') || place === undefined || !('pointer' in place)) return false;
  const [, name = ''] = pointerSegments(place.pointer);
  return usedElsewhere.has(name) && !resources.some(({ origins }) => audiencesIn(origins).includes(name));
}

/** The part about the named files: their content and their declarations. */
function about(named: ReadonlySet<string>, loaded: Loaded): Loaded {
  const { desired, findings, files } = loaded;
  const sources = new Set(files);
  const resources = desired.resources.filter(({ origin }) => named.has(origin.file));
  const addresses = new Set(resources.map(({ address }) => address));
  const isAbout = ({ code, place, related = [], address = '', concerns = [] }: Finding) => {
    const places = [place?.file ?? '', ...related.map((each) => each.place.file)].filter((file) => sources.has(file));
    // It is placed at the second of two declarations, and the file may have the first.
    const isDuplicate = code === 'duplicate-address' && addresses.has(address);
    return (
      places.length === 0 ||
      places.some((file) => named.has(file)) ||
      isDuplicate ||
      concerns.some((at) => addresses.has(at))
    );
  };
  return {
    ...loaded,
    desired: { ...desired, resources },
    findings: findings.filter(isAbout),
    files: files.filter((file) => named.has(file)),
  };
}
