// Reads the text of a schedule expression as AWS EventBridge does, without its `cron( )`. Decides what has the shape of
// six fields with one space between; what a field may hold is decided in read-fields.ts.

import type { Cron, CronProblem } from './cron.ts';
import { type CronReading, isSix, readFields, type SixFields } from './read-fields.ts';
import { splitWords } from './read-values.ts';
import { suggestExpressions, suggestForRate } from './suggest-expression.ts';

/** The longest expression that AWS EventBridge Scheduler takes, in characters. */
export const longestCron = 256;

const shape = 'Six fields are needed: `minutes hours day-of-month month day-of-week year`.';
const example = 'Write six fields, such as `0 9 ? * MON-FRI *` for 09:00 on workdays.';

/**
 * Reads an expression, by the rules of AWS EventBridge Scheduler. `cron` is there exactly when no problem is an error;
 * every distinct problem is listed, in the order of the text. Takes time proportional to the length of the text.
 */
export function parseCron(text: string): { cron?: Cron; problems: CronProblem[] } {
  const whole = complainOfWhole(text);
  if (whole !== undefined) return { problems: [whole, ...complainOfWrapped(text)] };
  const blanks = complainOfBlanks(text);
  const words = splitWords(text);
  if (!isSix(words)) return { problems: [...blanks, complainOfCount(text, words.length)] };
  const { cron, problems } = readFields(words);
  const seconds = cron === undefined ? complainOfSeconds(words, problems) : undefined;
  if (seconds !== undefined) return { problems: [...blanks, seconds] };
  const all = [...blanks, ...problems].sort((a, b) => a.start - b.start);
  return cron === undefined || blanks.length > 0 ? { problems: all } : { cron, problems: all };
}

/** A problem of the text as a whole; undefined for a text that is worth reading field by field. */
function complainOfWhole(text: string): CronProblem | undefined {
  const all = { code: 'invalid-cron', start: 0, end: text.length } as const;
  if (text.trim() === '') return { ...all, message: `The expression is empty. ${shape}`, hint: example };
  if (text.length > longestCron) {
    return {
      ...all,
      start: longestCron,
      message: `The expression has ${text.length} characters. At most ${longestCron} are allowed.`,
      hint: 'Write ranges and steps instead of long lists, or write two schedules.',
    };
  }
  if (/^\s*cron\b/i.test(text)) {
    const suggestions = suggestExpressions(text);
    const hint = suggestions.length > 0 ? hintOf(suggestions) : 'Write only the text between the parentheses.';
    return { ...all, message: 'Write only what goes inside `cron( )`.', hint };
  }
  if (/^\s*(rate|at)\b/i.test(text)) {
    const hint = hintOf(suggestForRate(text));
    return {
      ...all,
      message: `\`rate( )\` and \`at( )\` are not supported: a schedule is given as a cron expression. ${shape}`,
      hint,
    };
  }
  if (/^\s*@/.test(text)) {
    return {
      ...all,
      message: `\`${text.trim()}\` is a nickname of unix cron, which AWS EventBridge does not know. ${shape}`,
      hint: hintOf(suggestExpressions(text)),
    };
  }
  return undefined;
}

/** The problems inside `cron( )`, when it has six fields that no suggestion repairs. */
function complainOfWrapped(text: string): readonly CronProblem[] {
  const match = /^(\s*cron\()([^)]*)/i.exec(text);
  const inner = splitWords(match?.[2] ?? '').map((word) => ({
    ...word,
    start: word.start + (match?.[1]?.length ?? 0),
  }));
  return text.length <= longestCron && isSix(inner) ? readFields(inner).problems : [];
}

function complainOfCount(text: string, count: number): CronProblem {
  const all = { code: 'invalid-cron', start: 0, end: text.length } as const;
  const hint = hintOf(suggestExpressions(text));
  if (count === 5) {
    return {
      ...all,
      message: `This has five fields, as unix cron has. ${shape} One of the two day fields is \`?\`.`,
      hint,
    };
  }
  if (count === 7)
    return { ...all, message: `This has seven fields, as Quartz has, which begins with seconds. ${shape}`, hint };
  return { ...all, message: `This has ${count} ${count === 1 ? 'field' : 'fields'}. ${shape}`, hint };
}

/** Six fields of which the first is seconds and the year is missing, as Quartz and node-cron write them. */
function complainOfSeconds(words: SixFields, problems: CronReading['problems']): CronProblem | undefined {
  if (!problems.some((problem) => problem.field === 'year')) return undefined;
  const suggestions = suggestExpressions(
    words
      .slice(1)
      .map((word) => word.text)
      .join(' '),
  );
  if (suggestions.length === 0) return undefined;
  return {
    code: 'invalid-cron',
    field: 'minutes',
    start: words[0].start,
    end: words[0].start + words[0].text.length,
    message: `This seems to begin with a field for seconds and to have no year. ${shape}`,
    hint: hintOf(suggestions),
  };
}

/** One problem for each stretch of blanks that is not the one space between two fields. */
function complainOfBlanks(text: string): CronProblem[] {
  const problems: CronProblem[] = [];
  const [suggestion] = /^\s|\s\s|[^\S ]|\s$/.test(text) ? suggestExpressions(text) : [];
  const hint =
    suggestion === undefined ? 'Leave one space between two fields, and none around.' : `Write \`${suggestion}\`.`;
  for (const match of text.matchAll(/\s+/g)) {
    const [start, end] = [match.index, match.index + match[0].length];
    if (match[0] === ' ' && start > 0 && end < text.length) continue;
    const where = start === 0 ? 'before the first field' : end === text.length ? 'after the last field' : undefined;
    const message = where === undefined ? 'Separate two fields by exactly one space.' : `No blank is allowed ${where}.`;
    problems.push({ code: 'invalid-cron', start, end, message, hint });
  }
  return problems;
}

function hintOf(suggestions: readonly string[]): string {
  const [first, second] = suggestions;
  if (first === undefined) return example;
  if (second === undefined) return `Write \`${first}\`.`;
  return `Unix cron runs when either day field matches. Write two schedules: \`${first}\` and \`${second}\`.`;
}
