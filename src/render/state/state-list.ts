// What the state tracks, a line for each resource: a table on a terminal, and for programs the same columns in an order that
// is easy to split, with the only free text at the end.

import type { StateResource } from '../../model/plan/state.ts';
import { type Address, type Kind, kindOf, kindsInOrder, kindWords } from '../../model/values/address.ts';
import { type TableColumn, tableLines, tableRows } from '../table/table-lines.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { safeText } from '../text/terminal-text.ts';

type Tracked = readonly [Address, StateResource];
type Column = TableColumn<Tracked>;

const none = '-';

const address: Column = { title: 'ADDRESS', cell: ([name]) => safeText(name) };
const id: Column = { title: 'ID', cell: ([, resource]) => safeText(resource.id ?? none), role: 'dim' };
const name: Column = { title: 'NAME', cell: textIn('name'), least: 12 };
const dashboard: Column = { title: 'DASHBOARD', cell: textIn('identifier') };
const destination: Column = { title: 'SENDS TO', cell: textIn('destinationType') };
const updated: Column = { title: 'UPDATED', cell: ([, { updatedAt }]) => safeText(updatedAt) };
const updatedDay: Column = { ...updated, cell: ([, { updatedAt }]) => safeText(updatedAt).slice(0, 10), role: 'dim' };

/** Ends with a newline. What does not fit is cut or left out, the ids first; -v shows all of it. */
export function renderStateTable(page: Page, tracked: readonly Tracked[]): string {
  if (tracked.length === 0) return '';
  return `${tableLines(page, [address, name, dashboard, destination, updatedDay, id], tracked).join('\n')}\n`;
}

/** For pipes: address, id, dashboard, destination and time hold no space, the name may. Empty for none. */
export function renderStateRows(tracked: readonly Tracked[]): string {
  const rows = tableRows([address, id, dashboard, destination, updated, name], tracked);
  return rows.map((row) => `${row}\n`).join('');
}

/** `38 dashboards, 262 schedules.`, and of how many where only some are listed. */
export function stateListCounts(tracked: readonly Tracked[], all: number): string {
  const counts = kindsInOrder.flatMap((kind) => {
    const count = tracked.filter(([each]) => kindOf(each) === kind).length;
    return count === 0 ? [] : [countOf(count, kindWords[kind])];
  });
  if (all === 0) return 'The state tracks nothing.';
  if (counts.length === 0) return `None of ${countOf(all, 'resource')} is selected.`;
  return `${counts.join(', ')}${tracked.length < all ? ` of ${countOf(all, 'resource')}` : ''}.`;
}

/** What `state list --format json` prints. A field that a resource does not have is left out. */
interface StateListDocument {
  readonly formatVersion: 1;
  readonly resources: readonly {
    readonly address: Address;
    readonly kind: Kind;
    readonly id?: string;
    readonly name?: string;
    readonly identifier?: string;
    readonly destinationType?: string;
    readonly updatedAt: string;
  }[];
}

export function stateListDocument(tracked: readonly Tracked[]): StateListDocument {
  const resources = tracked.map(([each, { id, attributes, updatedAt }]) => ({
    address: each,
    kind: kindOf(each) ?? ('schedule' as const),
    id,
    ...Object.fromEntries(
      ['name', 'identifier', 'destinationType'].flatMap((field) => {
        const value = attributes[field];
        return typeof value === 'string' ? [[field, value]] : [];
      }),
    ),
    updatedAt,
  }));
  return { formatVersion: 1, resources };
}

function textIn(field: string): Column['cell'] {
  return ([, { attributes }]) => {
    const value = attributes[field];
    return typeof value === 'string' && value.trim() !== '' ? safeText(value) : none;
  };
}
