// The state for people: some resources or all of it, and a summary. For `almanac state show`, and for `almanac show` without
// a plan. Secrets are masked.

import { identities } from '../../model/fields/identity.ts';
import { openChanges } from '../../model/plan/open-change.ts';
import type { State, StateResource } from '../../model/plan/state.ts';
import { type Address, kindAt, kinds, kindsInOrder } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { maskAttributes } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import { choiceAmong, resolveOrAll } from '../../plan/select.ts';
import { type Block, type Doc, dim, type Field, indented, part, strong } from '../../report/doc.ts';
import { declaredFields } from '../../report/fields/field-list.ts';
import { listedFacts, listTraits } from '../../report/listed-facts.ts';
import { orphanDoc, triggerDoc, unresolvedDoc } from '../../report/plan/open-report.ts';
import { printText } from '../../report/print-text.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { type Page, plainTheme } from '../../report/text/theme.ts';
import { valueText } from '../../report/text/visible-values.ts';
import { requireState } from '../../state/current-state.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import type { Run } from './run.ts';

/** A larger state is summarised at a terminal: nobody reads thousands of lines. */
const maxShown = 10;

type TrackedEntry = readonly [Address, StateResource];

/** `almanac state show [SELECTOR...]`: resources of the state, or all of it. */
export async function stateShow(
  run: Run,
  options: { readonly format?: string },
  selectors: readonly string[],
): Promise<number> {
  const { stdout } = run;
  const store = await run.storeAlone();
  const state = requireState(await run.readState(store), store.name);
  const { tracked, selectors: whole } = chosenOf(state, selectors);
  const chosen = selectors.length > 0 ? tracked : undefined;
  const page = run.page();
  if (options.format === 'json') {
    const shown = maskState(chosen === undefined ? state : { ...state, resources: Object.fromEntries(chosen) });
    // One whole address names one resource, so a program gets only that.
    const [one = '', ...others] = whole;
    stdout.data(renderJson((tracked.length === 1 && others.length === 0 ? shown.resources[one] : undefined) ?? shown));
  } else if (options.format === 'adopt') stdout.data(adoptEntries(tracked, run.options.env));
  else if (chosen !== undefined) stdout.write(printText(chosen.map(resourcePart), { ...page, showsAll: true }));
  else if (stdout.isTerminal && !page.showsAll && Object.keys(state.resources).length > maxShown)
    stdout.write(renderStateSummary(state, page));
  else stdout.write(renderWholeState(state, page));
  return 0;
}

/** The entries with which another workspace takes these over. Each id belongs to one environment. Ends with a newline. */
function adoptEntries(tracked: readonly TrackedEntry[], environment: string | undefined): string {
  const place = environment === undefined ? '' : `, in: [${printString(environment, inBrackets)}]`;
  const entries = tracked.flatMap(([address, { id }]) =>
    id === undefined || identities[kindAt(address)].listedBy === undefined
      ? []
      : [`  - { to: ${address}, id: ${printString(id, inBrackets)}${place} }`],
  );
  return `${['adopt:', ...entries].join('\n')}\n`;
}

/** Selects by what was applied; the selectors come back as whole addresses. Throws Failure usage. */
export function chosenOf(
  state: State,
  selectors: readonly string[],
): { readonly tracked: readonly TrackedEntry[]; readonly selectors: readonly string[] } {
  const choice = choiceAmong(Object.keys(state.resources), { state, nothing: 'is not in the state' });
  const chosen = resolveOrAll(selectors, choice);
  return { ...chosen, tracked: trackedOf(state).filter(([address]) => chosen.addresses.has(address)) };
}

const plainPage: Page = { theme: plainTheme, width: 80 };

/** The whole state. Ends with a newline. */
export function renderWholeState(state: State, page: Page = plainPage): string {
  const whole = { ...page, showsAll: true };
  return printText([headPart(state), ...trackedOf(state).map(resourcePart), ...openParts(state, whole)], whole);
}

/** A large state, cut to what a person can read at a terminal, and how to see the rest. Ends with a newline. */
function renderStateSummary(state: State, page: Page): string {
  const tracked = trackedOf(state);
  const rest = `${stateListCounts(tracked, tracked.length)} \`${command('state list')}\` lists them, \`${command('state show', 'ADDRESS')}\` shows one, and -v shows all.`;
  return printText([headPart(state), part(rest), ...openParts(state, page)], page);
}

function headPart({ resources, orphans, unresolved, ...state }: State): Block {
  const counts = [countOf(Object.keys(resources).length, 'resource'), countOf(orphans.length, 'orphan')];
  return part(
    [strong('State'), ` of ${state.baseUrl}`],
    indented(
      2,
      dim(`lineage ${state.lineage}, serial ${state.serial}, by almanac ${state.toolVersion}`),
      `${counts.join(', ')}, ${unresolved.length} unresolved`,
    ),
  );
}

function openParts(state: State, page: Pick<Page, 'showsAll'>): Doc {
  return [...unresolvedDoc(openChanges(state), page), ...triggerDoc(state), ...orphanDoc(state.orphans, page)];
}

function resourcePart([address, resource]: TrackedEntry): Block {
  const { id, attributes, outputs = {}, createdAt, updatedAt } = resource;
  const given = Object.keys(outputs)
    .sort(byCodeUnit)
    .map((label): Field => ({ sign: ' ', label, values: [valueText(outputs[label] ?? null)] }));
  return part(
    { mark: '# ', of: strong(address) },
    { mark: '# ', of: dim(`created ${createdAt}, updated ${updatedAt}`) },
    { fields: declaredFields({ kind: kindAt(address), attributes: maskAttributes(attributes), sign: ' ', id }) },
    given.length > 0 && indented(2, dim('given by the service:')),
    { fields: given },
  );
}

/** The state as JSON may show it: secrets masked, and without the salt of their fingerprints. */
export function maskState(state: State): Omit<State, 'salt'> {
  const { salt: _, ...shown } = state;
  const resources = trackedOf(state).map(([address, resource]) => [
    address,
    { ...resource, attributes: maskAttributes(resource.attributes) },
  ]);
  const unresolved = state.unresolved.map((entry) => ({
    ...entry,
    attributes: entry.attributes && maskAttributes(entry.attributes),
    earlier: entry.earlier?.map(maskAttributes),
  }));
  return { ...shown, resources: Object.fromEntries(resources), unresolved };
}

function trackedOf({ resources }: State): readonly TrackedEntry[] {
  return Object.entries(resources).sort(([a], [b]) => byCodeUnit(a, b));
}

type Column = TableColumn<TrackedEntry>;

const none = '-';

const address: Column = { title: 'ADDRESS', cell: ([name]) => name };
const id: Column = { title: 'ID', cell: ([, resource]) => resource.id ?? none, role: 'dim' };
const name: Column = { title: 'NAME', cell: factIn('title'), least: 12 };
const dashboard: Column = { title: 'DASHBOARD', cell: factIn('subject') };

/** The column of subjects, titled after what these resources are about. */
function subjectOf(tracked: readonly TrackedEntry[]): Column {
  const fields = new Set(tracked.flatMap(([each]) => listTraits[kindAt(each)].subject ?? []));
  return fields.has('modelId') ? { ...dashboard, title: fields.size > 1 ? 'DASHBOARD OR MODEL' : 'MODEL' } : dashboard;
}
const destination: Column = { title: 'SENDS TO', cell: factIn('delivery') };
const updated: Column = { title: 'UPDATED', cell: ([, { updatedAt }]) => updatedAt.slice(0, 10), role: 'dim' };

/** The chosen resources out of `all`. Wide values are cut, ids first; -v shows them in full. Ends with a newline. */
export function renderStateTable(page: Page, tracked: readonly TrackedEntry[], all: number): string {
  const table = tableLines(page, [address, name, subjectOf(tracked), destination, updated, id], tracked);
  return `${[...(tracked.length === 0 ? [] : [...table, '']), stateListCounts(tracked, all)].join('\n')}\n`;
}

/** `38 dashboards, 262 schedules.`, with the total if only some are listed. */
function stateListCounts(tracked: readonly TrackedEntry[], all: number): string {
  const counts = kindsInOrder.flatMap((kind) => {
    const count = tracked.filter(([each]) => kindAt(each) === kind).length;
    return count === 0 ? [] : [countOf(count, kinds[kind].words)];
  });
  if (all === 0) return 'The state tracks nothing.';
  return `${counts.join(', ')}${tracked.length < all ? ` of ${countOf(all, 'resource')}` : ''}.`;
}

/** The document of `state list --format json`. A field that a resource lacks is left out. */
export function stateListDocument(tracked: readonly TrackedEntry[]): object {
  const resources = tracked.map(([each, { id, attributes, updatedAt }]) => {
    const kind = kindAt(each);
    const { title, subject, delivery } = listedFacts(kind, attributes);
    const about = listTraits[kind].subject;
    const facts = { name: title, ...(about === undefined ? {} : { [about]: subject }), destinationType: delivery };
    return { address: each, kind, id, ...facts, updatedAt };
  });
  return { formatVersion: 1, resources };
}

function factIn(fact: keyof ReturnType<typeof listedFacts>): Column['cell'] {
  return ([each, { attributes }]) => {
    const text = listedFacts(kindAt(each), attributes)[fact];
    return text === undefined || text.trim() === '' ? none : text;
  };
}
