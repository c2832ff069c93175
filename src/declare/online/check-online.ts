// Compares the declarations with the service: dashboards, and their filters, controls and queries. Ids are
// case-sensitive. Pure: the requests were made before.

import type { DashboardIds, RemoteQuery, ServiceView } from '../../model/service/documents.ts';
import { kinds } from '../../model/values/address.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import { fieldName, type RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { kindsOfDeclaration } from '../kinds-of-declaration.ts';
import { dashboardCheck, shortened } from './check-dashboard.ts';
import type { DashboardReferences, NamedKind, Reference } from './dashboard-references.ts';

export function checkAgainstService(declared: readonly DashboardReferences[], view: ServiceView): readonly Finding[] {
  const checkDashboard = dashboardCheck(view);
  return declared.flatMap((each) => {
    const wrong = checkDashboard(each);
    const findings = wrong === undefined ? [...notChecked(each, view), ...checkIds(each, view)] : [wrong];
    return findings.map(({ pointer, at, ...words }) => ({ ...words, ...findingAt(each.resource, pointer, { at }) }));
  });
}

function notChecked({ identifier, references }: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
  const answers = [
    ...(references.some(({ named }) => named !== 'query') ? [view.ids.get(identifier.id)] : []),
    ...(references.some(({ named }) => named === 'query') ? [view.queries.get(identifier.id)] : []),
  ];
  return answers.flatMap((answer) =>
    answer !== undefined && 'refused' in answer
      ? [
          {
            code: 'not-read',
            message: `The declarations for this dashboard could not be checked. ${identifier.isSecret ? 'The service refused to return it.' : answer.refused}`,
            pointer: identifier.pointer,
          },
        ]
      : [],
  );
}

/** Reports nothing for a dashboard that was not queried or whose query failed. */
function checkIds(declared: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
  const { identifier } = declared;
  const [ids, queries] = [view.ids.get(identifier.id), view.queries.get(identifier.id)];
  const of = identifier.isSecret ? 'the dashboard' : `the dashboard \`${identifier.id}\``;
  return declared.references.flatMap((reference) => {
    if (reference.named === 'query')
      return queries && 'value' in queries ? checkQuery(reference, queries.value, of) : [];
    return ids && 'value' in ids ? checkId(reference, ids.value, declared, of) : [];
  });
}

const codeOf: Readonly<Record<NamedKind, Code>> = {
  filter: 'unknown-filter-key',
  control: 'unknown-control',
  'filter or control': 'unknown-filter-key',
  query: 'unknown-query',
};

function checkId(
  reference: Reference,
  { filters, controls }: DashboardIds,
  { resource }: DashboardReferences,
  of: string,
): readonly RuleFinding[] {
  const { named, id } = reference;
  const known = { filter: filters, control: controls, 'filter or control': [...filters, ...controls] };
  const wanted = known[named as keyof typeof known];
  if (wanted.includes(id)) return [];
  const other = named === 'filter' ? controls : named === 'control' ? filters : [];
  const otherwise = named === 'filter' ? 'control' : 'filter';
  if (other.includes(id)) {
    const takesOther = kindsOfDeclaration[resource.kind].namesOnDashboard?.some((each) => each.named === otherwise);
    const hint = takesOther
      ? `Declare it under \`${otherwise}s\`.`
      : `A ${kinds[resource.kind].words} can set only ${named}s: remove it.`;
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
    name === undefined ? `\`${key}\`` : `\`${key}\` (${shortened(name, maxLabelLength)})`,
  );
  return [fault(reference, of, 'is not a query', hintFor(id, names, `${of} has no query`, labels))];
}

function fault(reference: Reference, of: string, is: string, hint: string): RuleFinding {
  const { named, id, pointer, at, isSecret } = reference;
  const shown = isSecret ? `The value of \`${fieldName(pointer)}\` (secret, not shown)` : `\`${id}\``;
  const message = `${shown} ${is} of ${of}. The service would reject it.`;
  return { code: codeOf[named], message, hint: isSecret ? 'Check the value at its source.' : hint, pointer, at };
}

const maxListed = 12;
const maxLabelLength = 40;

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
  return `Available: ${nameSome(shown, shown.length, maxListed)}.`;
}
