// Documents as the beginning of a source file: of each dashboard a schedule and its filters, valid as they stand, for
// somebody to change. Every text is quoted and what a terminal would obey spelt out, so a name can't become YAML.

import type { ListedDocument } from '../model/documents.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { RemoteFilters } from '../model/remote.ts';
import { safeText } from './terminal-text.ts';
import { quoteText } from './visible-text.ts';

/** What can be scheduled. */
export function hasStub({ deleted, hasDashboard }: ListedDocument): boolean {
  return !deleted && hasDashboard !== false;
}

/** `filters` by identifier; a dashboard that is not among them gets a filter to be renamed. */
export function renderDocumentStubs(
  documents: readonly ListedDocument[],
  filters: ReadonlyMap<string, RemoteFilters>,
): string {
  const dashboards = documents.filter(hasStub);
  if (dashboards.length === 0) return '# No dashboards.\n';
  const keys = keysFor(dashboards);
  const each = (lines: (document: ListedDocument, key: string) => readonly string[]) =>
    dashboards.flatMap((document, index) => lines(document, keys[index] ?? ''));
  const ofFilters = each((document, key) => dashboardLines(document, key, filters.get(document.identifier)));
  return [
    '# Stubs by almanac documents: change when, to whom and as what is delivered, and take out what is not needed.',
    'schedules:',
    ...each(scheduleLines),
    ...(ofFilters.length === 0 ? [] : ['dashboards:', ...ofFilters]),
    '',
  ].join('\n');
}

function scheduleLines({ identifier, name, folder, url }: ListedDocument, key: string): readonly string[] {
  const where = [name, folder?.path, url].filter((text) => text !== undefined).map((text) => safeText(text));
  return [
    `  # ${where.join(', ')}`,
    `  ${key}:`,
    `    identifier: ${textOf(identifier)}`,
    `    name: ${textOf(name)}`,
    '    schedule: 0 9 ? * MON *',
    '    timezone: UTC',
    '    format: pdf',
    '    destinationType: email',
    '    recipients: [somebody@example.com]',
    `    subject: ${textOf(name)}`,
  ];
}

/** The values as they are now; none for a dashboard that has no filter to declare. */
function dashboardLines(
  { identifier }: ListedDocument,
  key: string,
  remote: RemoteFilters | undefined,
): readonly string[] {
  const head = [`  ${key}:`, `    identifier: ${textOf(identifier)}`];
  if (remote === undefined)
    return [
      ...head,
      '    filters:',
      '      # The id of a filter of this dashboard, and its values.',
      '      filter_id: { values: [] }',
    ];
  const entries = Object.entries(remote.filters).flatMap(([id, filter]) => {
    const declared = declarable(filter);
    return declared === undefined ? [] : [`      ${textOf(id, false)}: ${declared}`];
  });
  return entries.length === 0 ? [] : [...head, '    filters:', ...entries];
}

const sides = ['left_side', 'right_side'] as const;

function declarable(filter: Json): string | undefined {
  if (!isJsonObject(filter)) return undefined;
  const { values } = filter;
  const isTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  const parts = [
    ...(isTexts ? [`values: [${values.map((value) => textOf(String(value))).join(', ')}]`] : []),
    ...sides.flatMap((side) => (typeof filter[side] === 'string' ? [`${side}: ${textOf(filter[side])}`] : [])),
  ];
  return parts.length === 0 ? undefined : `{ ${parts.join(', ')} }`;
}

/** A text in quotes; in a value `${` would begin a reference. */
function textOf(text: string, isValue = true): string {
  return quoteText(isValue ? text.replaceAll('${', () => '$${') : text);
}

const longestKey = 64;

/** Keys as Almanac takes them, made of the names, no two alike. */
function keysFor(documents: readonly ListedDocument[]): readonly string[] {
  const taken = new Set<string>();
  return documents.map(({ name, identifier }) => {
    const words = wordsOf(name) || `dashboard-${wordsOf(identifier)}`.replace(/-$/, '');
    const stem = (/^[a-z]/.test(words) ? words : `dashboard-${words}`).slice(0, longestKey);
    let key = stem;
    for (let count = 2; taken.has(key); count += 1) key = `${stem.slice(0, longestKey - 6)}-${count}`;
    taken.add(key);
    return key;
  });
}

function wordsOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
