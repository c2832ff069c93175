// The state for people: a list of what is tracked, and everything about one resource or all. Secrets are masked.

import type { State, StateResource } from '../../model/plan/state.ts';
import { trackedAt } from '../../model/plan/tracked-at.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { byCodeUnit, type Json, type JsonObject } from '../../model/values/json.ts';
import { maskSealed } from '../../model/values/secret.ts';
import { declaredLines } from '../fields/declared-text.ts';
import { orphanLines, unresolvedLines } from '../plan/orphan-text.ts';
import { countOf } from '../text/count-words.ts';
import { commentLines, hangingLines, type Page, valueLines } from '../text/field-lines.ts';
import { displayWidth, pad, safeText, wrap } from '../text/terminal-text.ts';
import { plainTheme } from '../text/theme.ts';
import { valueText } from '../text/visible-text.ts';

const plainPage: Page = { theme: plainTheme, width: 80 };

/** A line a resource, address and id (`-` where it has none), in two columns; empty for an empty state. */
export function renderStateList(state: State): string {
  const rows = trackedOf(state).map(([address, { id }]) => [safeText(address), safeText(id ?? '-')] as const);
  const width = rows.reduce((most, [address]) => Math.max(most, displayWidth(address)), 0);
  return rows.map(([address, id]) => `${pad(address, width)}  ${id}\n`).join('');
}

/** One resource, or the whole state; undefined where the address is not in it. Ends with a newline. */
export function renderStateShow(state: State, address?: Address, page: Page = plainPage): string | undefined {
  if (address === undefined) return joinBlocks(wholeState(page, state));
  const resource = trackedAt(state, address);
  return resource === undefined ? undefined : joinBlocks([resourceLines(page, address, resource)]);
}

function wholeState(page: Page, state: State): readonly (readonly string[])[] {
  const { resources, orphans, unresolved } = state;
  const counts = [countOf(Object.keys(resources).length, 'resource'), countOf(orphans.length, 'orphan')];
  const about = `lineage ${state.lineage}, serial ${state.serial}, by almanac ${state.toolVersion}`;
  const head = [
    `${page.theme.strong('State')} of ${safeText(state.baseUrl)}`,
    ...wrap(safeText(about), page.width, '  '),
    ...wrap(`${counts.join(', ')}, ${unresolved.length} unresolved`, page.width, '  '),
  ];
  return [
    head,
    ...trackedOf(state).map(([address, resource]) => resourceLines(page, address, resource)),
    unresolvedLines(page, unresolved),
    orphanLines(page, orphans),
  ];
}

function resourceLines(page: Page, address: Address, resource: StateResource): readonly string[] {
  const { id, attributes, outputs = {}, createdAt, updatedAt } = resource;
  const kind = kindOf(address) ?? 'schedule';
  const about = { kind, attributes: masked(attributes), sign: ' ', ...(id !== undefined && { id }) } as const;
  const names = Object.keys(outputs).sort(byCodeUnit);
  const labelWidth = Math.max(2, ...names.map(displayWidth));
  const given = names.flatMap((label) =>
    valueLines(page, { sign: ' ', label: safeText(label), labelWidth, values: [valueText(outputs[label] ?? null)] }),
  );
  return [
    ...hangingLines(page, '# ', safeText(address), { role: 'strong', column: 0 }),
    ...commentLines(page, `created ${safeText(createdAt)}, updated ${safeText(updatedAt)}`, 0),
    ...declaredLines(page, about),
    ...(given.length === 0 ? [] : [page.theme.dim('  given by the service:'), ...given]),
  ];
}

/** What `state list --format json` prints. */
interface StateListDocument {
  readonly formatVersion: 1;
  readonly resources: readonly { readonly address: Address; readonly id?: string }[];
}

export function stateListDocument(state: State | undefined): StateListDocument {
  const tracked = state === undefined ? [] : trackedOf(state);
  const resources = tracked.map(([address, { id }]) => ({ address, ...(id === undefined ? {} : { id }) }));
  return { formatVersion: 1, resources };
}

/** The state as JSON may show it: secrets masked, without the salt that their fingerprints are made with. */
export function maskState(state: State): Omit<State, 'salt'> {
  const { salt: _, ...shown } = state;
  const resources = trackedOf(state).map(([address, resource]) => [
    address,
    { ...resource, attributes: masked(resource.attributes) },
  ]);
  const unresolved = state.unresolved.map((entry) =>
    entry.attributes === undefined ? entry : { ...entry, attributes: masked(entry.attributes) },
  );
  return { ...shown, resources: Object.fromEntries(resources), unresolved };
}

function masked(attributes: JsonObject): JsonObject {
  return maskSealed(attributes as Json) as JsonObject;
}

function trackedOf({ resources }: State): readonly (readonly [Address, StateResource])[] {
  return Object.entries(resources).sort(([a], [b]) => byCodeUnit(a, b));
}

function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}
