// With operations full, an apply observes the schedules that it adopts: an entry of `adopt` may have been pasted after a lost
// create or a lost state. What can be read back is recorded as it is, so that a difference from the declaration is
// planned next. The plan stays the one that was reviewed. What goes to somebody outside whom the declaration does not name, or
// shows somebody the rows of others, is refused before anything is recorded.
//
// Each is read in full, as in a deep look: the list does not say who receives it, and the declaration may have changed since
// it was last applied, or Omni since the import. Omni answers with the filters in effect, so what equals a filter of the
// dashboard may be the dashboard's or the schedule's own: the state records it as unread, which costs a request for each
// dashboard.

import { judgeFindings } from '../declare/acceptances.ts';
import { adoptedAreInside } from '../declare/inside/members-inside.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { rowWords } from '../declare/rows/rows-of-others.ts';
import { completed } from '../model/fields/complete-conditions.ts';
import { deliveredOf, isSameCondition } from '../model/fields/conditions.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import type { Listed, Observation } from '../model/plan/observation.ts';
import { asIfTracked, keptVersion, type State, type StateResource } from '../model/plan/state.ts';
import type { RemoteSchedule } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { once } from '../model/values/memoize.ts';
import { type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import type { Code } from '../model/workspace/codes.ts';
import { type Finding, hasErrors, placeOf } from '../model/workspace/diagnostic.ts';
import type { Adoption } from '../model/workspace/resource.ts';
import { type AskFilters, askDashboard, type FilterReading, shownOf } from '../observe/filters.ts';
import { nothingToAdopt, observe } from '../observe/observe.ts';
import { inParallel, unlessRefused } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { Api } from '../omni/api.ts';
import { withObserved } from '../plan/drift.ts';
import { ignoreChangesOf } from '../plan/kept.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Makers } from './claims.ts';

interface AdoptingPorts extends Pick<ApplyPorts, 'service' | 'clock'> {
  readonly reporter: { emit(event: { readonly type: 'note'; readonly code?: Code; readonly message: string }): void };
}

/** More are read for so long that it needs a word. */
const fewAdopted = 10;

/** `listed`: the rows of what is adopted, with others. */
export async function observeAdopted(
  proposal: Proposal,
  listed: Listed,
  makers: Makers,
  ports: AdoptingPorts,
): Promise<Proposal> {
  const adopted = proposal.steps.filter(({ change }) => change.action === 'adopt');
  if (adopted.length === 0 || proposal.document.operations !== 'full') return proposal;
  const service = asksOnce(ports.service);
  const { config, desired, keying } = proposal.inputs;
  const read = adopted.filter(({ change }) => change.kind === 'schedule');
  if (read.length > fewAdopted)
    ports.reporter.emit({
      type: 'note',
      message: `Reading ${read.length} schedules that are adopted, with one or two requests each: the state records what Omni has.`,
    });
  const filters = await readAdoptedFilters(adopted, config.safety.rows?.filters ?? [], service);
  const priorOf = (step: Step) => ({
    ...recordedAs(step, filters.get(step.change.address)),
    madeBy: makers.get(step.change.address),
  });
  const { observed, findings, members } = await observe({
    config,
    desired,
    state: stateOf(proposal, new Map(adopted.map((step) => [step.change.address, priorOf(step)]))),
    fingerprint: keying.fingerprint,
    refresh: { depth: 'deep', only: true },
    listed,
    service,
    clock: ports.clock,
  });
  refuseMissing(adopted, observed, proposal);
  for (const { code, message } of findings)
    if (code === 'not-observed')
      ports.reporter.emit({ type: 'note', message: `${message} It is adopted as declared.` });
  const inOmni = (step: Step): JsonObject => {
    const prior = priorOf(step);
    const { address } = step.change;
    const found = withObserved({ address, prior }, observed.get(address)).effective.prior ?? prior;
    const groups = members.get(address)?.map(({ text }) => text);
    const { filterConfig } = found.attributes;
    const inEffect = filters.get(address)?.inEffect ?? {};
    return {
      ...found.attributes,
      ...(groups === undefined ? {} : { userGroups: groups }),
      ...(isJsonObject(filterConfig) ? { filterConfig: { ...filterConfig, ...inEffect } } : {}),
    };
  };
  refuseReceivers(adopted, { observed, members, inOmni }, proposal, ports);
  const looked = (step: Step): Step => {
    const { change, after } = step;
    if (change.action !== 'adopt' || after === undefined) return step;
    const prior = priorOf(step);
    const seen = observed.get(change.address);
    const { effective, drift } = withObserved({ address: change.address, prior }, seen);
    const unread = [...(seen?.found ? (seen.unread ?? []) : []), ...(prior.unread ?? [])];
    const changed = new Set(drift?.diff.map(({ path }) => pointerSegments(path)[0] ?? ''));
    if (filters.get(change.address)?.differs) changed.add('filterConfig');
    if (changed.size > 0) ports.reporter.emit({ type: 'note', message: differenceWords(step, [...changed]) });
    const { attributes } = effective.prior ?? prior;
    return {
      ...step,
      after: attributes,
      entityId: seen?.found ? seen.entityId : undefined,
      ...(unread.length === 0 ? {} : { unread }),
      ...(seen?.found && seen.groups !== undefined ? { seen: seen.groups } : {}),
    };
  };
  return { ...proposal, steps: proposal.steps.map(looked) };
}

/** The details of a schedule are asked for once: its filters are in them. */
function asksOnce(service: Service): Service {
  const api = once(async (): Promise<Api> => {
    const all = await service.api();
    const found = new Map<string, Promise<RemoteSchedule>>();
    const getSchedule: Api['getSchedule'] = (id, options) => {
      const known = found.get(id) ?? all.getSchedule(id, options);
      found.set(id, known);
      return known;
    };
    return { ...all, getSchedule };
  });
  return { ...service, api };
}

interface AdoptedFilters {
  /** As the state records them: those that are the schedule's own as they are in Omni. */
  readonly filterConfig: JsonObject;
  /** Those that are declared, as Omni has them, whosever they are. What its answer lacks is left out. */
  readonly inEffect: JsonObject;
  /** Those that may be the dashboard's. */
  readonly unread: readonly Pointer[];
  /** An own one differs from the declaration. */
  readonly differs: boolean;
}

/**
 * By address; only of schedules that declare a filter. `dividing`: the ids of filters that say whose the rows are. One of them
 * that differs from its declaration is never left to the dashboard.
 */
async function readAdoptedFilters(
  adopted: readonly Step[],
  dividing: readonly string[],
  service: Service,
): Promise<ReadonlyMap<Address, AdoptedFilters>> {
  const found = new Map<Address, AdoptedFilters>();
  const declaring = adopted.filter(({ after }) => Object.keys(declaredIn(after)).length > 0);
  if (declaring.length === 0) return found;
  const api = await service.api();
  const dashboards = new Map<string | undefined, Dashboard>();
  await inParallel(new Set(declaring.map(dashboardOf)), service.concurrency, async (identifier) => {
    const ask = askDashboard(identifier, api, service.call);
    dashboards.set(identifier, { ask, reading: await ask() });
  });
  await inParallel(declaring, service.concurrency, async (step) => {
    const dashboard = dashboards.get(dashboardOf(step));
    if (dashboard !== undefined) found.set(step.change.address, await readOne(step, dashboard, dividing, api, service));
  });
  return found;
}

interface Dashboard {
  readonly ask: AskFilters;
  readonly reading: FilterReading;
}

function dashboardOf({ after }: Step): string | undefined {
  const identifier = after?.['identifier'];
  return typeof identifier === 'string' ? identifier : undefined;
}

function declaredIn(after: JsonObject | undefined): JsonObject {
  const filters = after?.['filterConfig'];
  return isJsonObject(filters) ? filters : {};
}

async function readOne(
  { change: { id = '' }, after }: Step,
  { ask, reading }: Dashboard,
  dividing: readonly string[],
  api: Api,
  { call }: Service,
): Promise<AdoptedFilters> {
  const declared = declaredIn(after);
  const effective = (await unlessRefused(api.getSchedule(id, call)))?.filterConfig;
  const answered = Object.keys(declared).filter((of) => effective !== undefined && Object.hasOwn(effective, of));
  const now = (of: string, filter: Json) => (answered.includes(of) ? (effective?.[of] ?? null) : filter);
  const mayFollow = (of: string, filter: Json, readings: readonly FilterReading[]) => {
    const found = now(of, filter);
    const isLeft = isSameCondition(found, filter) || !dividing.includes(of);
    return isLeft && readings.some((each) => mayBeIn(each, of, found));
  };
  const others = (readings: readonly FilterReading[]) =>
    Object.entries(declared).flatMap(([of, filter]) => {
      const found = now(of, filter);
      const isOther = !isSameCondition(found, filter) && !mayFollow(of, filter, readings);
      return isOther ? [[of, deliveredOf(found)] as const] : [];
    });
  // Somebody may have changed the dashboard between the two questions.
  const readings = others([reading]).length === 0 ? [reading] : [reading, await ask(true)];
  const different = others(readings);
  const unread = Object.entries(declared).filter(
    ([of, filter]) => effective === undefined || mayFollow(of, filter, readings),
  );
  // What only completes it, Omni may not have.
  const short = answered.flatMap((of): readonly (readonly [string, JsonObject])[] => {
    const shown = shownOf(declared[of], effective?.[of]);
    return isJsonObject(shown) && equalJson(completed(shown), declared[of]) ? [[of, shown]] : [];
  });
  return {
    filterConfig: { ...declared, ...Object.fromEntries(short), ...Object.fromEntries(different) },
    inEffect: Object.fromEntries(answered.map((of) => [of, deliveredOf(effective?.[of] ?? null)])),
    unread: unread.map(([of]) => pointerTo('filterConfig', of)),
    differs: different.length > 0,
  };
}

/** Whether a filter may be that of the dashboard. */
function mayBeIn(reading: FilterReading, id: string, filter: Json): boolean {
  if (typeof reading === 'string') return true;
  return Object.hasOwn(reading.filters, id) && isSameCondition(filter, reading.filters[id] ?? null);
}

/** As it is taken to be until it is looked at. */
function recordedAs({ change: { id }, after = {} }: Step, filters: AdoptedFilters | undefined): StateResource {
  const attributes = filters === undefined ? after : { ...after, filterConfig: filters.filterConfig };
  return asIfTracked(id, attributes, filters?.unread);
}

/** The state as if it had the adopted schedules alone. */
function stateOf({ inputs, document }: Proposal, adopted: ReadonlyMap<Address, StateResource>): State {
  const { state, salt } = inputs;
  const empty = {
    version: keptVersion,
    lineage: '',
    serial: 0,
    toolVersion: '',
    baseUrl: document.baseUrl ?? '',
    salt,
  } as const;
  return { ...(state ?? empty), resources: Object.fromEntries(adopted), orphans: [], unresolved: [] };
}

/** Throws Failure invalid-workspace where an entry of `adopt` names an id that Omni does not have. */
function refuseMissing(
  adopted: readonly Step[],
  observed: Observation['observed'],
  { inputs: { loaded } }: Proposal,
): void {
  const missing = adopted.filter(({ change }) => observed.get(change.address)?.found === false);
  const findings = missing.flatMap((step) => entryOf(step, loaded.desired.adoptions) ?? []).map(nothingToAdopt);
  if (findings.length > 0)
    throw invalidWorkspace('An adopt entry has a wrong id; nothing was recorded or sent.', findings, loaded);
}

function entryOf({ change: { address, id } }: Step, adoptions: readonly Adoption[]): Adoption | undefined {
  return adoptions.find((each) => each.to === address && each.id === id);
}

interface Adopted extends Pick<Observation, 'observed' | 'members'> {
  /** What a step would take over. */
  readonly inOmni: (step: Step) => JsonObject;
}

/**
 * Throws Failure invalid-workspace where `recipient-not-inside` is an error and Omni sends what is adopted to somebody outside
 * whom the declaration does not name, or `rows-of-others` and it shows somebody the rows of others.
 */
function refuseReceivers(
  adopted: readonly Step[],
  { observed, members, inOmni }: Adopted,
  { inputs: { loaded, config } }: Proposal,
  { reporter }: AdoptingPorts,
): void {
  const { resources, adoptions } = loaded.desired;
  const found = adopted.flatMap((step): readonly Finding[] => {
    const { address, kind } = step.change;
    const resource = resources.find((each) => each.address === address);
    const entry = entryOf(step, adoptions);
    const seen = observed.get(address);
    if (resource === undefined || entry === undefined || seen?.found !== true) return [];
    const { to } = deliveryOf(kind, { destinationType: 'email', ...seen.attributes });
    const emails = to.flatMap(({ kind: way, shown }) => (way === 'email' ? shown : []));
    const words = loaded.rows && rowWords(kind, inOmni(step), `what \`${address}\` takes over`, loaded.rows);
    const ofRows = (words ?? []).map((each) => ({ ...each, address, place: placeOf(entry.origin) }));
    const rows = ofRows.length === 0 ? loaded.rows : undefined;
    const receivers = { emails, groups: members.get(address) ?? [] };
    return [...ofRows, ...adoptedAreInside(resource, receivers, entry, { ...loaded, config, rows })];
  });
  const judged = judgeFindings(found, loaded);
  const errors = judged.filter((each) => each.accepted === undefined && hasErrors([each]));
  if (errors.length > 0) {
    const isOfRows = errors.every(({ code }) => code === 'rows-of-others');
    const what = isOfRows ? 'show somebody the rows of others' : 'take over receivers outside of your domains';
    throw invalidWorkspace(`An adoption would ${what}; nothing was recorded or sent.`, judged, loaded);
  }
  for (const { code, message } of judged) reporter.emit({ type: 'note', message, code });
}

function differenceWords({ change: { address }, after: declared = {} }: Step, fields: readonly string[]): string {
  const ignored = ignoreChangesOf(declared);
  const kept = fields.filter((field) => ignored.includes(field));
  const changed = fields.filter((field) => !ignored.includes(field));
  const parts = [
    ...(changed.length === 0 ? [] : [`the next apply changes ${kept.length === 0 ? 'that' : changed.join(', ')}`]),
    ...(kept.length === 0 ? [] : [`ignoreChanges keeps ${changed.length === 0 ? 'that' : kept.join(', ')}`]),
  ];
  return `${address} is adopted as it is in Omni, which differs from its declaration (${fields.join(', ')}): ${parts.join(', and ')}.`;
}
