// The options that every command has, and those that several share.

import type { Refresh } from '../../model/plan/plan.ts';

export interface GlobalOptions {
  readonly chdir?: string;
  readonly config?: string;
  readonly env?: string;
  readonly state?: string;
  /** False with --no-color. */
  readonly color: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export type TextOrJson = 'text' | 'json';

/** Of plan and show, on stdout; the first is what comes without --format. */
export const planFormats = ['text', 'json', 'markdown', 'html'] as const;
export type PlanFormat = (typeof planFormats)[number];

/** Of plan, in a file; gitlab is the widget of a merge request. */
export const planReportFormats = [...planFormats, 'gitlab'] as const;
export type PlanReportFormat = (typeof planReportFormats)[number];

export const validateFormats = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit'] as const;
export type ValidateFormat = (typeof validateFormats)[number];

export interface PlanShape {
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  readonly allowEmpty?: boolean;
  /** True where no depth was given. */
  readonly refresh?: true | 'deep';
  readonly refreshOnly?: boolean;
}

export interface OnlineFlags {
  readonly online?: boolean;
  /** False with --no-cache. */
  readonly cache?: boolean;
}

export function refreshOf({ refresh, refreshOnly = false }: PlanShape): Refresh | undefined {
  if (refresh === undefined && !refreshOnly) return undefined;
  return { depth: refresh === 'deep' ? 'deep' : 'list', only: refreshOnly };
}
