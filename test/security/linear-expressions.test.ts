// Regular expressions that stay fast on a text of one letter. The threat: such a text in a note, a name or almanac.yaml
// keeps a job busy for minutes. Every expression of the program is tried on texts that are made for it.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as patterns from '../../src/model/fields/patterns.ts';
import { digestForm } from '../../src/model/values/schema.ts';
import { atFullSize } from '../support/runs/runs.ts';
import {
  type Attack,
  attacksOn,
  type Expression,
  expressionOf,
  filesBelow,
  literalsIn,
  textOf,
} from '../support/security/expressions.ts';

const sources = filesBelow('src', '.ts');

const size = 1000;
/** Times what most tries take; the time of one that is linear can be this long by chance. */
const suspicious = 50;

function timeOf(pattern: RegExp, text: string): number {
  const before = performance.now();
  if (pattern.global) text.replace(pattern, '');
  else pattern.exec(text);
  return performance.now() - before;
}

/** Whether four times the text takes about sixteen times as long, and not four. `usual`: the time of most tries. */
function growsWithSquare({ pattern }: Expression, attack: Attack, usual: number): boolean {
  const leastTime = (text: string, enough: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 20 && least > enough; tries += 1) least = Math.min(least, timeOf(pattern, text));
    return least;
  };
  const small = leastTime(textOf(attack, 2 * size), 2 * suspicious * usual);
  const enough = Math.max(10 * small, 10 * suspicious * usual);
  return leastTime(textOf(attack, 8 * size), enough) > enough;
}

const mostTriedAgain = 3;

/** The places of those whose work grows with the square of the text. */
function slowOnes(expressions: readonly Expression[]): readonly string[] {
  const times: number[] = [];
  const longest = expressions.map((each) => {
    let tries: readonly (Attack & { readonly time: number })[] = [];
    for (const attack of attacksOn(each.pattern)) {
      const time = timeOf(each.pattern, textOf(attack, size));
      times.push(time);
      if (time > (tries[mostTriedAgain - 1]?.time ?? 0))
        tries = [...tries, { ...attack, time }].sort((one, other) => other.time - one.time).slice(0, mostTriedAgain);
    }
    return { each, tries };
  });
  const usual = Float64Array.from(times).sort()[times.length >> 1] ?? 0;
  const slow = longest.filter(({ each, tries }) =>
    tries.some((tried) => tried.time > suspicious * usual && growsWithSquare(each, tried, usual)),
  );
  return slow.map(({ each }) => each.place).sort();
}

const constants = { ...patterns, digestForm: digestForm.pattern } as Readonly<Record<string, unknown>>;

/** What is put together when the program runs, by its beginning, each as it is then; nothing where it is one character. */
const assembled: Readonly<Record<string, readonly RegExp[]>> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are parts of sources.
  "pattern, 'gv')": [],
  "`^${slash}${segments.map((segment) => segment + slash).join('')}`": [/^[/\\]+hooks[/\\]+[^/\\]+[/\\]+/i],
  '`^${slash}api${slash}(?:v\\\\d+${slash})?webhooks${slash}`': [/^[/\\]+api[/\\]+(?:v\d+[/\\]+)?webhooks[/\\]+/i],
  '`^${slash}(?:file${slash})?bot`': [/^[/\\]+(?:file[/\\]+)?bot/i],
  '`^${slash}`': [/^[/\\]+/],
  "beginnings.map(escapeForPattern).join('|')": [/omni_osk_123|https:\/\/omni|abcabcabcabc/g],
  "pattern, 'u')": [],
  "reference, 'y')": [/\$\{(?:audience|each|env|file|var)\.[^\s{}[\],"']+\}/y],
  "reference, 'g')": [/\$\{(?:audience|each|env|file|var)\.[^\s{}[\],"']+\}/g],
  'String.raw`\\[[ \\t]*${reference}[ \\t]*': [
    /\[[ \t]*\$\{(?:audience|each|env|file|var)\.[^\s{}[\],"']+\}[ \t]*(?:,[ \t]*\$\{(?:audience|each|env|file|var)\.[^\s{}[\],"']+\}[ \t]*)*\]/y,
  ],
  '`^${keyPattern}$`': [new RegExp(patterns.resourceKey)],
  'addressPattern)': [new RegExp(patterns.address)],
  "`^(?:${keptNames.trim().split(/\\s+/).join('|')})$`": [/^(?:GIT_SSL_\w+|KRB5\w+|HTTPS?_PROXY|GCM_\w+)$/i],
  "`^(.*?)(['\"]?(?:${secretFields.join('|')})['\"]?\\\\s*:)(.*)$`": [/^(.*?)(['"]?(?:url|password)['"]?\s*:)(.*)$/s],
  "`^(?:${sections.join('|')}):`": [/^(?:schedules|dashboards):/m],
  "'(^|[^\\\\\\\\p{L}\\\\\\\\p{N}:])' + word": [/(^|[^\p{L}\p{N}:])aa([^\p{L}\p{N}:]|$)/u],
  '`(?<![\\\\w.+%@-])(?:${either})(?![\\\\w@-]|\\\\.\\\\w)`': [/(?<![\w.+%@-])(?:a\.a@a\.a|aa)(?![\w@-]|\.\w)/gi],
  "[...namingPlaces, '/audiences/[^/]+/emails'": [
    /^\/audiences\/[^/]+\/emails(\/|$)|^(\/environments\/[^/]+)?\/variables(\/|$)/,
  ],
  'String.raw`://|^': [
    /:\/\/|^\W*arn:|^\W*(?:schedules|dashboards)\.[A-Za-z]|^[^@]{1,64}@[^@]{1,255}$|^["'(]*[0-9A-Fa-f-]{32,128}["'),.;]*$|:\d+\W*$/,
  ],
  '`<${name}>([^<]*)</${name}>`': [/<Code>([^<]*)<\/Code>/],
  'String.raw`^${atom}(?:\\.${atom})*$`': [/^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u],
  'String.raw`^(?:(?:before|after|since|in|in the|d': [
    /^(?:(?:before|after|since|in|in the|during) )?(?:last|past|next|previous|this|current)(?: (?:complete|full|calendar))? ?(?:\d+ ?(?:second|minute|hour|day|week|weekday|month|quarter|year|fiscal ?quarter|fiscal ?year)s?|(?!days?$)(?:second|minute|hour|day|week|weekday|month|quarter|year|fiscal ?quarter|fiscal ?year)s?)(?: to date)?(?:~|-from-\d+[a-z]\w*)?$/i,
  ],
  'String.raw`^(?:(?:before|after|since) )?\\d+ ${un': [
    /^(?:(?:before|after|since) )?\d+ (?:second|minute|hour|day|week|weekday|month|quarter|year|fiscal ?quarter|fiscal ?year)s? ago(?: for \d+ (?:second|minute|hour|day|week|weekday|month|quarter|year|fiscal ?quarter|fiscal ?year)s?| to .+)?$/i,
  ],
  "String.raw`^\\d+ ${unit}(?: ago)?$`, 'i');": [
    /^\d+ (?:second|minute|hour|day|week|weekday|month|quarter|year|fiscal ?quarter|fiscal ?year)s?(?: ago)?$/i,
  ],
  '`^(?:NOT|!=|<>)\\\\s*(${number})$`),': [/^(?:NOT|!=|<>)\s*(-?\d+(?:\.\d+)?)$/],
  '`^>(=?)\\\\s*(${number})\\\\s*AND\\\\s*<(=?)\\\\s*(${num': [
    /^>(=?)\s*(-?\d+(?:\.\d+)?)\s*AND\s*<(=?)\s*(-?\d+(?:\.\d+)?)$/i,
  ],
  '`^([<>]=?)\\\\s*(${day}|${number})$`),': [/^([<>]=?)\s*(\d{4}[-/]\d{1,2}[-/]\d{1,2}|-?\d+(?:\.\d+)?)$/],
  '`^(${number}(?: OR ${number})+)$`),': [/^(-?\d+(?:\.\d+)?(?: OR -?\d+(?:\.\d+)?)+)$/],
  "`^(${number}) to (${number})$`, 'i'),": [/^(-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)$/i],
  '`^([[(])\\\\s*(${number})\\\\s*,\\\\s*(${number})\\\\s*(': [
    /^([[(])\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*([\])])$/,
  ],
  "`^(${day})(?: to | : )(${day})$`, 'i'), read: ([": [
    /^(\d{4}[-/]\d{1,2}[-/]\d{1,2})(?: to | : )(\d{4}[-/]\d{1,2}[-/]\d{1,2})$/i,
  ],
  "`^(${day})~(${day})$`), read: ([from = '', to = ": [/^(\d{4}[-/]\d{1,2}[-/]\d{1,2})~(\d{4}[-/]\d{1,2}[-/]\d{1,2})$/],
  "`^~(${day})$`), read: ([to = '']) => bound('<=',": [/^~(\d{4}[-/]\d{1,2}[-/]\d{1,2})$/],
  "`^(${day})~$`), read: ([from = '']) => bound('>=": [/^(\d{4}[-/]\d{1,2}[-/]\d{1,2})~$/],
  "`^before (${day})$`, 'i'), read: ([to = '']) => ": [/^before (\d{4}[-/]\d{1,2}[-/]\d{1,2})$/i],
  "`^(?:after|since) (${day})$`, 'i'), read: ([from": [/^(?:after|since) (\d{4}[-/]\d{1,2}[-/]\d{1,2})$/i],
  '[': [
    /^(?:(?:\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?|\d{1,2}[-/]\d{1,2}[-/]\d{4}|\d{1,2}\. ?\d{1,2}\. ?\d{2,4})(?:[t\s]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]m)?\s?(?:z|utc|gmt|[+-]\d{2}:?\d{2})?)?)$|^(?:\d{1,2}\/\d{4})$|^(?:\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]m)?\s?(?:z|utc|gmt|[+-]\d{2}:?\d{2})?)$|^(?:\d{1,2}\s?(?:h|am|pm|uhr))$|^(?:(?:\d{4}[\s/-]?)?(?:q|t|w|kw|week|woche|semaine|semana|settimana|vecka|quarter|quartal|trimestre|kwartaal|kwartał)\s?\d{1,2}(?:[\s/-]+\d{4})?)$/,
  ],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are parts of sources.
};

describe('expressions', () => {
  atFullSize('of every literal in the sources, the work grows with the text, and not with its square', () => {
    const found = sources.flatMap(([file, text]) =>
      literalsIn(text).map(([line, literal]) => ({
        place: `${file}:${line} ${literal}`,
        pattern: expressionOf(literal),
      })),
    );
    const distinct = new Map(found.map((each) => [String(each.pattern), each]));
    expect(distinct.size).toBeGreaterThan(500);
    expect(slowOnes([...distinct.values()])).toEqual([]);
  });

  atFullSize('of every pattern that declarations and almanac.yaml are checked by, the work grows with the text', () => {
    const compiled = readFileSync('src/declare/compiled.js', 'utf8');
    const ofSchemas = [...compiled.matchAll(/new RegExp\(("(?:[^"\\]|\\.)*"), "u"\)/g)].map(([, text = '']) =>
      String(JSON.parse(text)),
    );
    const all = [...ofSchemas, ...Object.values(constants).filter((each) => typeof each === 'string')];
    expect(ofSchemas.length).toBeGreaterThan(20);
    expect(slowOnes([...new Set(all)].map((text) => ({ place: text, pattern: new RegExp(text, 'u') })))).toEqual([]);
  });

  it('of every expression that is put together when the program runs, the work grows with the text', () => {
    const found = sources.flatMap(([file, text]) =>
      text
        .split(/new RegExp\(\s*/)
        .slice(1)
        .map((rest) => ({ file, rest })),
    );
    const isConstant = (rest: string) => Object.hasOwn(constants, /^(?:patterns\.)?(\w+)/.exec(rest)?.[1] ?? '');
    const beginnings = Object.keys(assembled);
    const unknown = found.filter(
      ({ rest }) => !isConstant(rest) && !beginnings.some((beginning) => rest.startsWith(beginning)),
    );
    expect(unknown.map(({ file, rest }) => `${file}: ${rest.slice(0, 60)}`)).toEqual([]);
    const tried = Object.entries(assembled).flatMap(([place, all]) => all.map((pattern) => ({ place, pattern })));
    expect(slowOnes(tried)).toEqual([]);
  });
});
