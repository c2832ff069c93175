// Whether the filters, controls and queries that a declaration names exist on its dashboard. Ids are case-sensitive.

import type { RemoteQuery } from '../../model/service/documents.ts';
import type { DashboardIds, ServiceView } from '../../model/service/service-view.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { fieldName, type RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import type { DashboardReferences, Named, Reference } from './dashboard-references.ts';

const codeOf: Readonly<Record<Named, Code>> = {
  filter: 'unknown-filter-key',
  control: 'unknown-control',
  'filter or control': 'unknown-filter-key',
  query: 'unknown-query',
};

/** Reports nothing for a dashboard that was not queried or whose query failed. */
export function checkIds(declared: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
  const { identifier } = declared;
  const [ids, queries] = [view.ids.get(identifier.id), view.queries.get(identifier.id)];
  const of = identifier.isSecret ? 'the dashboard' : `the dashboard \`${identifier.id}\``;
  return declared.references.flatMap((reference) => {
    if (reference.named === 'query')
      return queries && 'value' in queries ? checkQuery(reference, queries.value, of) : [];
    return ids && 'value' in ids ? checkId(reference, ids.value, of) : [];
  });
}

function checkId(reference: Reference, { filters, controls }: DashboardIds, of: string): readonly RuleFinding[] {
  const { named, id } = reference;
  const known = { filter: filters, control: controls, 'filter or control': [...filters, ...controls] };
  const wanted = known[named as keyof typeof known];
  if (wanted.includes(id)) return [];
  const other = named === 'filter' ? controls : named === 'control' ? filters : [];
  const otherwise = named === 'filter' ? 'control' : 'filter';
  if (other.includes(id)) {
    const hint = reference.pointer.startsWith('/filterConfig/')
      ? 'A schedule can set only filters: remove it.'
      : `Declare it under \`${otherwise}s\`.`;
    return [fault(reference, of, `is a ${otherwise}, not a ${named},`, hint)];
  }
  return [fault(reference, of, `is not a ${named}`, hintFor(id, wanted, `${of} has no ${named}`))];
}

function checkQuery(reference: Reference, queries: readonly RemoteQuery[], of: string): readonly RuleFinding[] {
  const { id } = reference;
  if (queries.some(({ key }) => key === id)) return [];
  const named = queries.find(({ name }) => name?.toLowerCase() === id.toLowerCase());
  if (named !== undefined)
    return [fault(reference, of, 'is the name of a query and not its key', `Write \`${named.key}\`.`)];
  const names = queries.map(({ key }) => key);
  const labels = queries.map(({ key, name }) =>
    name === undefined ? `\`${key}\`` : `\`${key}\` (${shortened(name)})`,
  );
  return [fault(reference, of, 'is not a query', hintFor(id, names, `${of} has no query`, labels))];
}

function fault(reference: Reference, of: string, is: string, hint: string): RuleFinding {
  const { named, id, pointer, at, isSecret } = reference;
  const shown = isSecret ? `The value of \`${fieldName(pointer)}\` (secret, not shown)` : `\`${id}\``;
  const message = `${shown} ${is} of ${of}. The service would reject it.`;
  return { code: codeOf[named], message, hint: isSecret ? 'Check the value at its source.' : hint, pointer, at };
}

const mostListed = 12;

function hintFor(
  id: string,
  known: readonly string[],
  none: string,
  shown = known.map((each) => `\`${each}\``),
): string {
  if (known.length === 0) return `${none.charAt(0).toUpperCase()}${none.slice(1)} at all.`;
  const near = nearest(id, known);
  if (near !== undefined && near.toLowerCase() === id.toLowerCase())
    return `Write \`${near}\`: the ids differ only in case, and case matters here.`;
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  const more = shown.length > mostListed ? ` and ${shown.length - mostListed} more` : '';
  return `Available: ${shown.slice(0, mostListed).join(', ')}${more}.`;
}

const longestName = 40;

function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}
