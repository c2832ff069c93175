// How people know what a change is about: the name of the report, and its dashboard in Omni.

import { dashboardUrl } from '../service/dashboard-url.ts';
import type { Change } from './plan.ts';

export interface ReportName {
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
  return { name, ...(url === undefined ? {} : { url }) };
}

export function nameOf(change: Change): string | undefined {
  return textOf(change, 'name');
}

function textOf({ before, after }: Change, field: string): string | undefined {
  const value = after?.[field] ?? before?.[field];
  return typeof value === 'string' ? value : undefined;
}
