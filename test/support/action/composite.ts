// Runs the steps of the action as GitHub's runner does: conditions, inputs with their defaults, and the outputs of earlier
// steps.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { FakeRunner, Step } from './fake-runner.ts';
import type { Action } from './workflow-files.ts';

export interface ActionRun {
  readonly code: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
  /** The steps that ran. */
  readonly ran: readonly string[];
}

const action = parse(readFileSync('.github/actions/almanac/action.yml', 'utf8')) as Action;

/** `token` is GitHub's, for the steps that ask for it; `env` is that of the calling step. */
export async function useAction(
  runner: FakeRunner,
  inputs: Readonly<Record<string, string>>,
  { env = {}, token = '' }: { readonly env?: Readonly<Record<string, string>>; readonly token?: string } = {},
): Promise<ActionRun> {
  const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name));
  if (unknown.length > 0) throw new Error(`not an input: ${unknown.join(', ')}`);
  const known: Record<string, string> = { 'github.token': token };
  for (const [name, { default: value }] of Object.entries(action.inputs)) known[`inputs.${name}`] = value;
  for (const [name, value] of Object.entries(inputs)) known[`inputs.${name}`] = value;
  const done: Step[] = [];
  const ran: string[] = [];
  let failed = false;
  for (const { id = '', if: condition = 'true', env: given = {}, run = '' } of action.runs.steps) {
    const always = /always\(\)|!cancelled\(\)/.test(condition);
    if ((failed && !always) || !isTrue(evaluate(condition, known))) continue;
    const script = /GITHUB_ACTION_PATH\/(.*)"$/.exec(run)?.[1] ?? '';
    const values = Object.entries(given).map(([name, value]) => [name, evaluate(String(value), known)]);
    const step = await runner.run(script, { ...env, ...Object.fromEntries(values) });
    for (const [name, value] of Object.entries(step.outputs)) known[`steps.${id}.outputs.${name}`] = value;
    failed ||= step.code !== 0;
    done.push(step);
    ran.push(id);
  }
  const outputs = Object.entries(action.outputs ?? {}).map(([name, { value }]) => [name, evaluate(value, known)]);
  return {
    code: failed ? 1 : 0,
    outputs: Object.fromEntries(outputs),
    summary: done.map(({ summary }) => summary).join(''),
    log: done.map(({ log }) => log).join(''),
    ran,
  };
}

/** A text with its expressions replaced by what they stand for; `known` holds the contexts, by dotted name. */
export function evaluate(text: string, known: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, inner: string) => either(inner, known));
}

/** `||`, then `&&`, then comparisons, as far as the action and the workflows use them; nothing else is read. */
function either(text: string, known: Readonly<Record<string, string>>): string {
  let value = '';
  for (const part of splitOutside(text, '||')) {
    value = both(part, known);
    if (isTrue(value)) return value;
  }
  return value;
}

function both(text: string, known: Readonly<Record<string, string>>): string {
  let value = 'true';
  for (const part of splitOutside(text, '&&')) {
    value = compared(part.trim(), known);
    if (!isTrue(value)) return value;
  }
  return value;
}

function compared(text: string, known: Readonly<Record<string, string>>): string {
  const [, left, sign, right] = /^(.*?)\s*(==|!=)\s*(.*)$/.exec(text) ?? [];
  if (left === undefined || right === undefined) return read(text, known);
  return String((read(left, known) === read(right, known)) === (sign === '=='));
}

function read(text: string, known: Readonly<Record<string, string>>): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('(') && trimmed.endsWith(')')) return either(trimmed.slice(1, -1), known);
  if (trimmed === 'always()' || trimmed === '!cancelled()') return 'true';
  const quoted = /^'(.*)'$/.exec(trimmed)?.[1];
  if (quoted !== undefined) return quoted;
  if (!/^(?:inputs|github|steps|needs|vars|secrets|runner|matrix)\.[\w.-]+$/.test(trimmed))
    throw new Error(`not understood: ${text}`);
  return known[trimmed] ?? '';
}

export const isTrue = (value: string) => value !== '' && value !== 'false';

function splitOutside(text: string, sign: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth !== 0 || !text.startsWith(sign, at)) continue;
    parts.push(text.slice(start, at));
    start = at + sign.length;
  }
  return [...parts, text.slice(start)];
}
