// Parses the values of options. The parser of the command line says which option a bad value was given to.

import { InvalidArgumentError } from '@commander-js/extra-typings';
import { nearest } from '../../declare/findings/suggest.ts';
import { resourceKey } from '../../model/fields/patterns.ts';
import { type Allowance, type Allowed, allowances, allowancesOf } from '../../model/values/allowances.ts';
import { digestForm } from '../../model/values/schema.ts';
import { codeList } from '../../model/values/words.ts';

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(
      `It must be a whole number from ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`}.`,
    );
  };
}

const keyText = new RegExp(resourceKey);

export function declaredKey(text: string): string {
  if (keyText.test(text)) return text;
  throw new InvalidArgumentError('It must be a key, such as regional-sales: letters, digits, `_` and `-`.');
}

const digestText = new RegExp(digestForm.pattern);

/** The digest of a plan. An empty one is the mistake of a script whose variable is not set. */
export function digest(text: string): string {
  if (digestText.test(text)) return text;
  throw new InvalidArgumentError('It must be the digest at the end of a plan: 64 hexadecimal digits in lower case.');
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A length of time such as 30m; returns milliseconds. */
export function lengthOfTime(text: string): number {
  const { count, unit } = /^(?<count>\d{1,6})(?<unit>[smhd])$/.exec(text)?.groups ?? {};
  if (count === undefined) throw new InvalidArgumentError('It must be a number and s, m, h or d, such as 30m or 12h.');
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** A value that decides where an apply goes: of two, none is taken. */
export function once(text: string, before?: string): string {
  if (before === undefined || before === text) return text;
  throw new InvalidArgumentError(`It is given twice, first as ${before}.`);
}

export function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function commaListed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...filled(text.split(','))];
}

function filled(texts: readonly string[]): readonly string[] {
  const values = texts.map((value) => value.trim());
  if (values.includes('')) throw new InvalidArgumentError('It must be a value, or several between commas.');
  return values;
}

/** A comma that does not end a name has a backslash before it. */
function namesIn(text: string): readonly string[] {
  const names = [''];
  let isEscaped = false;
  for (const sign of text) {
    if (sign === ',' && !isEscaped) names.push('');
    else names.push(`${names.pop() ?? ''}${sign}`);
    isEscaped = sign === '\\' && !isEscaped;
  }
  return names;
}

/** Parses values of a closed list, which the option itself names for completion. */
export function choicesListed(choices: readonly string[]) {
  return (text: string, before?: readonly string[]): readonly string[] => {
    const values = commaListed(text, before);
    if (values.every((value) => choices.includes(value))) return values;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };
}

/** The names of `--allow`; each command takes its own. */
export function allowedNames(command: string) {
  const taken: readonly string[] = allowancesOf(command);
  return (text: string, before: Allowed = {}): Allowed => {
    const given = filled(namesIn(text)).map((written) => {
      const each = written.replaceAll(/\\([\\,])/g, '$1');
      const at = each.indexOf('=');
      return at < 0 ? { name: each } : { name: each.slice(0, at), value: each.slice(at + 1) };
    });
    const other = given.map(({ name }) => name).find((name) => !taken.includes(name));
    if (other === undefined) {
      const allowed: Record<string, true | readonly string[]> = { ...before } as never;
      for (const { name, value } of given) allowed[name] = allowance(name, value, allowed[name]);
      return allowed as Allowed;
    }
    const { commands } = Object.entries(allowances).find(([name]) => name === other)?.[1] ?? {};
    throw new InvalidArgumentError(
      commands === undefined
        ? `--allow takes ${codeList(taken, 'or')}.${nearestWord(other, taken)}`
        : `\`${other}\` belongs to ${codeList(
            commands.map((each) => `almanac ${each}`),
            'and',
          )}.`,
    );
  };
}

/** A name without a value, or the values of one that needs them. */
function allowance(name: string, value: string | undefined, before: true | readonly string[] | undefined) {
  const { of } = Object.entries<Allowance>(allowances).find(([each]) => each === name)?.[1] ?? {};
  if ((of === undefined) !== (value === undefined || value === ''))
    throw new InvalidArgumentError(of === undefined ? `Write \`${name}\` alone.` : `Write \`${name}=${of}\`.`);
  return value === undefined ? true : [...(Array.isArray(before) ? before : []), value];
}

export function refreshDepth(text: string): 'deep' {
  if (text === 'deep') return text;
  throw new InvalidArgumentError(
    'Use --refresh alone or --refresh=deep. A saved plan already says how it was refreshed, so it takes no --refresh.',
  );
}

export interface ReportFile<F extends string> {
  readonly format: F;
  readonly file: string;
}

/** `FORMAT=FILE`; may be repeated. */
export function reportFile<F extends string>(formats: readonly F[]) {
  return (text: string, before: readonly ReportFile<F>[] = []): readonly ReportFile<F>[] => {
    const at = text.indexOf('=');
    const [name, file] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
    const format = formats.find((each) => each === name);
    if (format === undefined)
      throw new InvalidArgumentError(`Write FORMAT=FILE, where FORMAT is one of ${formats.join(', ')}.`);
    if (file === '') throw new InvalidArgumentError(`The file is missing. Write ${format}=FILE.`);
    return [...before, { format, file }];
  };
}

/** The suggestion for an unknown word: a line of its own, worded as the parser does for options; empty if no word is near. */
export function nearestWord(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `\n(Did you mean ${near}?)`;
}
