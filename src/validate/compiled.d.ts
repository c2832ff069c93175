// The validators that scripts/generate.ts compiles from the tables in src/model into compiled.js.

import type { SchemaError } from './findings/rule.ts';

export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null | undefined;
}

export const validateSource: Validator;
export const validateSchedule: Validator;
export const validateDashboard: Validator;
export const validateAiJob: Validator;
export const validateAudience: Validator;
export const validateConfig: Validator;

export interface SchemaNote {
  readonly code?: string;
  readonly words?: string;
  /** The fields of a closed object. */
  readonly names?: readonly string[];
}

/** The code and the message of every place in a schema that has them, by schema path. */
export const notes: Readonly<
  Record<'source' | 'schedule' | 'dashboard' | 'aiJob' | 'audience' | 'config', Readonly<Record<string, SchemaNote>>>
>;
