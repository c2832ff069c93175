// Declares an existing schedule. Values that the service returns are declared unchanged, and defaults are omitted.
// Among the others, a secret becomes a reference, and a required text the likeliest value, both with a comment; an
// optional field is listed as unread. A schedule that cannot be declared is refused with a reason.

import { parseResources } from '../../declare/parse-resources.ts';
import { validate } from '../../declare/validate.ts';
import { conditionOf, deliveredOf, isSameCondition, isUnset } from '../../model/fields/conditions.ts';
import type { Destination, ResourceField, Shape } from '../../model/fields/field.ts';
import { fieldApplies, fieldsOf, stateOnlyFields } from '../../model/fields/fields.ts';
import { hostOf } from '../../model/fields/receiver.ts';
import { scheduleFields } from '../../model/fields/schedule-fields.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import {
  define,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  mapAt,
  ownValue,
} from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { isReservedVariable } from '../../model/values/references.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import type { FieldDraft, ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { destinationOf, isDescribed, knownFields, type ReadSchedule } from '../../observe/details/join-answers.ts';
import { renderSource } from '../../report/source-text.ts';
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import { filtersOfDelivery } from '../../yaml/raw-document.ts';
import { chooseKeys, type NamedBySchedule } from './choose-keys.ts';
import type { SkippedSchedule } from './import-document.ts';
import type { FollowsDashboard, PlannedImport } from './import-run.ts';
import {
  type ImportedSecret,
  identityOf,
  type NamedSecret,
  nameVariables,
  passwordReference,
  urlReference,
  type VariableOf,
} from './import-variables.ts';

interface Declaration {
  readonly draft: Omit<ResourceDraft, 'key'>;
  /** Optional fields that the service did not return. */
  readonly unread: readonly string[];
  /** Required fields that the service did not return: their values are the likeliest ones. */
  readonly guessed: readonly string[];
  /** The filters that may be the schedule's own or its dashboard's. */
  readonly shared: readonly Pointer[];
  /** The shared filters that are left to the dashboard, and not declared. */
  readonly following: readonly Pointer[];
}

/** `reason` is a sentence that says why it cannot be declared. */
export type DeclaredSchedule = Declaration | { readonly reason: string };

/** `defaults` are the defaults of almanac.yaml for schedules. `variableOf` is asked once for each secret. */
export function declareSchedule(
  read: ReadSchedule,
  defaults: JsonObject,
  variableOf: VariableOf,
  isLeft: FollowsDashboard,
): DeclaredSchedule {
  const { filterConfig: _, ...others } = knownFields(read);
  const reason = whyUndeclarable(read, others) ?? whyOwned(defaults);
  if (reason !== undefined) return { reason };
  const { filterConfig, shared, following } = filtersOf(read, (id) => isLeft(id, read, others));
  const known: JsonObject = filterConfig === undefined ? others : { ...others, filterConfig };
  const declaring: DeclarationInput = { read, variableOf, defaults, known };
  const fields: FieldDraft[] = [];
  const unread: string[] = [];
  const guessed: string[] = [];
  for (const [name, field] of Object.entries(fieldsOf.schedule)) {
    if (unknownToService.has(name) || !fieldApplies(field, known)) continue;
    const drafted = draftField(declaring, name, field);
    if (drafted === 'unread') unread.push(name);
    else if (drafted === 'left-out') continue;
    else if ('reason' in drafted) return drafted;
    else {
      fields.push(drafted);
      if (known[name] === undefined && isGuessed(declaring, name, field)) guessed.push(name);
    }
  }
  return { draft: { comments: commentsOf(declaring), fields }, unread, guessed, shared, following };
}

/** Fields that exist only in a request or in Almanac; the service does not store them. */
const unknownToService: ReadonlySet<string> = new Set(['userId', 'owner', ...stateOnlyFields, 'extra']);

function whyUndeclarable(
  { schedule, recipients }: ReadSchedule,
  { destinationType, format }: JsonObject,
): string | undefined {
  if (schedule.destinations.length > 1)
    return `It has ${schedule.destinations.length} destinations; a declaration has one.`;
  const { groups = [], emails = [] } = recipients;
  if (groups.length > 0 && emails.length === 0)
    return `It delivers to user groups alone (${nameSome(groups.map(({ name }) => name))}), and Omni creates no schedule without an address. Add one to it in Omni, and import it then.`;
  return whyUnsupported({ destinationType: String(destinationType ?? 'unknown'), format: String(format ?? 'unknown') });
}

/** Refuses an owner from defaults: the next apply would transfer the schedule, unless it is theirs already. */
function whyOwned({ owner }: JsonObject): string | undefined {
  return owner === undefined
    ? undefined
    : 'The defaults of almanac.yaml set `owner`, and an import transfers nothing. Set it in the `defaults` of files instead.';
}

interface DeclarationInput {
  readonly read: ReadSchedule;
  readonly variableOf: VariableOf;
  readonly defaults: JsonObject;
  readonly known: JsonObject;
}

type DraftedField = FieldDraft | 'left-out' | 'unread' | { readonly reason: string };

function draftField(declaring: DeclarationInput, name: string, field: ResourceField): DraftedField {
  const { known, defaults } = declaring;
  const given = known[name];
  if (given === undefined) return absentField(declaring, name, field);
  const value = coerce(given, field.shapeFor?.[known['destinationType'] as Destination] ?? field.shape);
  const apiDefault = field.required === undefined ? field.default : undefined;
  const fallback = Object.hasOwn(defaults, name) ? defaults[name] : apiDefault;
  if (fallback !== undefined && equalJson(value, fallback)) return 'left-out';
  const hidden =
    field.secretsIn === 'path-and-query' && typeof value === 'string'
      ? urlReference(name, value, declaring.variableOf)
      : undefined;
  if (hidden !== undefined) return hidden;
  return { name, value: escapeInterpolation(name === filtersOfDelivery ? withoutDefaults(value, fallback) : value) };
}

/** Adds null for each filter that only the defaults have, which removes it. */
function withoutDefaults(filters: Json, defaults: Json | undefined): Json {
  const own = mapAt(filters);
  const others = Object.keys(mapAt(defaults)).filter((id) => !Object.hasOwn(own, id));
  return { ...own, ...Object.fromEntries(others.map((id) => [id, null])) };
}

function absentField(declaring: DeclarationInput, name: string, field: ResourceField): DraftedField {
  const { defaults, read } = declaring;
  if (field.secret) return secretReference(declaring, name);
  if (isGuessed(declaring, name, field)) return likeliest(declaring, name);
  if (Object.hasOwn(defaults, name) && !equalJson(defaults[name], field.default)) {
    // An absent field has the API's default value. That value can be declared, if the API has one.
    if (field.default !== undefined) return { name, value: field.default };
    if (name === filtersOfDelivery && isKnownUnset(name, field, read))
      return { name, value: withoutDefaults({}, defaults[name]) };
    return { reason: `The defaults of almanac.yaml set \`${name}\`, which this schedule does not have.` };
  }
  return isKnownUnset(name, field, read) ? 'left-out' : 'unread';
}

/** True if an absent field must be declared all the same. */
function isGuessed(declaring: DeclarationInput, name: string, field: ResourceField): boolean {
  return !field.secret && (field.required !== undefined || isNeeded(declaring, name));
}

/** True if the other values make this field required. */
function isNeeded({ read, known }: DeclarationInput, name: string): boolean {
  if (name === 'queryIdentifierMapKey') return read.listed.isTile === true;
  return name === 'conditionQueryMapKey' && known['conditionType'] !== undefined;
}

/** True if an absent field is known to be unset; otherwise the service just does not return it. */
function isKnownUnset(name: string, field: ResourceField, read: ReadSchedule): boolean {
  const { schedule } = read;
  if (name === 'fanOut' || name === 'filterConfig') return schedule[name] !== undefined;
  if (name === 'queryIdentifierMapKey' || name === 'userGroups') return true;
  if (field.read === 'details' && field.default !== undefined) return schedule.fields[name] !== undefined;
  if (field.formats !== undefined) return isDescribed('options', read);
  return field.destinations === undefined || isDescribed('destination', read);
}

/** Only deliveries to a server have a secret that Omni never returns; one without an address is not declared. */
function secretReference({ known, variableOf }: DeclarationInput, name: string): DraftedField {
  const { address, username } = known;
  return passwordReference(name, hostOf(address) ?? '', String(username ?? ''), variableOf);
}

/** A value for a required field that the service does not return. For a subject, people would choose the same. */
function likeliest({ known }: DeclarationInput, name: string): DraftedField {
  const likely = name === 'subject' ? known['name'] : undefined;
  if (typeof likely !== 'string')
    return { reason: `Its \`${name}\` could not be read back, and the field is required.` };
  const comment = 'Omni does not return it; this is the name of the schedule. The next update sends it: check it.';
  return { name, value: escapeInterpolation(likely), comment };
}

function commentsOf({ read, known }: DeclarationInput): readonly string[] {
  const { schedule, listed, recipients, filters } = read;
  const named = recipients.emails?.length;
  const counted = listed.recipientCount;
  return [
    ...(schedule.stopped === undefined ? [] : [`Omni has stopped it: ${schedule.stopped}.`]),
    ...(named === undefined || counted === undefined || counted === named || known['userGroups'] !== undefined
      ? []
      : [`Omni counts ${counted} recipients, but named ${named}.`]),
    ...(filters === undefined && known['filterConfig'] !== undefined
      ? [
          'The filters of the dashboard could not be read, so some of these may be its. The next update sends them: check them.',
        ]
      : []),
  ];
}

/**
 * A value of the service in the type of a declaration: the service's examples write "22" for a port and "false" for a flag.
 * Returns a value unchanged if it cannot be converted; validation then reports it.
 */
function coerce(value: Json, shape: Shape): Json {
  switch (shape.type) {
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'integer':
      return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    case 'string':
      return typeof value === 'number' ? String(value) : value;
    default:
      return value;
  }
}

interface DeclaredFilters {
  /** Undefined if there is none. */
  readonly filterConfig: JsonObject | undefined;
  readonly shared: readonly Pointer[];
  readonly following: readonly Pointer[];
}

/**
 * The service returns the filters in effect: the dashboard's current ones, replaced by the schedule's. Every set filter
 * is declared, because one that equals the dashboard's may be the schedule's all the same, unless it is left to the
 * dashboard.
 */
function filtersOf(
  { schedule, filters }: Pick<ReadSchedule, 'schedule' | 'filters'>,
  isLeft: (id: string) => boolean,
): DeclaredFilters {
  const filterConfig: Record<string, Json> = {};
  const shared: Pointer[] = [];
  const following: Pointer[] = [];
  for (const [id, effective] of Object.entries(schedule.filterConfig ?? {})) {
    const given = ownValue(filters?.filters, id);
    if (filters && given === undefined && Object.hasOwn(filters.controls, id)) continue;
    if (isNothing(effective, given)) continue;
    const isEqual = given !== undefined && isSameCondition(effective, given);
    if (isEqual && isLeft(id)) {
      following.push(pointerTo('filterConfig', id));
      continue;
    }
    define(filterConfig, id, deliveredOf(effective));
    if (filters === undefined || isEqual) shared.push(pointerTo('filterConfig', id));
  }
  return { filterConfig: Object.keys(filterConfig).length > 0 ? filterConfig : undefined, shared, following };
}

/**
 * True if a filter is not worth a declaration: it lets all rows through, as its dashboard's does, or the service has no
 * value for it. An empty text may be meant as a value.
 */
function isNothing(effective: Json, given: Json | undefined): boolean {
  const { values, ...rest } = conditionOf(deliveredOf(effective));
  if (!isUnset(effective) || (Array.isArray(values) && values.length > 0)) return false;
  return given === undefined || isUnset(given) || ((values ?? null) === null && Object.keys(rest).length === 0);
}

export interface DeclaredOne extends Omit<Declaration, 'draft'> {
  readonly listed: ListedSchedule;
  readonly draft: ResourceDraft;
  readonly secrets: readonly NamedSecret[];
}

/**
 * Declares all schedules of an import at once: their keys and the variables of their secrets depend on each other, so
 * they are chosen when it is known which schedules can be declared. `dashboardName` takes an identifier.
 */
export async function declareSchedules(
  schedules: readonly ListedSchedule[],
  dashboardName: (identifier: string) => string,
  importing: PlannedImport,
) {
  const { config, plan, followsDashboard } = importing;
  const defaults = defaultsOf(config);
  const attempts = await Promise.all(schedules.map((listed) => attempt(listed, defaults, importing)));
  const usable = attempts.flatMap((each) => ('reason' in each ? [] : [each]));
  const keys = chooseKeys({
    schedules: usable.map(({ read }) =>
      namedBy(read.listed, destinationOf(read), read.schedule.createdAt, dashboardName),
    ),
    named: plan.tracked.map((row) => namedBy(row, row.destinationType, '', dashboardName)),
    taken: plan.taken,
  });
  const keyOf = ({ read }: Usable) => keys.get(read.listed.id) ?? '';
  const needed = usable.flatMap((each) => each.secrets.map((secret) => ({ secret, key: keyOf(each) })));
  const variables = nameVariables(needed, plan.usedVariables);
  const variableOf: VariableOf = (secret) => variables.get(identityOf(secret)) ?? '';
  return {
    declared: usable.map((each) => {
      const redeclared = declareSchedule(each.read, defaults, variableOf, followsDashboard);
      if ('reason' in redeclared) throw new Error(`a schedule was declared once only: ${redeclared.reason}`);
      const { draft, ...rest } = redeclared;
      const secrets = each.secrets.map((secret) => ({ variable: variableOf(secret), secret }));
      const fields = [...draft.fields, ...acceptedIn(each, defaults)];
      return { listed: each.read.listed, draft: { ...draft, fields, key: keyOf(each) }, ...rest, secrets };
    }),
    skipped: attempts.flatMap((each) => ('reason' in each ? [each] : [])),
  };
}

interface Usable {
  readonly read: ReadSchedule;
  readonly secrets: readonly ImportedSecret[];
  /** The warnings about filters that are already so in Omni. */
  readonly aboutFilters: readonly Code[];
}

const filterWarnings: readonly Code[] = [
  'filter-empty',
  'filter-incomplete',
  'filter-opposite',
  'filter-value',
  'filter-spelling',
  'not-a-value',
];

function acceptedIn({ aboutFilters }: Usable, { accept = {} }: JsonObject): readonly FieldDraft[] {
  const reasons = Object.fromEntries(aboutFilters.map((code) => [code, 'as in Omni']));
  return aboutFilters.length > 0
    ? [{ name: 'accept', value: { ...(isJsonObject(accept) ? accept : {}), ...reasons } }]
    : [];
}

async function attempt(
  listed: ListedSchedule,
  defaults: JsonObject,
  importing: PlannedImport,
): Promise<Usable | SkippedSchedule> {
  const { id, name, identifier } = listed;
  const { answers, followsDashboard } = importing;
  const skip = (reason: string) => ({ id, name, identifier, reason });
  const refusal = whyUnsupported(listed) ?? answers.get('refusal', id);
  if (refusal !== undefined) return skip(refusal);
  const [schedule, recipients] = [answers.get('schedule', id), answers.get('recipients', id)];
  if (schedule === undefined || recipients === undefined) throw new Error(`the schedule ${id} was not read`);
  const read = { listed, schedule, recipients, filters: answers.get('filters', identifier) };
  // Used until the variables have names.
  const secrets = new Map<string, ImportedSecret>();
  const variableOf: VariableOf = (secret) => {
    const name = `SECRET_${secrets.size + 1}`;
    secrets.set(name, secret);
    return name;
  };
  const declared = declareSchedule(read, defaults, variableOf, followsDashboard);
  if ('reason' in declared) return skip(declared.reason);
  const draft = { ...declared.draft, key: 'schedule' };
  const source = { path: 'import.yaml', comments: [], resources: { schedules: [draft] }, adoptions: [] };
  // With the secrets that Omni returns: a URL is checked as it is.
  const environment = (name: string) => secrets.get(name)?.value;
  const findings = await findingsAbout(source, { ...importing, environment });
  const fault = faultIn(findings);
  const aboutFilters = filterWarnings.filter((code) => findings.some((finding) => finding.code === code));
  return fault === undefined ? { read, secrets: [...secrets.values()], aboutFilters } : skip(fault);
}

function namedBy(
  { id, name, identifier }: ListedSchedule,
  destination: string,
  createdAt: string,
  dashboardName: (identifier: string) => string,
): NamedBySchedule {
  return { id, name, dashboard: dashboardName(identifier), destination, createdAt };
}

function defaultsOf({ defaults }: Config): JsonObject {
  const layers = defaults.map(({ sections }) => sections.schedules ?? {});
  const filters = Object.assign({}, ...layers.map((layer) => mapAt(layer, filtersOfDelivery))) as JsonObject;
  const set = Object.entries(filters).filter(([, filter]) => filter !== null);
  const given = set.length === 0 ? {} : { [filtersOfDelivery]: Object.fromEntries(set) };
  return Object.assign({}, ...layers, given) as JsonObject;
}

type CheckOptions = Pick<PlannedImport, 'config' | 'environment' | 'now'>;

/** The message of a drafted declaration's first error that an import does not allow; undefined without one. */
export async function faultOf(draft: SourceDraft, options: CheckOptions): Promise<string | undefined> {
  return faultIn(await findingsAbout(draft, options));
}

/** Checks a draft before it is written: parses and validates the text that the file would contain. */
async function findingsAbout(
  draft: SourceDraft,
  { config, environment, now }: CheckOptions,
): Promise<readonly Finding[]> {
  const { value: documents, findings } = parseSource({ path: draft.path, text: renderSource(draft) });
  const scope = {
    variables: config.variables,
    environment,
    isReserved: isReservedVariable,
    readFile: () => ({ code: 'unreadable-reference' as const, message: 'An import does not refer to files.' }),
  };
  const { value: resources, findings: ofReferences } = parseResources(documents, config.defaults, () => scope);
  const { findings: ofValues } = await validate({ documents, resources }, { operations: config.api.operations, now });
  return [...findings, ...ofReferences, ...ofValues];
}

function faultIn(findings: readonly Finding[]): string | undefined {
  const error = findings.find((finding) => severityOf(finding) === 'error' && finding.code !== 'filter-shape');
  if (error === undefined) return undefined;
  const [, , field] = error.place !== undefined && 'pointer' in error.place ? pointerSegments(error.place.pointer) : [];
  return field === undefined ? error.message : `\`${field}\`: ${error.message}`;
}

/**
 * A sentence that says why an existing schedule cannot be created through the API. Its row in the list is enough to
 * tell, so no request is spent on its details. An empty destination or format is still unknown and passes.
 */
export function whyUnsupported({
  identifier,
  name,
  destinationType,
  format,
}: Pick<ListedSchedule, 'destinationType' | 'format'> & Partial<ListedSchedule>): string | undefined {
  if (identifier === '') return 'Omni does not say which dashboard it delivers.';
  if (name === '') return 'Omni does not say what its name is.';
  if (destinationType !== '' && !Object.hasOwn(scheduleFields.destinationType.shape.choices, destinationType))
    return `The API cannot create its destination (${destinationType}).`;
  if (format !== '' && !Object.hasOwn(scheduleFields.format.shape.choices, format))
    return `The API cannot create its format (${format}).`;
  return undefined;
}
