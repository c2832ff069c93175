// Reads back whether Omni stores filters that divide rows as they were sent. Of a dashboard, the first change that sets
// such filters is read; its other changes wait for the result, or are left. What the state says was not read is read by
// each apply. A schedule shows the filters in effect, so one that was not stored looks like that of its dashboard. What a
// dashboard makes of filters is not known.

import { completed } from '../model/fields/complete-conditions.ts';
import {
  conditionOf,
  differingKeys,
  filterWords,
  isSameCondition,
  isUnset,
  textOf,
} from '../model/fields/conditions.ts';
import { conditionFields, isKnownKind } from '../model/fields/filter-keys.ts';
import type { ApplyResult } from '../model/plan/apply-outcome.ts';
import type { NotRead } from '../model/plan/observation.ts';
import { type NotReadBack, trackedAt } from '../model/plan/state.ts';
import type { RemoteSchedule } from '../model/service/remote.ts';
import { type Address, filtersDashboard } from '../model/values/address.ts';
import { memoize } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { utcDay } from '../model/values/day.ts';
import { equalJson, type Json, type JsonObject, ownValue } from '../model/values/json.ts';
import { scheduleUrl } from '../model/values/urls.ts';
import { codeList, inBackticks, nameSome, quote } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { isPaused } from '../model/workspace/resource.ts';
import { leavesOpen, notRead, refusesOne, retryWhileNew, unlessGone } from '../observe/sending.ts';
import type { CallOptions } from '../omni/api.ts';
import { dividedBy, dividingIn, isReadable, type SentFilters } from '../plan/dashboard-filters.ts';
import { type PlanInputs, withState } from '../plan/inputs.ts';
import { type acceptingUnread, markWords, openReadBacks } from '../plan/not-read-back.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { LockedStore } from '../state/state-store.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Effects } from './effects.ts';
import { isListed } from './read-lists.ts';
import { notStarted, type ResourceFacts, type ResultError } from './results.ts';

/** The facts of a run while it goes on. */
export interface ReadingBack {
  readonly proposal: Proposal;
  readonly effects: Effects;
  readonly ports: ApplyPorts;
  readonly results: ReadonlyMap<Step, ApplyResult>;
  readonly accepts: ReturnType<typeof acceptingUnread>;
  /** The steps that set filters which divide rows, each with all such steps of its dashboard. */
  readonly divided: ReadonlyMap<Step, StepGroup>;
  /** The changes of a dashboard's filters, with the reports that are read after them. */
  readonly told: ReadonlyMap<Step, readonly SentFilters[]>;
  /** The reports whose filters Omni did not show as they were sent, after a change of their dashboard's, each with the reason. */
  readonly shownOtherwise: Map<Address, Failure>;
}

/** The steps of one dashboard, the first of which is read back. */
export interface StepGroup {
  readonly identifier: string;
  readonly steps: readonly Step[];
  /** Undefined until one was read back; then it says whether the others are sent, or why not. */
  readBack?: 'goes-on' | Failure;
}

export function dividedIn(proposal: Proposal): ReadingBack['divided'] {
  return new Map(
    [...dividedBy(proposal)].flatMap(([identifier, steps]) => {
      const divided: StepGroup = { identifier, steps };
      return steps.map((step) => [step, divided] as const);
    }),
  );
}

/**
 * Puts first the steps of what was not read back before, then those for which Omni would show something else if it stored nothing,
 * as far as the dashboard's filters are known.
 */
export function tellingFirst(turn: readonly Step[], { identifier }: StepGroup, run: ReadingBack): readonly Step[] {
  const own = ownFiltersNow(identifier, run);
  const tells = (step: Step) => own !== undefined && differsFrom(own, dividingSent(step, run.proposal));
  const rankOf = (step: Step) => (markOf(step, run.proposal) !== undefined ? 0 : tells(step) ? 1 : 2);
  return [0, 1, 2].flatMap((rank) => turn.filter((step) => rankOf(step) === rank));
}

function dividingSent({ delivered }: Step, { inputs }: Proposal): SentConditions {
  const { after } = delivered();
  return new Map(after && dividingIn(after, inputs.loaded.rows?.rules.filters ?? []));
}

/** What the state says of it, unless a new schedule takes its place. */
function markOf({ change }: Step, { inputs }: Proposal): NotReadBack | undefined {
  const { address, previousAddress = address, reason } = change;
  return reason === 'replaced' ? undefined : trackedAt(inputs.state, previousAddress)?.notReadBack;
}

/** The filters that the state keeps until they are read back; empty if a request ends what it kept so far. */
export function filtersToKeep(
  step: Step,
  { divided, proposal }: Pick<ReadingBack, 'divided' | 'proposal'>,
): JsonObject | undefined {
  if (divided.has(step) && isReadable(step)) return Object.fromEntries(dividingSent(step, proposal));
  return markOf(step, proposal) === undefined ? undefined : {};
}

/** True if a step is read back itself once it was sent. */
export function isToRead(step: Step, { divided, proposal }: ReadingBack): boolean {
  const group = divided.get(step);
  if (group === undefined || !isReadable(step)) return false;
  return group.readBack === undefined || markOf(step, proposal) !== undefined;
}

/** The filters of a dashboard as a look has read them, with what this run has changed; undefined if none was read. */
function ownFiltersNow(identifier: string, { proposal, results }: ReadingBack): JsonObject | undefined {
  const read = proposal.observation?.ownFilters.get(identifier);
  if (read === undefined) return undefined;
  const own = new Map(Object.entries(read));
  for (const [{ change, calls, delivered, renamedTo }, { status }] of results) {
    const { after } = delivered();
    const isChanged = filtersDashboard(change.kind) && calls.length > 0 && status === 'applied';
    if (!isChanged || (renamedTo ?? after?.dashboard) !== identifier) continue;
    for (const [id, { condition }] of after?.rows ?? [])
      own.set(id, { ...conditionOf(own.get(id) ?? {}), ...condition });
  }
  return Object.fromEntries(own);
}

/** Notes the dashboards on which nothing can be read back. */
export function noteUnreadable({ divided, ports }: ReadingBack): void {
  for (const { identifier, steps } of new Set(divided.values())) {
    if (steps.some(isReadable)) continue;
    const message = `Almanac cannot tell whether Omni stores the filters of ${nameSome(steps.map(({ change }) => change.address))} on ${identifier}: a test delivery leaves no schedule that could be read.`;
    ports.reporter.emit({ type: 'note', message });
  }
}

/**
 * Reads back a step right after it was sent. The first one of a dashboard decides about the others. Returns why no more of it is sent.
 */
export async function readBack(
  step: Step,
  { id = '', createdAt }: ResourceFacts,
  options: CallOptions,
  run: ReadingBack,
): Promise<ResultError | undefined> {
  const { effects, ports, proposal } = run;
  const divided = run.divided.get(step);
  if (divided === undefined || !isToRead(step, run)) return undefined;
  const { address } = step.change;
  const { baseUrl } = proposal.document;
  const sent = dividingSent(step, proposal);
  const read = await readDuring({ id, createdAt, sent, on: divided.identifier }, options, run);
  const now = ports.clock.now();
  const since = new Date(now).toISOString();
  const mark = markAfter({ sent: Object.fromEntries(sent), since }, read, now);
  effects.noteRead(address, mark);
  if (mark === undefined) {
    divided.readBack = 'goes-on';
    noteEnded(address, read, ports);
    return undefined;
  }
  // The declaration accepts it of this one alone: the next one of the dashboard is read.
  if (run.accepts(address)) return undefined;
  divided.readBack = firstNotStored(address, read.is !== 'not-read');
  if (read.is !== 'not-read') {
    const stays = isPaused(step.after ?? {}) || step.calls.includes('resume');
    const page = scheduleUrl(baseUrl, divided.identifier, id);
    return { code: otherRows, ...markWords(mark, { id, page, stays }) };
  }
  return unanswered(address, read);
}

interface ReportToRead {
  readonly id: string;
  readonly createdAt: string | undefined;
  readonly sent: SentConditions;
  /** Its dashboard. */
  readonly on: string;
}

async function readDuring(
  { id, createdAt, sent, on }: ReportToRead,
  options: CallOptions,
  run: ReadingBack,
): Promise<StoredFilter | NotRead> {
  const { effects, ports } = run;
  const age = { clock: ports.clock, createdAt, signal: options.signal };
  const answer = await effects.ask(async () => {
    const api = await ports.service.api();
    return retryWhileNew(age, () => api.getSchedule(id, options));
  });
  if (answer.status === 'applied') return storedOf(sent, answer.created, ownFiltersNow(on, run));
  if (answer.status === 'skipped') return { is: 'not-read', isRefused: false, ...notStarted(answer.halt) };
  const { code, message } = answer.error ?? { code: 'bug', message: 'The request ended in a bug of almanac.' };
  return { is: 'not-read', code, message, isRefused: leavesOpen(answer.error) };
}

/** The answer, or that it is not read. */
async function answered<T>(ask: () => Promise<T>): Promise<T | NotRead> {
  try {
    return await ask();
  } catch (error) {
    return notRead(error);
  }
}

function conditionsIn(sent: JsonObject): SentConditions {
  return new Map(Object.entries(sent).map(([id, condition]) => [id, conditionOf(condition)]));
}

/** What the state keeps after a read; undefined if the filters are read. */
function markAfter(before: NotReadBack, read: StoredFilter | NotRead, now: number): NotReadBack | undefined {
  const { other: _, ...rest } = before;
  if (read.is === 'other') return { ...rest, other: read.words, refused: undefined };
  if (read.is !== 'not-read') return undefined;
  if (!read.isRefused || before.other !== undefined) return before;
  const refused = [...new Set([...(before.refused ?? []), utcDay(now)])];
  return refused.length < maxDaysRefused ? { ...before, refused } : undefined;
}

/** After refusals on so many days nobody can tell. */
const maxDaysRefused = 3;

function noteEnded(address: Address, read: StoredFilter | NotRead, { reporter }: Pick<ApplyPorts, 'reporter'>): void {
  const note = (message: string) => reporter.emit({ type: 'note', message });
  if (read.is === 'respelled')
    note(
      `Omni stores the filters of ${address} with the values that were sent, but writes them differently: ${read.words}.`,
    );
  if (read.is === 'untold') note(`Almanac cannot tell whether Omni stores the filters of ${address}: ${read.words}.`);
  if (read.is === 'not-read')
    note(
      `Almanac cannot tell whether Omni stores the filters of ${address}: on three days Omni refused to show them. ${read.message}`,
    );
}

/**
 * Reads, with operations full, what the state says was not read back, or not as it was sent; but not what a declaration accepts.
 * What was found is written even if the rest is refused.
 */
export async function readAgain(inputs: PlanInputs, locked: LockedStore, ports: ApplyPorts): Promise<PlanInputs> {
  const { state, config } = inputs;
  const open = config.api.operations === 'full' ? openReadBacks(inputs) : [];
  if (state === undefined || open.length === 0) return inputs;
  const resources = { ...state.resources };
  const api = await ports.service.api();
  const { call } = ports.service;
  const ownOf = memoize((on: string) =>
    api.getFilters(on, call).catch((error: unknown) => {
      if (!refusesOne(error)) throw error;
    }),
  );
  for (const { address, resource, mark } of open) {
    const { id = '', entityId, createdAt, attributes } = resource;
    const identifier = String(attributes['identifier']);
    const age = { clock: ports.clock, createdAt, signal: ports.signal };
    const read = await answered(async () => {
      const details = await unlessGone(retryWhileNew(age, () => api.getSchedule(id, call)));
      if (details !== undefined)
        return storedOf(conditionsIn(mark.sent), details, (await ownOf(entityId ?? identifier))?.filters);
      return (await isListed('schedule', id, { identifier }, api, call))
        ? ({
            is: 'not-read',
            code: 'api-rejected',
            message: 'Omni lists it, and does not find it.',
            isRefused: true,
          } as const)
        : 'gone';
    });
    const after = read === 'gone' ? undefined : markAfter(mark, read, ports.clock.now());
    if (equalJson(after, mark)) continue;
    resources[address] = { ...resource, notReadBack: after };
    if (read === 'gone') ports.reporter.emit({ type: 'note', message: goneWords(address, id) });
    else if (after === undefined) noteEnded(address, read, ports);
  }
  if (open.every(({ address, resource }) => resources[address] === resource)) return inputs;
  const read = { ...state, resources, serial: state.serial + 1 };
  await locked.commit(read);
  return withState(inputs, read);
}

function goneWords(address: Address, id: string): string {
  return `${address} (${id}) is gone from Omni, so its filters are not read back. \`${command('plan', '--refresh')}\` shows what becomes of it.`;
}

/** Before a change of a dashboard's filters: marks the reports that it makes tell, so that they are read even after a kill. */
export async function markTold(step: Step, run: ReadingBack): Promise<void> {
  const told = run.told.get(step) ?? [];
  const since = new Date(run.ports.clock.now()).toISOString();
  if (told.length > 0)
    await run.effects.markUnread(new Map(told.map(({ address, sent }) => [address, { sent, since }])));
}

/** After a change of a dashboard's filters: reads the reports that were marked, or takes the marks back if it was not sent. */
export async function readTold(step: Step, isSent: boolean, options: CallOptions, run: ReadingBack): Promise<void> {
  const { effects, ports } = run;
  const identifier = step.renamedTo ?? String(step.delivered().after?.dashboard);
  for (const { address, resource, sent } of run.told.get(step) ?? []) {
    if (!isSent) {
      effects.noteRead(address, resource.notReadBack);
      continue;
    }
    const { id = '', createdAt } = resource;
    const report = { id, createdAt, sent: conditionsIn(sent), on: identifier };
    const read = await readDuring(report, options, run);
    const now = ports.clock.now();
    const mark = markAfter({ sent, since: new Date(now).toISOString() }, read, now);
    effects.noteRead(address, mark);
    if (mark === undefined) {
      noteEnded(address, read, ports);
      continue;
    }
    if (run.accepts(address)) continue;
    run.shownOtherwise.set(address, firstNotStored(address, mark.other !== undefined, ''));
  }
}

/** The reason for leaving a step that sets a dividing filter, after the first of its dashboard was read back. */
export function leftByReadBack(step: Step, divided: ReadingBack['divided']): Failure | undefined {
  const { readBack: first, steps = [] } = divided.get(step) ?? {};
  if (first instanceof Failure) return first;
  return first === undefined && !isReadable(step) && steps.some(isReadable) ? leftTest : undefined;
}

/** The code of a change whose filters Omni shows differently than they were sent: nothing in a result is more urgent. */
export const otherRows = 'other-filters-stored';

function unanswered(address: Address, { code, message }: NotRead): ResultError {
  const hint = `The next \`${command('apply')}\` reads them again. \`${command('drift', '--deep', '--target', address)}\` shows the filters.`;
  return { code, message: `The filters that Omni stored could not be read. ${message}`, hint };
}

/** The reason for leaving the other changes that set dividing filters of the same dashboard. */
function firstNotStored(address: Address, isOther: boolean, beside = ', on the same dashboard,'): Failure {
  const [message, hint] = isOther
    ? [
        `Omni does not show the filters of ${address}${beside} as they were sent.`,
        `Find out why before the next \`${command('apply')}\`: of each dashboard it sends one such change first.`,
      ]
    : [
        `The filters that Omni stored of ${address}${beside} could not be read.`,
        `The next \`${command('apply')}\` reads the filters of another change on this dashboard.`,
      ];
  return new Failure('blocked', message, { hint });
}

const leftTest = new Failure(
  'blocked',
  'A test delivery is sent only after another change on its dashboard was read back, and no change was.',
);

/** The words are part of a sentence: what Omni shows and what was sent; its other spelling; or why it is not known. */
export type StoredFilter =
  | { readonly is: 'as-sent' }
  | { readonly is: 'other' | 'respelled' | 'untold'; readonly words: string };

/** Conditions that are sent, by the ids of their filters. */
export type SentConditions = ReadonlyMap<string, JsonObject>;

/** `own` holds the filters of the dashboard itself; undefined if they were not read. */
export function storedOf(
  sent: SentConditions,
  { filterConfig: shown }: Pick<RemoteSchedule, 'filterConfig'>,
  own: JsonObject | undefined,
): StoredFilter {
  if (shown === undefined) return { is: 'untold', words: 'Omni shows no filters of it' };
  const differences = [...sent].flatMap(([id, condition]) => {
    const found = ownValue(shown, id);
    return found === undefined || passesOtherRows(condition, conditionOf(found))
      ? otherWords(id, condition, found, ownValue(own, id))
      : [];
  });
  if (differences.length > 0) return { is: 'other', words: differences.join('; ') };
  const respelled = [...sent].flatMap(([id, condition]) => spelling(id, condition, conditionOf(shown[id] ?? null)));
  if (respelled.length > 0) return { is: 'respelled', words: respelled.join('; ') };
  if (own === undefined) return { is: 'untold', words: 'the filters of the dashboard itself could not be read' };
  if (differsFrom(own, sent)) return { is: 'as-sent' };
  return { is: 'untold', words: `the dashboard itself has the same ${codeList([...sent.keys()])}` };
}

/** True if Omni would show something else if it stored nothing of what is sent. */
export function differsFrom(own: JsonObject, sent: SentConditions): boolean {
  return [...sent].some(([id, condition]) => !isSameCondition(condition, ownValue(own, id) ?? null));
}

/** True if it lets other rows through. A type or a kind that is unknown or left out is another spelling. */
function passesOtherRows(sent: JsonObject, shown: JsonObject): boolean {
  return differingKeys(completed(sent), completed(shown)).some((key) => {
    const { holdsValue, negates, opens } = conditionFields[key] ?? {};
    if (key === 'kind') return isKnownKind(shown[key] ?? null);
    if (holdsValue || negates || opens) return true;
    // Omni may leave out what does not limit by itself.
    return Object.hasOwn(conditionFields, key) && !spelledKeys.includes(key) && Object.hasOwn(shown, key);
  });
}

const spelledKeys: readonly string[] = ['kind', 'type', 'ui_type'];

function otherWords(id: string, sent: JsonObject, shown: Json | undefined, own: Json | undefined): string {
  const filter = inBackticks(id);
  const wanted = shownFilter(sent);
  if (shown === undefined) return `Omni shows no filter ${filter}, and ${wanted} was sent`;
  const found = shownFilter(shown);
  if (own !== undefined && isSameCondition(shown, own))
    return `Omni shows the dashboard's own ${filter} (${found}), and ${wanted} was sent`;
  // The words show only the beginning of long lists.
  const keys = found === wanted ? `, and they differ in ${codeList(differingKeys(sent, shown))}` : '';
  return `Omni shows ${found} as ${filter}, and ${wanted} was sent${keys}`;
}

function shownFilter(filter: Json): string {
  return isUnset(filter) ? 'no value' : quote(filterWords(filter));
}

function spelling(id: string, sent: JsonObject, shown: JsonObject): string | readonly string[] {
  const nameIn = (condition: JsonObject, key: string) => textOf(condition[key] ?? '').toUpperCase();
  const keys = ['kind', 'type'].filter((key) => sent[key] !== undefined && nameIn(sent, key) !== nameIn(shown, key));
  const found = keys.map((key) =>
    shown[key] === undefined ? `no ${inBackticks(key)}` : inBackticks(`${key}: ${textOf(shown[key])}`),
  );
  return keys.length === 0 ? [] : `${inBackticks(id)} has ${found.join(' and ')}`;
}
