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

/** `token` is GitHub's, for the steps that ask for it; `env` is that of the calling step, `status` that of its job. */
export async function useAction(
  runner: FakeRunner,
  inputs: Readonly<Record<string, string>>,
  {
    env = {},
    token = '',
    status = 'success',
  }: { readonly env?: Readonly<Record<string, string>>; readonly token?: string; readonly status?: string } = {},
): Promise<ActionRun> {
  const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name));
  if (unknown.length > 0) throw new Error(`not an input: ${unknown.join(', ')}`);
  const known: Record<string, string> = { 'github.token': token, 'job.status': status };
  for (const [name, { default: value }] of Object.entries(action.inputs)) known[`inputs.${name}`] = value;
  for (const [name, value] of Object.entries(inputs)) known[`inputs.${name}`] = value;
  const done: Step[] = [];
  const ran: string[] = [];
  let failed = false;
  for (const { id = '', if: condition = 'true', env: given = {}, run = '' } of action.runs.steps) {
    const always = /always\(\)|!cancelled\(\)/.test(condition);
    if ((failed && !always) || !isTrue(evaluate(condition, known))) continue;
    const name = startedBy(run);
    // It asks whether the action came with its program.
    if (name === undefined) continue;
    const values = Object.entries(given).map(([name, value]) => [name, evaluate(String(value), known)]);
    const step = await runner.run(name, { ...env, ...Object.fromEntries(values) });
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

/** What `almanac ci` a step of the action starts, of the package that the action lies in. */
export function startedBy(run: string): string | undefined {
  return /^exec node "\$GITHUB_ACTION_PATH\/\.\.\/\.\.\/\.\.\/dist\/cli\.cjs" ci ([a-z]+)$/.exec(run)?.[1];
}

/**
 * A text with its expressions replaced by what they stand for; `known` holds the contexts, by dotted name. Operators, strings
 * and parentheses mean what they mean in JavaScript, as far as the action and the workflows use them.
 */
export function evaluate(text: string, known: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, inner: string) => {
    const code = inner.replaceAll(
      /'[^']*'|!cancelled\(\)|always\(\)|\b(?:inputs|github|steps|vars|secrets|matrix|job)\.[\w.-]+/g,
      (word) => {
        if (word.startsWith("'")) return word;
        return word.endsWith('()') ? 'true' : JSON.stringify(known[word] ?? '');
      },
    );
    return String(new Function(`return ${code}`)());
  });
}

export const isTrue = (value: string) => value !== '' && value !== 'false';
