// Interpolation: ${var.NAME}, ${env.NAME} and ${file.PATH} in any string of a source file. A string that contains an
// environment variable is a Secret, and allowed only where secrets belong; if the variable is missing, the value is known
// only at apply. A wrong reference leaves an unknown value: the mistake is reported, and nothing else about that value.
// `$${` is a literal `${`.

import type { RoomForSecrets } from '../model/fields/fields.ts';
import type { Json } from '../model/values/json.ts';
import type { Pointer } from '../model/values/pointer.ts';
import { Secret, sensitive } from '../model/values/secret.ts';
import type { Code } from '../model/workspace/codes.ts';
import type { Span } from '../model/workspace/diagnostic.ts';
import { mapLeaves } from '../model/workspace/map-leaves.ts';
import type { Declared } from '../model/workspace/resource.ts';
import type { Origin } from '../model/workspace/source-file.ts';
import type { ValueSource } from '../model/workspace/value-source.ts';

/** Where the values of references come from. */
export interface Scope {
  readonly variables: Readonly<Record<string, Json>>;
  /** The value of an environment variable; undefined and empty both mean that it is not set. */
  readonly environment: (name: string) => string | undefined;
  /** The text of a referenced file, or why it cannot be read. */
  readonly readFile: (
    path: string,
  ) => { readonly text: string } | { readonly code: Code; readonly message: string; readonly hint?: string };
  /** Whether an environment variable belongs to the job, and not to declarations. */
  readonly isReserved: (name: string) => boolean;
  /** Inside a loop: the item whose instance is made. */
  readonly each?: EachScope;
  /** The variable that was most likely meant. */
  readonly nearestVariable?: (name: string) => string | undefined;
}

/** What ${each.NAME} means. */
export interface EachScope {
  readonly key: string;
  /** By name, as written; that of an item that is no map is called `value`. */
  readonly values: Readonly<Record<string, Json>>;
  readonly origin: Origin;
  /** The values are not interpolated: they come from almanac.yaml or a CSV file. */
  readonly isFinal: boolean;
}

/** What is wrong with a reference: its place in the value, and the part of the string. */
export interface InterpolationProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
  readonly pointer: Pointer;
  readonly within: Span;
  /** Where the wrong reference stands, if a reference led there: an item of a loop. */
  readonly origin?: Origin;
}

export interface Interpolated {
  readonly value: Declared;
  readonly problems: readonly InterpolationProblem[];
  /** What stands elsewhere, by the pointer of the value; left out where there is nothing. */
  readonly sources?: ReadonlyMap<Pointer, ValueSource>;
}

const mark = '${';

/** Where secrets belong in a value. */
export type RoomAt = (pointer: Pointer) => RoomForSecrets | undefined;

const nowhere: RoomAt = () => undefined;

/** The value with its references replaced; the same object if it contains none. */
export function interpolate(value: Json, scope: Scope, roomAt: RoomAt = nowhere): Interpolated {
  const problems: InterpolationProblem[] = [];
  const interpolated = mapLeaves(value, (leaf, pointer) => {
    if (typeof leaf !== 'string' || !leaf.includes(mark)) return leaf;
    const place = pointer();
    const { value: text, problems: found } = interpolateText(leaf, scope, roomAt(place));
    for (const problem of found) problems.push({ ...problem, pointer: place });
    return text;
  });
  return { value: interpolated, problems };
}

const reference = /\$\$\{|\$\{([^}\n]*)(\})?/g;
const forms = 'Write ${var.NAME}, ${env.NAME} or ${file.PATH}, and $${ for a literal ${.';

interface InterpolatedText {
  readonly value: Declared;
  readonly problems: readonly (Problem & { readonly within: Span })[];
}

function interpolateText(text: string, scope: Scope, room: RoomForSecrets | undefined): InterpolatedText {
  const problems: (Problem & { readonly within: Span })[] = [];
  const pieces: Piece[] = [];
  let last = 0;
  for (const match of text.matchAll(reference)) {
    pieces.push({ text: text.slice(last, match.index) });
    last = match.index + match[0].length;
    const isWhole = match[0] === text;
    const piece = match[0] === '$${' ? { text: mark } : resolve(match[1] ?? '', match[2] !== undefined, scope);
    // After a wrong reference the text before is not known.
    const isCertain = problems.every(({ code }) => code === 'missing-variable');
    const misplaced = 'variable' in piece && isCertain ? whyNotHere(piece.variable, pieces, room) : undefined;
    const problem = misplaced ?? problemOf(piece, match[0], isWhole);
    if (problem !== undefined) problems.push({ ...problem, within: { start: match.index, end: last } });
    if (problem === undefined && 'value' in piece && isWhole) return { value: piece.value, problems };
    if (misplaced === undefined && 'variable' in piece) pieces.push(piece);
    else pieces.push({ text: 'code' in piece ? '' : 'value' in piece ? String(piece.value) : (piece.text ?? '') });
  }
  pieces.push({ text: text.slice(last) });
  return { value: joined(pieces, problems, room), problems };
}

/** A part of a text; one with a `variable` is the value of an environment variable, undefined where it is not set. */
type Piece = { readonly text: string } | { readonly text: string | undefined; readonly variable: string };

function joined(
  pieces: readonly Piece[],
  problems: readonly { readonly code: Code }[],
  room: RoomForSecrets | undefined,
): Declared {
  if (problems.some(({ code }) => code !== 'missing-variable')) return Secret.unknown();
  const secrets = pieces.flatMap((piece) => ('variable' in piece ? [piece] : []));
  const text = pieces.map((piece) => piece.text ?? '').join('');
  if (secrets.length === 0) return text;
  return new Secret(
    problems.length === 0 ? text : undefined,
    secrets.map(({ variable }) => variable),
    secrets.flatMap((piece) => piece.text ?? []),
    shownText(pieces, room === 'whole' ? () => sensitive : escaped),
  );
}

/** With the names of variables in place of their values, and so that nothing else looks like one. */
function shownText(pieces: readonly Piece[], show: (literal: string) => string): string {
  let shown = '';
  let literal = '';
  const shownLiteral = () => (literal === '' ? '' : show(literal));
  for (const piece of pieces) {
    if (!('variable' in piece)) {
      literal += piece.text;
      continue;
    }
    // A dollar sign directly before a reference would make it look like an escaped one.
    shown += shownLiteral().replace(/\$$/, '\\u0024');
    shown += `\${env.${piece.variable}}`;
    literal = '';
  }
  return shown + shownLiteral();
}

function escaped(literal: string): string {
  return literal.replaceAll(mark, () => `$${mark}`);
}

/** What a secret would have to follow in a URL: the host decides who receives it, so people must be able to read it. */
const throughHost = /^https?:\/\/[^\s/?#\\]+[/?#]/i;

function whyNotHere(variable: string, before: readonly Piece[], room: RoomForSecrets | undefined): Problem | undefined {
  const reference = `\${env.${variable}}`;
  if (room === 'path-and-query') {
    const literal = before.map((piece) => ('variable' in piece ? '' : piece.text)).join('');
    if (throughHost.test(literal) || before.some((piece) => 'variable' in piece)) return undefined;
    return {
      code: 'secret-not-here',
      message: `\`${reference}\` is part of the host of a URL. The host decides who receives a delivery, so it cannot be secret.`,
      hint: `Write the host, or take it from a variable of almanac.yaml (\`\${var.…}\`). The path and the query may be secret: \`https://hooks.example.com/${reference}\`.`,
    };
  }
  if (room !== undefined) return undefined;
  return {
    code: 'secret-not-here',
    message: `\`${reference}\` is secret, and this value must not be: people who review a plan have to see it.`,
    hint: 'Write the text itself, or a variable of almanac.yaml (`${var.…}`) if it differs between environments. `almanac import` used to write `${env.…}` for what Omni does not return; write the real text there.',
  };
}

function problemOf(
  resolved: Resolved | { readonly text: string },
  written: string,
  isWhole: boolean,
): Problem | undefined {
  if ('code' in resolved) return resolved;
  if ('missing' in resolved) return resolved.missing;
  if (isWhole || !('value' in resolved) || typeof resolved.value !== 'object' || resolved.value === null)
    return undefined;
  return {
    code: 'invalid-interpolation',
    message: `\`${written}\` is a list or a map, which cannot be part of a string.`,
    hint: 'Make it the whole value.',
  };
}

type Problem = Omit<InterpolationProblem, 'pointer' | 'within'>;

type Resolved =
  /** Keeps its type where it is the whole value. */
  | { readonly value: Json }
  | { readonly text: string }
  | { readonly text: string | undefined; readonly variable: string; readonly missing?: Problem }
  | Problem;

function resolve(inner: string, closed: boolean, scope: Scope): Resolved {
  if (!closed) {
    return { code: 'invalid-interpolation', message: 'A `${` is not closed by a `}` on its line.', hint: forms };
  }
  const [, namespace, name = ''] = /^(var|env|file)\.(.+)$/.exec(inner) ?? [];
  if (namespace === 'var' && Object.hasOwn(scope.variables, name)) return { value: scope.variables[name] ?? null };
  if (namespace === 'var' && name === name.trim()) return unknownVariable(name, scope);
  if (namespace === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return environmentValue(name, scope);
  if (namespace === 'file' && name === name.trim()) {
    const file = scope.readFile(name);
    return 'text' in file ? { text: file.text } : file;
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
  if (scope.isReserved(name)) return reserved(name);
  const text = scope.environment(name);
  if (text !== undefined && text !== '') return { text, variable: name };
  return {
    text: undefined,
    variable: name,
    missing: {
      code: 'missing-variable',
      message: `The environment variable \`${name}\` is missing or empty. The value is known only at apply, and almanac apply does not start without it.`,
      hint: `Set ${name} where almanac apply runs.`,
    },
  };
}

function reserved(name: string): Problem {
  return {
    code: 'reserved-variable',
    message: `\`${name}\` belongs to the job that runs Almanac or to one of its tools, so no declaration can read it.`,
    hint: 'Set a variable of another name for this value, such as SFTP_PASSWORD.',
  };
}
