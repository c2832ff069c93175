// Values of parameters that several lists share. `prefix` is what the operation puts before the message of a refusal.

import { Rejection } from './answer.ts';
import { isUuid, oneOf } from './fields.ts';

/** 1 to 100; 20 by default. */
export function readPageSize(text: string | undefined, prefix = ''): number {
  if (text === undefined) return 20;
  if (!/^-?\d+$/.test(text)) refuse('pageSize', 'Expected number, received nan', prefix);
  const size = Number(text);
  if (size < 1) refuse('pageSize', 'Page size must be at least 1', prefix);
  if (size > 100) refuse('pageSize', 'Page size cannot exceed 100', prefix);
  return size;
}

export function readChoice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
  prefix = '',
): Choice {
  const choice = choices.find((known) => known === value);
  return choice ?? refuse(name, oneOf(choices)(value) ?? 'Invalid', prefix);
}

export function checkUuid(name: string, value: string | undefined, prefix = ''): void {
  if (value !== undefined && !isUuid(value)) refuse(name, 'Invalid uuid', prefix);
}

function refuse(name: string, message: string, prefix: string): never {
  throw new Rejection(400, `${prefix}${name}: ${message}`);
}
