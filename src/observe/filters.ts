// Finds the filter values of schedules that others have changed. Omni answers with the effective ones: the dashboard's,
// overridden by the schedule's own, and nobody can tell the two apart. So three rules decide, by filter id:
//
// 1. What was applied is the schedule's own. Its applied keys are compared, and one that the answer lacks counts as empty.
//    Beside them, only `is_negative` counts: it turns the rows of a report into those of everybody else.
// 2. Any other id is the dashboard's, unless it differs from the dashboard's own filter as that was read before the schedule
//    and as it was read after it: then somebody gave the schedule a filter of its own. What differs alike in every
//    schedule of a dashboard, two or more, is a spelling of Omni's. Compared are the keys that both have.
// 3. An applied id that the answer lacks is gone if the dashboard, read after the schedule, lacks it too.
//
// Only the keys that people write are compared, and no control. Where a reading is missing, nothing that needs it is judged. In
// a deep look a dashboard is read before its schedules, and once more after them if something differs. A look at the list
// asks none.

import { completed } from '../model/fields/complete-conditions.ts';
import { deliveredOf, isSameCondition, meaningOf, textOf } from '../model/fields/conditions.ts';
import { isKnownKey, isNamed } from '../model/fields/filter-keys.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { RemoteFilters, RemoteSchedule } from '../model/service/remote.ts';
import { define, equalJson, isJsonObject, type Json, type JsonObject, ownValue } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { statusOf } from '../model/workspace/failure.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import { leavesOpen } from './sending.ts';

/** The filters of one schedule, with what they are compared to. */
export interface FilterLook {
  /** The filters as they were applied. */
  readonly applied: JsonObject | undefined;
  /** Other values of the field that are declared or may have been sent: their spelling is ours. */
  readonly knownValues: readonly JsonObject[];
  /** The ids of filters that are not compared. */
  readonly notCompared: ReadonlySet<string>;
  /** Nothing of it was ever applied: of `notCompared`, only what may be the dashboard's is not compared. */
  readonly isAdopted?: boolean | undefined;
  /** The effective values. */
  readonly answer: JsonObject;
}

/** The dashboard's own filters, unless nobody asked for them or the service refused them. */
export type FilterReading = RemoteFilters | 'refused' | 'not-asked';

const filterField = 'filterConfig';

/**
 * The filters to compare of a schedule; undefined if the answer has none, or an import left them unread. `dividing`:
 * the ids of filters that say whose the rows are, compared even if the dashboard's may be in effect.
 */
export function filterLook(
  { filterConfig: answer }: Pick<RemoteSchedule, 'filterConfig'>,
  { attributes: { filterConfig: applied }, unread = [] }: Pick<StateResource, 'attributes' | 'unread'>,
  declared: readonly Json[],
  dividing: readonly string[] = [],
  isAdopted = false,
): FilterLook | undefined {
  if (answer === undefined || unread.includes(filterField)) return undefined;
  const neverSent = unread.map(pointerSegments).flatMap(([field, id]) => (field === filterField && id ? [id] : []));
  const isOurs = (id: string) => isSameCondition(answer[id] ?? null, mapOf(applied)[id] ?? null);
  return {
    applied: isJsonObject(applied) ? applied : undefined,
    knownValues: declared.filter(isJsonObject),
    notCompared: new Set(neverSent.filter((id) => !dividing.includes(id) || (isAdopted && isOurs(id)))),
    isAdopted,
    answer,
  };
}

/** Asks for the filters of a dashboard; `rereadDashboards`: as they are now. */
export type AskFilters = (rereadDashboards?: true) => Promise<FilterReading>;

export const askNothing: AskFilters = async () => 'not-asked';

/**
 * Whatever a refusal leaves open is not compared. `onGone` is told where Omni has no such dashboard. Throws if the service cannot be
 * asked at all.
 */
export function askDashboard(
  identifier: string | undefined,
  api: Api,
  call: CallOptions,
  onGone: (identifier: string) => void = () => {},
): AskFilters {
  return async (rereadDashboards) => {
    // It is not known which dashboard it is.
    if (identifier === undefined) return 'refused';
    try {
      return await api.getFilters(identifier, { ...call, rereadDashboards });
    } catch (error) {
      if (statusOf(error) === 404) onGone(identifier);
      if (leavesOpen(error)) return 'refused';
      throw error;
    }
  };
}

interface SeenFilters {
  /** The applied filters, overlaid with what others changed; undefined if nothing is set. */
  readonly filterConfig: JsonObject | undefined;
  /** Something could not be judged. */
  readonly isIncomplete: boolean;
  /** The ids of filters that are not compared, and equal those of the dashboard in each reading; undefined for none. */
  readonly asDashboard?: readonly string[] | undefined;
  /** The declared filters of an adopted resource as Omni has them, whosever they are. */
  readonly inEffect?: JsonObject | undefined;
}

export interface SeenOnDashboard {
  readonly filtersByAddress: ReadonlyMap<string, SeenFilters>;
  /** The dashboard's filters by id; undefined if they were not read. */
  readonly own: JsonObject | undefined;
  /** The ids of filters that Omni spells differently. */
  readonly spellings: readonly string[];
}

/** `readSchedules` reads those of the dashboard that `ask` asks for; its looks are by address. */
export async function lookAtFilters(
  ask: AskFilters,
  readSchedules: () => Promise<ReadonlyMap<string, FilterLook>>,
): Promise<SeenOnDashboard> {
  const before = await ask();
  const looks = await readSchedules();
  const isAgain = [...looks.values()].some((look) => isDoubtful(look, before));
  const after = isAgain ? await ask(true) : 'not-asked';
  const { filtersSeen, spellings } = judgeFilters([...looks.values()], before, after);
  const now = isRead(after) ? after : before;
  return {
    own: isRead(now) ? now.filters : undefined,
    filtersByAddress: new Map(
      [...looks.keys()].flatMap((key, index) => (filtersSeen[index] ? [[key, filtersSeen[index]]] : [])),
    ),
    spellings,
  };
}

interface JudgedFilters {
  /** The filters in the order of the looks. */
  readonly filtersSeen: readonly SeenFilters[];
  /** The ids that Omni spells differently in schedules and in the filters of their dashboard. */
  readonly spellings: readonly string[];
}

/** True if the dashboard must be read once more, now that the schedule was read. */
export function isDoubtful(given: FilterLook, before: FilterReading): boolean {
  const look = narrowed(given, [before]);
  return isRead(before) && [lackedIds, ownIds, invertedIds, otherIds].some((idsIn) => idsIn(look, [before]).length > 0);
}

/** The applied ids of an adopted resource for which Omni has something else. */
function otherIds({ applied = {}, answer, notCompared, isAdopted }: FilterLook): readonly string[] {
  if (!isAdopted) return [];
  return Object.entries(applied).flatMap(([id, value]) =>
    notCompared.has(id) || isSameCondition(answer[id] ?? null, value) ? [] : [id],
  );
}

/** Compares an adopted schedule's filters as if applied, unless a reading has them as the dashboard's. */
function narrowed(look: FilterLook, readings: readonly FilterReading[]): FilterLook {
  const { applied = {}, answer, notCompared, isAdopted } = look;
  if (!isAdopted) return look;
  const found = (id: string) => (Object.hasOwn(answer, id) ? answer : applied)[id] ?? null;
  const mayBeIn = (id: string, reading: FilterReading) =>
    reading === 'refused' ||
    (isRead(reading) && Object.hasOwn(reading.filters, id) && isSameCondition(found(id), reading.filters[id] ?? null));
  return {
    ...look,
    notCompared: new Set([...notCompared].filter((id) => readings.some((reading) => mayBeIn(id, reading)))),
  };
}

/** Judges the schedules of one dashboard. `after` was read behind them; it is not asked for if nothing is doubtful. */
export function judgeFilters(given: readonly FilterLook[], before: FilterReading, after: FilterReading): JudgedFilters {
  const looks = given.map((look) => narrowed(look, [before, after]));
  const readings = { before, after, all: [before, after].filter(isRead) };
  const own = looks.map((look) => (isRead(before) && isRead(after) ? ownIds(look, readings.all) : []));
  const isSpelling = (id: string) => {
    const [first = {}, ...others] = looks.map(({ answer }) => mapOf(ownValue(answer, id)));
    return others.length > 0 && own.every((ids) => ids.includes(id)) && others.every((each) => areAlike(each, first));
  };
  const spellings = [...new Set(own.flat())].filter(isSpelling);
  const filtersSeen = looks.map((look, index) => {
    const ids = own[index]?.filter((id) => !spellings.includes(id)) ?? [];
    return seenFilters(look, ids, readings);
  });
  return { filtersSeen, spellings };
}

interface Readings {
  readonly before: FilterReading;
  readonly after: FilterReading;
  /** The readings that hold filters. */
  readonly all: readonly RemoteFilters[];
}

/** `own`: the ids of filters that somebody gave it. */
function seenFilters(look: FilterLook, own: readonly string[], { before, after, all }: Readings): SeenFilters {
  const { applied = {}, answer, notCompared, isAdopted } = look;
  const lacked = new Set(lackedIds(look, all));
  const turned = new Set(isRead(before) && isRead(after) ? invertedIds(look, all) : []);
  const filterConfig: Record<string, Json> = {};
  let isIncomplete =
    (before === 'refused' && Object.keys(answer).some((id) => !Object.hasOwn(applied, id) && !notCompared.has(id))) ||
    (after === 'refused' && isDoubtful(look, before));
  for (const [id, value] of Object.entries(applied)) {
    if (lacked.has(id)) {
      if (isRead(after) && !Object.hasOwn(after.filters, id)) continue;
      isIncomplete = true;
    }
    const isCompared = !lacked.has(id) && !notCompared.has(id) && !isControl(id, all);
    const ofAdopted = isAdopted && !lacked.has(id) ? adoptedEntry(id, value, look, isCompared) : value;
    const entry = isCompared && !isAdopted ? appliedEntry(id, value, look) : ofAdopted;
    isIncomplete ||= entry === undefined;
    define(filterConfig, id, turned.has(id) ? { ...mapOf(entry), ...negative } : (entry ?? value));
  }
  for (const id of own) define(filterConfig, id, ownEntry(id, look, all));
  const isSet = look.applied !== undefined || Object.keys(filterConfig).length > 0;
  const equals = (id: string, { filters }: RemoteFilters) =>
    Object.hasOwn(filters, id) && isSameCondition(answer[id] ?? null, filters[id] ?? null);
  const asDashboard = [...notCompared].filter(
    (id) => isAdopted || (Object.hasOwn(answer, id) && all.length > 0 && all.every((reading) => equals(id, reading))),
  );
  const filters = isSet ? filterConfig : undefined;
  const answered = Object.keys(applied).filter((id) => Object.hasOwn(answer, id));
  const inEffect = answered.map((id) => [id, deliveredOf(answer[id] ?? null)] as const);
  return {
    filterConfig: filters,
    isIncomplete,
    asDashboard: asDashboard.length === 0 ? undefined : asDashboard,
    ...(isAdopted ? { inEffect: Object.fromEntries(inEffect) } : {}),
  };
}

function isRead(reading: FilterReading): reading is RemoteFilters {
  return reading !== 'refused' && reading !== 'not-asked';
}

function isControl(id: string, readings: readonly RemoteFilters[]): boolean {
  return readings.some(({ controls }) => Object.hasOwn(controls, id));
}

/** Applied ids that the answer lacks. */
function lackedIds(
  { applied = {}, notCompared, answer }: FilterLook,
  readings: readonly RemoteFilters[],
): readonly string[] {
  return Object.keys(applied).filter(
    (id) => !notCompared.has(id) && !Object.hasOwn(answer, id) && !isControl(id, readings),
  );
}

/** Other ids that differ from each of the readings. */
function ownIds(
  { applied = {}, notCompared, answer }: FilterLook,
  readings: readonly RemoteFilters[],
): readonly string[] {
  return Object.keys(answer).filter(
    (id) =>
      !Object.hasOwn(applied, id) &&
      !notCompared.has(id) &&
      !isControl(id, readings) &&
      readings.every(({ filters }) => differs(ownValue(answer, id), ownValue(filters, id))),
  );
}

const negative = { is_negative: true } as const;

/** Applied ids that pass what does not match by now, although neither what was applied nor the dashboard says so. */
function invertedIds(
  { applied = {}, notCompared, answer }: FilterLook,
  readings: readonly RemoteFilters[],
): readonly string[] {
  const isTurned = (entry: Json | undefined) => isAs('is_negative', true, mapOf(entry)['is_negative']);
  return Object.entries(applied).flatMap(([id, value]) =>
    isJsonObject(value) &&
    !Object.hasOwn(value, 'is_negative') &&
    !notCompared.has(id) &&
    !isControl(id, readings) &&
    isTurned(ownValue(answer, id)) &&
    !readings.some(({ filters }) => isTurned(ownValue(filters, id)))
      ? [id]
      : [],
  );
}

/** True if they differ in a key that both have. */
function differs(answer: Json | undefined, dashboards: Json | undefined): boolean {
  if (!isJsonObject(answer) || !isJsonObject(dashboards)) return false;
  return writtenKeys(answer).some(
    (key) => Object.hasOwn(dashboards, key) && !isSame(key, answer[key], dashboards[key]),
  );
}

/** The declared entry if it means the same, and else the whole one from Omni: nothing of it was sent. */
function adoptedEntry(id: string, declared: Json, { answer }: FilterLook, isCompared: boolean): Json {
  const found = answer[id] ?? null;
  if (!Object.hasOwn(answer, id)) return declared;
  if (!isSameCondition(found, declared)) return isCompared ? deliveredOf(found) : declared;
  // Omni may lack keys that only complete it.
  const shown = shownOf(declared, found);
  return isJsonObject(shown) && equalJson(completed(shown), declared) ? shown : declared;
}

/** An applied entry as it is now: keys that mean the same stay as they were written. Undefined where nothing can be compared. */
function appliedEntry(id: string, applied: Json, { answer, knownValues }: FilterLook): Json | undefined {
  const found = answer[id] ?? {};
  if (!isJsonObject(applied)) {
    if (isAs('values', applied, found)) return applied;
    return isJsonObject(found) ? undefined : found;
  }
  if (!isJsonObject(found)) return undefined;
  const entry: Record<string, Json> = {};
  for (const [key, before] of Object.entries(applied)) {
    const now = ownValue(found, key);
    if (!isKnownKey(key) || isAs(key, before, now)) define(entry, key, before);
    else if (now !== undefined)
      define(entry, key, knownSpelling(id, key, now, knownValues) ?? spelled(key, before, now));
  }
  return entry;
}

/** A filter that somebody gave the schedule: all that people write of it, or what is known of it and what differs beside that. */
function ownEntry(id: string, { answer, knownValues }: FilterLook, [before]: readonly RemoteFilters[]): JsonObject {
  const found = answer[id] as JsonObject;
  const ours = knownValues
    .map((filters) => ownValue(filters, id))
    .filter(isJsonObject)
    .find((each) => writtenKeys(each).every((key) => isAs(key, each[key], ownValue(found, key))));
  const entry: Record<string, Json> = {};
  for (const key of writtenKeys(found)) {
    const value = found[key] ?? null;
    const isInherited = ours !== undefined && isSame(key, value, ownValue(ownValue(before?.filters, id), key));
    if (!isInherited) define(entry, key, value);
  }
  return { ...entry, ...ours };
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function knownSpelling(id: string, key: string, now: Json, known: readonly JsonObject[]): Json | undefined {
  return known.map((filters) => ownValue(ownValue(filters, id), key)).find((each) => isAs(key, each, now));
}

/** Values that stay are spelled and ordered as they were applied. */
function spelled(key: string, applied: Json, found: Json): Json {
  if (key !== 'values' || !Array.isArray(applied) || !Array.isArray(found)) return found;
  const [before, now] = [applied, found].map((values) => new Set(values.map(textOf)));
  return [
    ...applied.filter((each: Json) => now?.has(textOf(each))),
    ...found.filter((each: Json) => !before?.has(textOf(each))),
  ];
}

function writtenKeys(entry: JsonObject): readonly string[] {
  return Object.keys(entry).filter(isKnownKey);
}

/** True if ours is the same in the keys that it has. A type, or the usual kind, is the same if it is not shown. */
function isAs(key: string, ours: Json | undefined, found: Json | undefined): boolean {
  if (isUnshown(key, ours, found)) return true;
  return equalJson(meaningOf(key, shownOf(ours, found)), meaningOf(key, within(ours, found)));
}

function isUnshown(key: string, ours: Json | undefined, found: Json | undefined): boolean {
  return found === undefined && (key === 'type' || (key === 'kind' && isNamed(ours, 'equals')));
}

/** Removes the keys that go without saying and that Omni does not show, also in maps inside of the value. */
export function shownOf(ours: Json | undefined, found: Json | undefined): Json | undefined {
  if (Array.isArray(ours) && Array.isArray(found) && ours.length === found.length)
    return ours.map((each: Json, index) => shownOf(each, found[index]) ?? null);
  if (!isJsonObject(ours) || !isJsonObject(found)) return ours;
  const shown = Object.entries(ours).filter(([key, each]) => !isUnshown(key, each, ownValue(found, key)));
  return Object.fromEntries(shown.map(([key, each]) => [key, shownOf(each, ownValue(found, key)) ?? null]));
}

/** True if they are the same in the keys that both have. */
function isSame(key: string, a: Json | undefined, b: Json | undefined): boolean {
  return equalJson(meaningOf(key, within(b, a)), meaningOf(key, within(a, b)));
}

/** True if they are the same in the keys that people write. */
function areAlike(a: JsonObject, b: JsonObject): boolean {
  const keys = new Set([...writtenKeys(a), ...writtenKeys(b)]);
  return [...keys].every((key) => equalJson(meaningOf(key, a[key]), meaningOf(key, b[key])));
}

/** The value with only those keys of its maps that the other has. */
function within(other: Json | undefined, value: Json | undefined): Json | undefined {
  if (Array.isArray(other) && Array.isArray(value) && other.length === value.length)
    return value.map((each: Json, index) => within(other[index], each) ?? null);
  if (!isJsonObject(other) || !isJsonObject(value)) return value;
  const shared = Object.entries(value).filter(([key]) => Object.hasOwn(other, key));
  return Object.fromEntries(shared.map(([key, each]) => [key, within(other[key], each) ?? null]));
}
