// Texts that probably contain a mistake: stray quotes and blanks, foreign templates, and strange folders.

import type { JsonObject } from '../../model/values/json.ts';
import { quote } from '../../model/values/words.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { fieldText, type Rule, type RuleFinding } from '../findings/rule.ts';
import { filenameVariables } from './s3-destination.ts';

interface Text {
  readonly field: string;
  /** The first one that finds a fault is enough. */
  readonly checks: readonly ((text: string, field: string) => FindingWords | undefined)[];
}

const line = [quotesAsText, blankAtAnEnd, templateAsText];

export const scheduleTexts: readonly Text[] = [
  { field: 'name', checks: line },
  { field: 'subject', checks: line },
  { field: 'textBody', checks: [quotesAsText, templateAsText] },
  { field: 'keyPrefix', checks: [notATemplate, oddPrefix, blankAtAnEnd] },
  { field: 'path', checks: [notATemplate, oddPath, blankAtAnEnd] },
  { field: 'filename', checks: [otherTemplate] },
];

/** Braces may belong to the prompt. */
export const routineTexts: readonly Text[] = [
  { field: 'name', checks: line },
  { field: 'description', checks: [quotesAsText, blankAtAnEnd] },
  { field: 'prompt', checks: [nothingButBlanks] },
];

export const aiJobTexts: readonly Text[] = [{ field: 'prompt', checks: [nothingButBlanks] }];

export function textsAsMeant(texts: readonly Text[]): Rule {
  return ({ value }) => texts.flatMap((text) => findingsAbout(text, value));
}

const nothing: readonly RuleFinding[] = [];

function findingsAbout({ field, checks }: Text, value: JsonObject): readonly RuleFinding[] {
  const text = fieldText(value, field);
  if (!text) return nothing;
  for (const check of checks) {
    const found = check(text, field);
    if (found !== undefined) return [{ ...found, pointer: `/${field}` }];
  }
  return nothing;
}

function quotesAsText(text: string): FindingWords | undefined {
  const isQuoted = text.length > 1 && '“„”«‘‚’'.includes(text.charAt(0)) && '”“»’‘'.includes(text.slice(-1));
  if (!isQuoted) return undefined;
  return {
    code: 'odd-text',
    message: 'These quotes are part of the text: YAML knows only straight ones.',
    hint: 'Remove them, or write straight quotes.',
  };
}

function blankAtAnEnd(text: string, field: string): FindingWords | undefined {
  if (!/^\s|\s$/.test(text)) return undefined;
  return {
    code: 'odd-text',
    message: `\`${field}\` ${/^\s/.test(text) ? 'begins' : 'ends'} with a blank, which is part of the text.`,
    hint: 'Remove it.',
  };
}

function nothingButBlanks(text: string, field: string): FindingWords | undefined {
  if (text.trim() !== '') return undefined;
  return { code: 'odd-text', message: `\`${field}\` holds nothing but blanks.`, hint: 'Say what the AI is to do.' };
}

const template = /\{\{[^{}]*\}\}/;

function templateAsText(text: string): FindingWords | undefined {
  const [found] = template.exec(text) ?? [];
  return found === undefined
    ? undefined
    : { code: 'odd-text', message: `${quote(found)} is sent as it is written: ${onlyFilename}`, hint: 'Remove it.' };
}

const onlyFilename = 'only the `filename` of an S3 delivery is a template.';

function notATemplate(text: string): FindingWords | undefined {
  const [found] = template.exec(text) ?? [];
  if (found === undefined) return undefined;
  const message = `${quote(found)} becomes part of the path as it is written: ${onlyFilename}`;
  return { code: 'not-a-template', message, hint: 'Write the path without the placeholder.' };
}

/** Placeholders of other programs: those of strftime, and names of variables in one brace. */
function otherTemplate(text: string): FindingWords | undefined {
  const [found, name] = /%[YmdHMSjyBbF]\b|(?<!\{)\{(\w+)\}(?!\})/.exec(text) ?? [];
  if (found === undefined) return undefined;
  return {
    code: 'not-a-template',
    message: `${quote(found)} is sent as it is written, so each delivery has the same file name and overwrites the last one.`,
    hint: filenameVariables.some((each) => each === name)
      ? `Write ${quote(`{{${name}}}`)}.`
      : 'Write a variable such as `{{currentDate}}`.',
  };
}

const address = /^[a-z][a-z0-9+.-]*:\/\/[^/]*\/*/i;

function oddPrefix(text: string): FindingWords | undefined {
  const bare = text
    .replace(address, '')
    .replace(/\/{2,}/g, '/')
    .replace(/^\//, '');
  if (bare === text) return undefined;
  const message = address.test(text)
    ? `${schemeOf(text)} begins an address, and the bucket has a field of its own.`
    : `${quote(text)} has a folder without a name: a slash at its start, or two in a row.`;
  return oddFolder(message, bare);
}

function oddPath(text: string): FindingWords | undefined {
  if (!address.test(text)) return undefined;
  return oddFolder(
    `${schemeOf(text)} begins an address, and the server has fields of its own.`,
    `/${text.replace(address, '')}`,
  );
}

/** The rest of an address may contain a password. */
function schemeOf(text: string): string {
  return quote(text.slice(0, text.indexOf('://') + 3));
}

function oddFolder(message: string, bare: string): FindingWords {
  const hint = bare === '' ? 'Leave the field out.' : `Write ${quote(bare)}.`;
  return { code: 'odd-prefix', message, hint };
}
