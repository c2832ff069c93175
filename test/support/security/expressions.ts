// The regular expressions of the sources, and texts that would make each slow.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Expression {
  /** `src/yaml/locate.ts:12` */
  readonly place: string;
  readonly pattern: RegExp;
}

/** The files below a folder whose names have one of these ends, with their texts. */
export function filesBelow(folder: string, ...ends: readonly string[]): readonly (readonly [string, string])[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => ends.some((end) => name.endsWith(end)) && !name.endsWith('.d.ts'))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]);
}

/** Comments, texts, the beginning of a template or of what follows a value in it, literals, words and signs. */
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`|\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[\w$]+|\s+|[\s\S]/gy;
/** Behind these, a slash divides. */
const operand = /^(?:[\w$]+|['"`].*|[)\]}])$/s;
const keyword = /^(?:return|typeof|case|in|of|do|else|void|await|yield)$/;

/** The literals in a text of TypeScript or JavaScript, each with its line. */
export function literalsIn(text: string): readonly (readonly [line: number, literal: string])[] {
  const found: (readonly [number, string])[] = [];
  /** How many braces are open within each `${` of a template. */
  const templates: number[] = [];
  let before = '';
  let at = text.startsWith('#!') ? text.indexOf('\n') : 0;
  const inTemplate = () => {
    const end = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
    end.lastIndex = at;
    const [whole = ''] = end.exec(text) ?? [];
    at += whole.length;
    if (whole.endsWith('`')) before = '`';
    else templates.push(0);
  };
  while (at < text.length) {
    token.lastIndex = at;
    let [word = ''] = token.exec(text) ?? [];
    const isLiteral = word.length > 1 && word.startsWith('/') && !/^\/[/*]/.test(word);
    if (isLiteral && operand.test(before) && !keyword.test(before)) word = '/';
    else if (isLiteral) found.push([text.slice(0, at).split('\n').length, word]);
    at += word.length;
    const open = templates.at(-1);
    if (word === '`') inTemplate();
    else if (word === '}' && open === 0) {
      templates.pop();
      inTemplate();
    } else {
      if (open !== undefined && (word === '{' || word === '}'))
        templates[templates.length - 1] = open + (word === '{' ? 1 : -1);
      if (!/^(?:\s|\/[/*])/.test(word)) before = word;
    }
  }
  return found;
}

export function expressionOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** A part of a pattern: one of these sequences, or a character. */
interface Part {
  readonly of: readonly (readonly Part[])[];
  readonly text?: string;
  /** Every text has this very character. */
  readonly isFixed?: boolean;
}

const classes: Readonly<Record<string, string>> = {
  d: '0',
  D: 'a',
  w: 'a',
  W: '.',
  s: ' ',
  S: 'a',
  n: '\n',
  r: '\r',
  t: '\t',
  p: 'Á',
  P: 'a',
  '0': '\0',
};
const piece =
  /\(\?(?:[:=!]|<[=!]|<\w+>)|\[\^?(?:[^\]\\]|\\.)*\]|\\(?:u\{?[\dA-Fa-f]+\}?|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|k<\w+>|.)|\{\d+(?:,\d*)?\}\??|./gsu;

/** The characters of a class that stand for it; of what a class leaves out, one that it does not name. */
function charactersOf(found: string): readonly string[] {
  if (found === '.') return ['a'];
  const escaped = /^\\(?:u\{?([\dA-Fa-f]+)\}?|x([\dA-Fa-f]{2})|(.))/u.exec(found);
  if (escaped !== null) {
    const [, unicode, hex, letter = ''] = escaped;
    const code = unicode ?? hex;
    return [code === undefined ? (classes[letter] ?? letter) : String.fromCodePoint(Number.parseInt(code, 16))];
  }
  if (!found.startsWith('[') || found.length === 1) return [found];
  const inside = found.slice(found.startsWith('[^') ? 2 : 1, -1);
  const named = (inside.match(/\\(?:u\{?[\dA-Fa-f]+\}?|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|.)|./gsu) ?? []).flatMap(
    charactersOf,
  );
  if (!found.startsWith('[^')) return named.slice(0, 4);
  const matches = new RegExp(found, 'u');
  return ['a', '0', ' ', '-', '.', '\0'].filter((each) => matches.test(each)).slice(0, 2);
}

function parse(source: string): Part {
  const pieces = source.match(piece) ?? [];
  let at = 0;
  const group = (): Part => {
    const of: Part[][] = [[]];
    for (; at < pieces.length && pieces[at] !== ')'; at += 1) {
      const found = pieces[at] ?? '';
      if (found === '|') of.push([]);
      else if (found.startsWith('(')) {
        at += 1;
        const inside = group();
        if (!/^\(\?<?!/.test(found)) of.at(-1)?.push(inside);
      } else if (!/^(?:[*+?^$]|\\[bB]|\{\d.*)$/.test(found))
        of.at(-1)?.push({ of: charactersOf(found).map((text) => [{ of: [], text, isFixed: text === found }]) });
    }
    return { of };
  };
  return group();
}

/** The characters of a text that a pattern matches, more or less: of each choice the one of this number. */
function example(part: Part, choice: number): readonly Part[] {
  if (part.text !== undefined) return [part];
  return (part.of[choice % Math.max(1, part.of.length)] ?? []).flatMap((each) => example(each, choice));
}

const inText = (parts: readonly Part[]) => parts.map(({ text }) => text).join('');

/** As far as where something other can stand, and the whole text. */
function beginningsOf(parts: readonly Part[]): readonly string[] {
  const ends = parts.flatMap(({ isFixed }, index) => {
    const next = parts[index + 1];
    return isFixed && next?.isFixed ? [] : index + 1;
  });
  return ends.map((end) => inText(parts.slice(0, end)));
}

const mostChoices = 6;
const mostCharacters = 14;

/** Every character that a pattern names, and those that stand for its classes. */
function charactersIn({ source }: RegExp, examples: readonly (readonly Part[])[]): readonly string[] {
  const named = (source.match(piece) ?? []).flatMap((found) =>
    found.startsWith('[^') ? charactersOf(`[${found.slice(2)}`) : [],
  );
  const shown = examples.flat().flatMap(({ text }) => text ?? []);
  return [...new Set(['a', ' ', '0', '\n', '\u2028', ...named, ...shown])].slice(0, mostCharacters);
}

/** A text in which one part is repeated. */
export interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** With `size` characters, or a few more. */
export function textOf({ before, pump, after }: Attack, size: number): string {
  return before + pump.repeat(Math.ceil(size / pump.length)) + after;
}

/** Texts in which a careless expression looks at the same characters again and again, in vain. */
export function* attacksOn(expression: RegExp): Generator<Attack> {
  const pattern = parse(expression.source);
  const examples = Array.from({ length: mostChoices }, (_, choice) => example(pattern, choice));
  const characters = charactersIn(expression, examples);
  const pairs = characters.flatMap((one) => characters.map((other) => one + other));
  const beginnings = new Set(examples.flatMap(beginningsOf));
  for (const before of ['', '\0'])
    for (const pump of [...characters, ...beginnings])
      for (const after of ['', '\0', ...characters]) yield { before, pump, after };
  const ends = ['\0', '\n', `${characters.join('')}\n`];
  for (const before of beginnings)
    for (const pump of [...characters, ...pairs]) for (const after of ends) yield { before, pump, after };
}
