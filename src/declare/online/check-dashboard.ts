// Checks that a declaration's dashboard exists: its document is listed, not deleted, and has a dashboard.

import { uuid } from '../../model/fields/patterns.ts';
import type { KnownDocument, ServiceView } from '../../model/service/documents.ts';
import { command } from '../../model/values/command.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import type { DashboardReferences } from './dashboard-references.ts';

const documentsHint = `\`${command('list documents')}\` lists the documents.`;

type DashboardCheck = (declared: DashboardReferences) => RuleFinding | undefined;

/** Caches its lookups, because many schedules share a dashboard. */
export function dashboardCheck({ documents, renamed, ids, queries }: ServiceView): DashboardCheck {
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
    const document = byIdentifier.get(renamed.get(id) ?? id);
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
      return fault(
        'deleted-dashboard',
        `${named} was deleted in Omni. Nothing can be delivered from a deleted document.`,
        hint,
      );
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

const maxShown = 3;
const shortestPart = 3;
/** For a name inside the declared word: shorter names occur in many words by chance. */
const shortestName = 5;

/** The dashboards that a mistyped identifier, or a name, may mean: the likeliest first; empty if nothing is close. */
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
  return [...new Set(close)].slice(0, maxShown);
}

/** `Did you mean …?`; undefined for an empty list. */
export function meantDocuments(close: readonly KnownDocument[]): string | undefined {
  if (close.length === 0) return undefined;
  const each = close.map(({ identifier, name }) => `\`${identifier}\` (${shortened(name, maxNameLength)})`);
  const [last = '', ...before] = each.reverse();
  return `Did you mean ${before.length === 0 ? last : `${before.reverse().join(', ')} or ${last}`}?`;
}

const maxNameLength = 60;

export function shortened(name: string, longest: number): string {
  return name.length <= longest ? name : `${name.slice(0, longest)}…`;
}
