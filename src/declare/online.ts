// Compares the declarations with what the service reports. Pure: the requests were made before.

import { identifierShape, uuid } from '../model/fields/patterns.ts';
import type { DashboardIds, KnownDocument, RemoteQuery, ServiceView } from '../model/service/documents.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../model/values/pointer.ts';
import { nameSome } from '../model/values/words.ts';
import type { Code } from '../model/workspace/codes.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { type Resource, revealSecrets } from '../model/workspace/resource.ts';
import { fieldName, type RuleFinding } from './findings/rule.ts';
import { nearest } from './findings/suggest.ts';

export function checkAgainstService(declared: readonly DashboardReferences[], view: ServiceView): readonly Finding[] {
  const checkDashboard = dashboardCheck(view);
  return declared.flatMap((each) => {
    const wrong = checkDashboard(each);
    const findings = wrong === undefined ? [...notChecked(each, view), ...checkIds(each, view)] : [wrong];
    return findings.map((finding) => placed(finding, each.resource));
  });
}

function notChecked({ identifier, references }: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
  const asked = [
    ...(references.some(({ named }) => named !== 'query') ? [view.ids.get(identifier.id)] : []),
    ...(references.some(({ named }) => named === 'query') ? [view.queries.get(identifier.id)] : []),
  ];
  return asked.flatMap((answer) =>
    answer !== undefined && 'refused' in answer
      ? [
          {
            code: 'not-checked',
            message: `The declarations for this dashboard could not be checked. ${identifier.isSecret ? 'The service refused to return it.' : answer.refused}`,
            pointer: identifier.pointer,
          },
        ]
      : [],
  );
}

/** The place of the value, which may be in a default that several resources share. */
function placed({ pointer, at, ...words }: RuleFinding, resource: Resource): Finding {
  const { isInherited, ...places } = placeOfField(resource, pointer, { at });
  return { ...words, address: isInherited ? undefined : resource.address, ...places };
}

// Whether the dashboard that a declaration names exists: its document is listed, is not deleted, and has a dashboard.

const documentsHint = '`almanac documents` lists the documents.';

type DashboardCheck = (declared: DashboardReferences) => RuleFinding | undefined;

/** Caches its lookups, because many schedules share a dashboard. */
function dashboardCheck({
  documents,
  ids,
  queries,
}: Pick<ServiceView, 'documents' | 'ids' | 'queries'>): DashboardCheck {
  const byIdentifier = new Map(documents.map((document) => [document.identifier, document]));
  const dashboards = documents.filter(isUsable);
  const hints = new Map<string, string>();
  const hintFor = (identifier: string, name = identifier): string => {
    const hint =
      hints.get(identifier) ??
      meantDocuments(closestDocuments(identifier, dashboards)) ??
      meantDocuments(closestDocuments(name, dashboards)) ??
      documentsHint;
    hints.set(identifier, hint);
    return hint;
  };
  return ({ identifier: { id, pointer, isSecret } }) => {
    const fault = (code: RuleFinding['code'], message: string, hint: string): RuleFinding => ({
      code,
      message,
      hint: isSecret ? 'Check the value at its source.' : hint,
      pointer,
    });
    const shown = isSecret ? '`identifier` (secret, not shown)' : `\`${id}\``;
    const document = byIdentifier.get(id);
    if (document === undefined) {
      // Operations also accept a UUID, which the list does not contain: only a dashboard that was queried is known.
      const answer = ids.get(id) ?? queries.get(id);
      const isGone = answer !== undefined && 'refused' in answer && answer.isMissing;
      if (new RegExp(uuid).test(id) && !isGone) return undefined;
      const message = `${shown} is not a document that the token can see. Applying this would fail.`;
      return fault('unknown-document', message, hintFor(id));
    }
    const { name } = document;
    const named = isSecret ? `The document of ${shown}` : `${shown} (${name})`;
    if (document.deleted) {
      const hint = `Restore it in Omni, or declare another one. ${hintFor(id, name)}`;
      return fault('deleted-dashboard', `${named} was deleted in Omni. Nothing can be delivered from it.`, hint);
    }
    if (!document.hasDashboard) {
      const message = `${named} is a workbook without a dashboard. Only a dashboard can be delivered or filtered.`;
      return fault(
        'no-dashboard',
        message,
        `Add a dashboard to it in Omni, or declare another one. ${hintFor(id, name)}`,
      );
    }
    return undefined;
  };
}

export function isUsable({ deleted, hasDashboard }: KnownDocument): boolean {
  return !deleted && hasDashboard;
}

const mostShown = 3;
const shortestPart = 3;
/** For a name inside the declared word: shorter names occur in many words by chance. */
const shortestName = 5;

/** Which dashboards may be meant by a mistyped identifier, or by a name: the likeliest first; empty if nothing is close. */
export function closestDocuments(word: string, dashboards: readonly KnownDocument[]): readonly KnownDocument[] {
  const byIdentifier = new Map(dashboards.map((dashboard) => [dashboard.identifier, dashboard]));
  const identifier = nearest(word, [...byIdentifier.keys()]);
  const name = nearest(
    word,
    dashboards.map((dashboard) => dashboard.name),
  );
  const lower = word.toLowerCase();
  const close = [
    ...(identifier === undefined ? [] : [byIdentifier.get(identifier)]),
    ...dashboards.filter((dashboard) => dashboard.name === name),
    ...(word.length < shortestPart ? [] : dashboards.filter((each) => each.name.toLowerCase().includes(lower))),
    ...dashboards.filter((each) => each.name.length >= shortestName && lower.includes(each.name.toLowerCase())),
  ].filter((dashboard) => dashboard !== undefined);
  return [...new Set(close)].slice(0, mostShown);
}

/** `Did you mean …?`; undefined for an empty list. */
export function meantDocuments(close: readonly KnownDocument[]): string | undefined {
  if (close.length === 0) return undefined;
  const each = close.map(({ identifier, name }) => `\`${identifier}\` (${shortened(name, longestName)})`);
  const [last = '', ...before] = each.reverse();
  return `Did you mean ${before.length === 0 ? last : `${before.reverse().join(', ')} or ${last}`}?`;
}

const longestName = 60;

function shortened(name: string, longest: number): string {
  return name.length <= longest ? name : `${name.slice(0, longest)}…`;
}

// Whether the filters, controls and queries that a declaration names exist on its dashboard. Ids are case-sensitive.

const codeOf: Readonly<Record<Named, Code>> = {
  filter: 'unknown-filter-key',
  control: 'unknown-control',
  'filter or control': 'unknown-filter-key',
  query: 'unknown-query',
};

/** Reports nothing for a dashboard that was not queried or whose query failed. */
function checkIds(declared: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
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
    name === undefined ? `\`${key}\`` : `\`${key}\` (${shortened(name, longestLabel)})`,
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
const longestLabel = 40;

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
  return `Available: ${nameSome(shown, shown.length, mostListed)}.`;
}

/**
 * What a declaration refers to in the service: its dashboard, and the dashboard's filters, controls and queries.
 */
type Named = 'filter' | 'control' | 'filter or control' | 'query';

/** Something with an id, and where in the resource the id appears. */
interface Reference {
  readonly named: Named;
  readonly id: string;
  readonly pointer: Pointer;
  readonly at: 'key' | 'value';
  /** The id comes from the environment and must not be shown. */
  readonly isSecret: boolean;
}

export interface DashboardReferences {
  readonly resource: Resource;
  readonly identifier: Omit<Reference, 'named'>;
  readonly references: readonly Reference[];
}

const isIdentifier = new RegExp(identifierShape);

/** Undefined for a resource without a dashboard, with one that is not known before apply, or with a pasted URL. */
export function referencesOf(resource: Resource): DashboardReferences | undefined {
  if (resource.kind === 'aiJob') return undefined;
  const { value, secrets } = revealSecrets(resource.attributes);
  const read = (named: Named, id: Json | undefined, pointer: Pointer, at: 'key' | 'value' = 'value'): Reference[] => {
    const secret = secrets.find((each) => at === 'value' && isWithin(each.pointer, pointer));
    if (typeof id !== 'string' || id === '' || secret?.known === false) return [];
    return [{ named, id, pointer, at, isSecret: secret !== undefined }];
  };
  const keys = (named: Named, field: string) => {
    const map = value[field];
    return isJsonObject(map) ? Object.keys(map).flatMap((key) => read(named, key, pointerTo(field, key), 'key')) : [];
  };
  const text = (named: Named, field: string) => read(named, value[field], pointerTo(field));
  const [identifier] = text('query', 'identifier');
  if (identifier === undefined || !isIdentifier.test(identifier.id)) return undefined;
  const { filterOrder } = value;
  const ordered: readonly Json[] = Array.isArray(filterOrder) ? filterOrder : [];
  const references =
    resource.kind === 'dashboard'
      ? [
          ...keys('filter', 'filters'),
          ...keys('control', 'controls'),
          ...ordered.flatMap((id, index) => read('filter or control', id, pointerTo('filterOrder', index))),
        ]
      : [
          ...keys('filter', 'filterConfig'),
          ...text('query', 'queryIdentifierMapKey'),
          ...text('query', 'conditionQueryMapKey'),
        ];
  return { resource, identifier, references };
}
