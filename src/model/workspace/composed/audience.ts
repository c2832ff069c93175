// An audience: people who receive reports together, with an owner of their own. It is no resource: nothing of it reaches
// Omni but through the schedules that use it.

import type { Origins } from '../origins.ts';
import type { DeclaredObject } from '../resource.ts';
import type { Origin } from '../source-file.ts';

export const audienceSection = 'audiences';

export interface Audience {
  readonly name: string;
  /** `emails`, `slack` and `note` as declared, with references resolved. */
  readonly attributes: DeclaredObject;
  readonly origin: Origin;
  /** The line of its key, from 1. */
  readonly line: number;
  readonly origins?: Origins;
  /** It is no map, which is reported, so nothing is known of it. */
  readonly isMisshapen?: boolean;
}

/** By name. */
export type Audiences = ReadonlyMap<string, Audience>;

export const noAudiences: Audiences = new Map();
