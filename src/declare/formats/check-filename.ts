// The file name of an object in S3: a Mustache template with the service's ten variables, no other Mustache syntax, and
// no file extension, because the service adds it.

import type { FormatProblem } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';
import { quote } from './quote.ts';

export const filenameVariables = [
  'currentDate',
  'currentTime',
  'currentYear',
  'currentMonth',
  'currentDay',
  'yesterdayDate',
  'timeZone',
  'entityName',
  'format',
  'scheduledTaskName',
] as const;

// Endings that are meant as an extension; `v1.2` or `acme.com` are not.
const extension =
  /\.(?:csv|tsv|txt|json|jsonl|ndjson|xml|ya?ml|html?|pdf|png|jpe?g|gif|svg|webp|xlsx?|xlsm|xlsb|ods|docx?|pptx?|zip|gz|tgz|tar|bz2|7z|zst|parquet|avro|orc|\{\{\s{0,9}format\s{0,9}\}\})$/i;

export function checkFilename(value: string): readonly FormatProblem[] {
  if (value.trim() === '')
    return [invalid('The file name is empty.', 'Leave out the field to use the service’s default name.')];
  const { tags, text, unclosed } = splitTemplate(value);
  const problems = [...new Set(tags)].flatMap(checkTag);
  if (unclosed !== undefined) {
    problems.push(invalid(`${quote(unclosed)} has no closing \`}}\`.`, 'Close it, as in `{{currentDate}}`.'));
  }
  const ending = extension.exec(value.trimEnd().slice(-40))?.[0];
  if (ending !== undefined) {
    problems.push(
      invalid(
        `The file name ends in ${quote(ending)}: the service adds the extension itself, so it would appear twice.`,
        `Leave out ${quote(ending)}.`,
      ),
    );
  }
  if (text.includes('/')) {
    problems.push({
      code: 'filename-slash',
      message: `${quote(value)} contains a \`/\`, which creates a folder in the bucket.`,
      hint: 'Put folders in `keyPrefix`.',
    });
  }
  return problems;
}

interface Template {
  /** The text between `{{` and `}}`. */
  readonly tags: readonly string[];
  /** The text outside the tags. */
  readonly text: string;
  readonly unclosed?: string;
}

function splitTemplate(value: string): Template {
  const tags: string[] = [];
  let text = '';
  let from = 0;
  for (;;) {
    const open = value.indexOf('{{', from);
    if (open === -1) return { tags, text: text + value.slice(from) };
    text += value.slice(from, open);
    const close = value.indexOf('}}', open + 2);
    const next = value.indexOf('{{', open + 2);
    // `{{{` opens once: the third brace belongs to the tag, where it is refused.
    const nested = next !== -1 && next > open + 2 && next < close;
    if (close === -1 || nested) return { tags, text, unclosed: value.slice(open, nested ? next : undefined) };
    tags.push(value.slice(open + 2, close));
    from = close + 2;
  }
}

function checkTag(tag: string): FormatProblem[] {
  const name = tag.trim();
  const known: readonly string[] = filenameVariables;
  if (known.includes(name)) return [];
  const whole = quote(`{{${tag}}}`);
  if (name === '') return [invalid(`${whole} is not a variable.`, variablesHint)];
  if (name.startsWith('{')) {
    const inner = name.replace(/^\{+/, '').trim();
    return [invalid('Three braces are not supported; write a variable in two.', `Write ${quote(`{{${inner}}}`)}.`)];
  }
  if (/^[#^/!>&=$<*%]/.test(name)) {
    return [
      invalid(
        `${whole} is a section, a comment or another Mustache construct; only variables are supported.`,
        variablesHint,
      ),
    ];
  }
  return [invalid(`${whole} is not a variable.`, didYouMean(name, known) ?? variablesHint)];
}

const variablesHint = `The variables are ${filenameVariables.join(', ')}.`;

function invalid(message: string, hint: string): FormatProblem {
  return { code: 'invalid-filename', message, hint };
}
