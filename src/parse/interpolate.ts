// Interpolation: ${var.NAME}, ${env.NAME} and ${file.PATH} in any string of a source file. A string that contains an
// environment variable is secret as a whole; if the variable is missing, the value is known only at apply. A wrong
// reference leaves an unknown value: the mistake is reported, and nothing else about that value. `$${` is a literal `${`.

import type { Json } from '../model/values/json.ts';
import type { Pointer } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import type { Code } from '../model/workspace/codes.ts';
import type { Span } from '../model/workspace/diagnostic.ts';
import { mapLeaves } from '../model/workspace/map-leaves.ts';
import type { Declared } from '../model/workspace/resource.ts';

/** Where the values of references come from. */
export interface Scope {
  readonly variables: Readonly<Record<string, Json>>;
  /** The value of an environment variable; undefined and empty both mean that it is not set. */
  readonly environment: (name: string) => string | undefined;
  /** The text of a referenced file, or why it cannot be read. */
  readonly readFile: (
    path: string,
  ) => { readonly text: string } | { readonly code: Code; readonly message: string; readonly hint?: string };
  /** The variable that was most likely meant. */
  readonly nearestVariable?: (name: string) => string | undefined;
}

/** What is wrong with a reference: its place in the value, and the part of the string. */
export interface InterpolationProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
  readonly pointer: Pointer;
  readonly within: Span;
}

export interface Interpolated {
  readonly value: Declared;
  readonly problems: readonly InterpolationProblem[];
}

const mark = '${';

/** The value with its references replaced; the same object if it contains none. */
export function interpolate(value: Json, scope: Scope): Interpolated {
  const problems: InterpolationProblem[] = [];
  const interpolated = mapLeaves(value, (leaf, pointer) =>
    typeof leaf === 'string' && leaf.includes(mark) ? text(leaf, pointer(), scope, problems) : leaf,
  );
  return { value: interpolated, problems };
}

const reference = /\$\$\{|\$\{([^}\n]*)(\})?/g;
const forms = 'Write ${var.NAME}, ${env.NAME} or ${file.PATH}, and $${ for a literal ${.';

function text(value: string, pointer: Pointer, scope: Scope, problems: InterpolationProblem[]): Declared {
  let result = '';
  let last = 0;
  let known = true;
  const variables: string[] = [];
  const parts: string[] = [];
  for (const match of value.matchAll(reference)) {
    result += value.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[0] === '$${') {
      result += mark;
      continue;
    }
    const within = { start: match.index, end: last };
    const complain = (problem: Problem) => {
      known = false;
      problems.push({ ...problem, pointer, within });
    };
    const resolved = resolve(match[1] ?? '', match[2] !== undefined, scope);
    if ('code' in resolved) {
      complain(resolved);
      continue;
    }
    if ('variable' in resolved) {
      variables.push(resolved.variable);
      if (resolved.missing) complain(resolved.missing);
      else parts.push(resolved.value);
    }
    if (typeof resolved.value !== 'object' || resolved.value === null) result += String(resolved.value);
    else if (match[0] === value) return resolved.value;
    else
      complain({
        code: 'invalid-interpolation',
        message: `\`${match[0]}\` is a list or a map, which cannot be part of a string.`,
        hint: 'Make it the whole value.',
      });
    if (match[0] === value && 'whole' in resolved) return resolved.value;
  }
  result += value.slice(last);
  return known && variables.length === 0 ? result : new Secret(known ? result : undefined, variables, parts);
}

type Problem = Omit<InterpolationProblem, 'pointer' | 'within'>;

type Resolved =
  | { readonly value: Json; readonly whole: true }
  | { readonly value: string }
  | { readonly value: string; readonly variable: string; readonly missing?: Problem }
  | Problem;

function resolve(inner: string, closed: boolean, scope: Scope): Resolved {
  if (!closed) {
    return { code: 'invalid-interpolation', message: 'A `${` is not closed by a `}` on its line.', hint: forms };
  }
  const [, namespace, name = ''] = /^(var|env|file)\.(.+)$/.exec(inner) ?? [];
  if (namespace === 'var' && Object.hasOwn(scope.variables, name))
    return { value: scope.variables[name] ?? null, whole: true };
  if (namespace === 'var' && name === name.trim()) return unknownVariable(name, scope);
  if (namespace === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return environmentValue(name, scope);
  if (namespace === 'file' && name === name.trim()) {
    const file = scope.readFile(name);
    return 'text' in file ? { value: file.text } : file;
  }
  const meant = meantReference(inner, scope);
  return {
    code: 'invalid-interpolation',
    message: `\`\${${inner}}\` is not a reference.`,
    hint: meant === undefined ? forms : `Did you mean \`${meant}\`?`,
  };
}

/** `${team}`, `${vars.team}` and `${ var.team }` all mean `${var.team}`. */
function meantReference(inner: string, scope: Scope): string | undefined {
  const bare = inner.trim();
  if (Object.hasOwn(scope.variables, bare)) return `\${var.${bare}}`;
  const [, word = '', name = ''] = /^\s*(var|env|file)[a-z]*\s*[.:]\s*(.*?)\s*$/i.exec(inner) ?? [];
  const namespace = word.toLowerCase();
  if (name === '' || (namespace === 'env' && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) return undefined;
  return `\${${namespace}.${name}}`;
}

function unknownVariable(name: string, { nearestVariable }: Scope): Problem {
  const near = nearestVariable?.(name);
  return {
    code: 'unknown-variable',
    message: `There is no variable \`${name}\` in almanac.yaml.`,
    hint: near === undefined ? 'Add it under `variables` in almanac.yaml.' : `Did you mean \`\${var.${near}}\`?`,
  };
}

function environmentValue(name: string, scope: Scope): Resolved {
  const value = scope.environment(name);
  if (value !== undefined && value !== '') return { value, variable: name };
  return {
    value: '',
    variable: name,
    missing: {
      code: 'missing-variable',
      message: `The environment variable \`${name}\` is missing or empty. The value is known only at apply, and almanac apply does not start without it.`,
      hint: `Set ${name} where almanac apply runs.`,
    },
  };
}
