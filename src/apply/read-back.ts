// Reads back whether Omni stores filters that divide rows as they were sent. Only the first change of a dashboard that
// sets such filters is read; its other changes wait for the result, or are left. A schedule shows the filters in
// effect, so one that was not stored looks like that of its dashboard. What a dashboard makes of filters is not known.

import { quote } from '../declare/formats/quote.ts';
import { isPaused } from '../model/fields/attributes.ts';
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
import type { RemoteSchedule } from '../model/service/remote.ts';
import { type Address, filtersDashboard } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { scheduleUrl } from '../model/values/dashboard-url.ts';
import type { Json, JsonObject } from '../model/values/json.ts';
import { codeList, inBackticks, nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { retryWhileNew } from '../observe/sending.ts';
import type { CallOptions } from '../omni/api.ts';
import { dashboardOf, dividedBy, isReadable } from '../plan/dashboard-filters.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Effects } from './effects.ts';
import { notStarted, type ResourceFacts, type ResultError } from './results.ts';

/** The facts of a run while it goes on. */
export interface ReadingBack {
  readonly proposal: Proposal;
  readonly effects: Effects;
  readonly ports: ApplyPorts;
  readonly results: ReadonlyMap<Step, ApplyResult>;
  /** The steps that set filters which divide rows, each with all such steps of its dashboard. */
  readonly divided: ReadonlyMap<Step, StepGroup>;
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

/** Puts first the steps for which Omni would show something else if it stored nothing, as far as the dashboard's filters are known. */
export function tellingFirst(turn: readonly Step[], { identifier }: StepGroup, run: ReadingBack): readonly Step[] {
  const own = ownFiltersNow(identifier, run);
  if (own === undefined) return turn;
  const isTelling = (step: Step) => differsFrom(own, dividingSent(step, run));
  return [...turn.filter(isTelling), ...turn.filter((step) => !isTelling(step))];
}

function dividingSent({ delivered }: Step, { proposal }: ReadingBack): SentConditions {
  const divides = proposal.inputs.loaded.rows?.rules.filters ?? [];
  const rows = [...(delivered().after?.rows ?? [])];
  return new Map(rows.flatMap(([id, { condition }]) => (divides.includes(id) ? [[id, condition] as const] : [])));
}

/** The filters of a dashboard as a look has read them, with what this run has changed; undefined if none was read. */
function ownFiltersNow(identifier: string, { proposal, results }: ReadingBack): JsonObject | undefined {
  const read = proposal.observation?.ownFilters.get(identifier);
  if (read === undefined) return undefined;
  const own = new Map(Object.entries(read));
  for (const [{ change, calls, delivered, renamedTo }, { status }] of results) {
    const { after } = delivered();
    const isChanged = filtersDashboard(change.kind) && calls.length > 0 && status === 'applied';
    if (!isChanged || (renamedTo ?? dashboardOf(after)) !== identifier) continue;
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
 * Reads back the first step of a dashboard right after it was sent, which decides about the others. Returns why no more is sent.
 */
export async function readBack(
  step: Step,
  { id = '', createdAt }: ResourceFacts,
  options: CallOptions,
  run: ReadingBack,
): Promise<ResultError | undefined> {
  const { effects, ports, proposal } = run;
  const divided = run.divided.get(step);
  if (divided === undefined || divided.readBack !== undefined || !isReadable(step)) return undefined;
  const { address } = step.change;
  const age = { clock: ports.clock, createdAt, signal: options.signal };
  const scheduleAnswer = await effects.ask(async () => {
    const api = await ports.service.api();
    return retryWhileNew(age, () => api.getSchedule(id, options));
  });
  const note = (message: string) => ports.reporter.emit({ type: 'note', message });
  if (scheduleAnswer.status !== 'applied') {
    const { code, message } =
      scheduleAnswer.status === 'skipped'
        ? notStarted(scheduleAnswer.halt)
        : (scheduleAnswer.error ?? { code: 'bug', message: 'The request ended in a bug of almanac.' });
    divided.readBack = unansweredFirst(address);
    return unanswered(address, code, message);
  }
  const stored = storedOf(dividingSent(step, run), scheduleAnswer.created, ownFiltersNow(divided.identifier, run));
  divided.readBack = stored.is === 'other' ? otherFirst(address) : 'goes-on';
  switch (stored.is) {
    case 'other':
      return otherStored(step, stored.words, id, scheduleUrl(proposal.document.baseUrl, divided.identifier, id));
    case 'respelled':
      note(
        `Omni stores the filters of ${address} with the values that were sent, but writes them differently: ${stored.words}.`,
      );
      return undefined;
    case 'untold':
      note(`Almanac cannot tell whether Omni stores the filters of ${address}: ${stored.words}.`);
      return undefined;
    case 'as-sent':
      return undefined;
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

/** `page` is its page in Omni; undefined if it has none. */
function otherStored({ after = {}, calls }: Step, words: string, id: string, page: string | undefined): ResultError {
  const stays = isPaused(after) || calls.some(({ send }) => send === 'resume');
  const schedule = `the schedule ${id}`;
  const hint = stays ? `Leave ${schedule} paused in Omni` : `Pause ${schedule} in Omni before it delivers`;
  return { code: otherRows, message: `${words}.`, hint: page === undefined ? `${hint}.` : `${hint}: ${page}` };
}

function unanswered(address: Address, code: string, why: string): ResultError {
  const hint = `\`${command('drift', '--deep', '--target', address)}\` shows the filters.`;
  return { code, message: `The filters that Omni stored could not be read. ${why}`, hint };
}

/** The reason for leaving the other changes that set dividing filters of the same dashboard. */
function otherFirst(address: Address): Failure {
  const message = `Omni does not show the filters of ${address}, on the same dashboard, as they were sent.`;
  return new Failure('blocked', message, {
    hint: `Find out why before the next \`${command('apply')}\`: of each dashboard it sends one such change first.`,
  });
}

function unansweredFirst(address: Address): Failure {
  const message = `The filters that Omni stored of ${address}, on the same dashboard, could not be read.`;
  return new Failure('blocked', message, {
    hint: `The next \`${command('apply')}\` reads the filters of another change on this dashboard.`,
  });
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
    const found = entryIn(shown, id);
    return found === undefined || passesOtherRows(condition, conditionOf(found))
      ? otherWords(id, condition, found, entryIn(own, id))
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
  return [...sent].some(([id, condition]) => !isSameCondition(condition, entryIn(own, id) ?? null));
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

function entryIn(entries: JsonObject | undefined, id: string): Json | undefined {
  return entries !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
}
