// The options that every command has, and those that several share.

import type { Refresh } from '../model/plan.ts';

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
