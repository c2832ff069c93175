// What a change shows of its resource. Decided here once for every report; renderers only lay it out.

import type { Change, FieldDiff } from '../../model/plan/plan.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { dashboardUrl } from '../../model/values/urls.ts';
import { kindsInReports } from '../kinds.ts';

/** How people know it, and the fields that come, go, stay or change. */
type ChangeBody =
  /** The whole declaration: as it comes (`+`), as it goes (`-`), or as it is. */
  | { readonly shows: 'declaration'; readonly sign: '+' | '-' | ' '; readonly attributes: JsonObject }
  /** The fields that differ; the others are counted. */
  | { readonly shows: 'difference'; readonly diff: readonly FieldDiff[] }
  /** Only the fields that people know the resource by; the others are counted. */
  | { readonly shows: 'names'; readonly attributes: JsonObject };

export function bodyOf({ kind, action, before, after, diff }: Change): ChangeBody {
  switch (action) {
    case 'create':
      return { shows: 'declaration', sign: '+', attributes: after ?? {} };
    case 'adopt':
      return { shows: 'declaration', sign: ' ', attributes: after ?? {} };
    case 'run':
      return before === null
        ? { shows: 'declaration', sign: ' ', attributes: after ?? {} }
        : { shows: 'difference', diff };
    case 'delete':
      return { shows: 'declaration', sign: '-', attributes: before ?? {} };
    case 'update':
    case 'replace':
      return { shows: 'difference', diff };
    case 'forget':
    case 'move': {
      const named = Object.entries(before ?? {}).filter(([name]) => kindsInReports[kind].knownBy.includes(name));
      return { shows: 'names', attributes: Object.fromEntries(named) };
    }
  }
}

interface ReportName {
  readonly name: string;
  /** The dashboard. */
  readonly url?: string;
}

/** As it will be, or as it was; of a dashboard its identifier. Undefined for an AI job. */
export function reportName(change: Change, baseUrl: string | null): ReportName | undefined {
  const identifier = textOf(change, 'identifier');
  const name = nameOf(change) ?? identifier;
  if (name === undefined) return undefined;
  const url = identifier === undefined ? undefined : dashboardUrl(baseUrl, identifier);
  return { name, url };
}

export function nameOf(change: Change): string | undefined {
  return textOf(change, 'name');
}

function textOf({ before, after }: Change, field: string): string | undefined {
  const value = after?.[field] ?? before?.[field];
  return typeof value === 'string' ? value : undefined;
}
