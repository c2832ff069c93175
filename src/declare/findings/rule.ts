// A rule is a pure function from one resource to findings. Rules see plain values; their caller masks what they report
// about a secret.

import type { parseCron } from '../../cron/parse-cron.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Operations } from '../../model/workspace/config.ts';
import type { Span } from '../../model/workspace/diagnostic.ts';
import type { FormatProblem } from './format-problem.ts';

export interface RuleContext {
  /** Epoch milliseconds: whether a schedule ever fires again. */
  readonly now: number;
  readonly operations: Operations;
  /** parseCron, memoized: thousands of schedules share few expressions. */
  readonly cron: (text: string) => ReturnType<typeof parseCron>;
  /** checkEmail, memoized: a team receives many reports. */
  readonly email: (text: string) => readonly FormatProblem[];
  /** The time zone that was most likely meant; memoized. */
  readonly nearestTimeZone: (name: string) => string | undefined;
  /** Whether a run is due after `now`; memoized. */
  readonly firesAgain: (expression: string, zone: string) => boolean;
}

export interface Checked {
  readonly kind: Kind;
  readonly address: Address;
  /** The attributes with secrets in plain text; their types may still be wrong. */
  readonly value: JsonObject;
  /** Fields whose value comes from the environment. */
  readonly fromEnvironment: ReadonlySet<Pointer>;
}

export interface RuleFinding {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
  /** Inside the resource. */
  readonly pointer: Pointer;
  /** Whether the key or the value is wrong; the default is the value. */
  readonly at?: 'key' | 'value';
  readonly within?: Span;
  readonly quote?: boolean;
  /** An error even where `checks` lowers its code. */
  readonly severity?: 'error';
}

export type Rule = (resource: Checked, context: RuleContext) => readonly RuleFinding[];

/** The value of a field if it is a string. */
export function textOf(value: JsonObject, field: string): string | undefined {
  const text = value[field];
  return typeof text === 'string' ? text : undefined;
}

/** What a compiled schema reports: the parts of an ajv error that are used. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Of a compiled schema. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null | undefined;
}

/** The code and the message of a place in a schema. */
export interface SchemaNote {
  readonly code?: string;
  readonly words?: string;
  /** The fields of a closed object. */
  readonly names?: readonly string[];
}
