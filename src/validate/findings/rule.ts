// What a rule is: a pure function from one valid-looking resource to what is wrong with it. Rules see plain values;
// what they say of a secret is masked by their caller.

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
  /** parseCron, remembering: thousands of schedules share few expressions. */
  readonly cron: (text: string) => ReturnType<typeof parseCron>;
  /** checkEmail, remembering: a team receives many reports. */
  readonly email: (text: string) => readonly FormatProblem[];
  /** The time zone that someone most likely meant, remembering. */
  readonly nearestTimeZone: (name: string) => string | undefined;
  /** Whether a run is due after `now`, remembering. */
  readonly firesAgain: (expression: string, zone: string) => boolean;
}

export interface Checked {
  readonly kind: Kind;
  readonly address: Address;
  /** The attributes with secrets in plain text; their types may still be wrong. */
  readonly value: JsonObject;
  /** Fields whose text comes from the environment. */
  readonly fromEnvironment: ReadonlySet<Pointer>;
}

export interface RuleFinding {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
  /** Inside the resource. */
  readonly pointer: Pointer;
  /** Whether the key or the value is at fault; the value where left out. */
  readonly at?: 'key' | 'value';
  readonly within?: Span;
  readonly quote?: true;
}

export type Rule = (resource: Checked, context: RuleContext) => readonly RuleFinding[];

/** The value of a field where it is a text. */
export function textOf(value: JsonObject, field: string): string | undefined {
  const text = value[field];
  return typeof text === 'string' ? text : undefined;
}
