// Values as a reviewer must see them, and logs that no runner obeys. Characters that a terminal would obey, or that a
// reader cannot see or takes for a space, are escaped as \u…, so that two texts that differ look different.

import { withoutMarks } from '../../model/values/command.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { knownAtApply, sensitive } from '../../model/values/secret.ts';
import { replaceLooseAccents, replaceUnseen } from '../../model/values/unseen.ts';

const short: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n' };

/** One line of text with every invisible character escaped, and commands without their marks. */
export function visibleText(text: string): string {
  return replaceUnseen(withoutMarks(text), (found) => short[found] ?? escapeOf(found));
}

/** A text in quotes, as JSON writes it. */
export function quoteText(text: string): string {
  return replaceLooseAccents(visibleText(JSON.stringify(text)), escapeOf);
}

function escapeOf(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A value on one line. Secrets arrive masked; a mask has no quotes. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return isMask(value) ? value : quoteText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, entry]) => `${keyText(key)}: ${valueText(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A key as part of a path: quoted unless it is a plain word. */
export function keyText(key: string): string {
  return /^[A-Za-z0-9_$-]+$/.test(key) ? key : quoteText(key);
}

export function isMask(value: Json | undefined): boolean {
  return value === sensitive || value === knownAtApply;
}

/** A part of a sentence of Almanac's, split at its backticks, which enclose names from files. */
interface CodeSpan {
  readonly isCode: boolean;
  readonly text: string;
}

/** As in Markdown, the same number of backticks begins and ends a name. Those without a partner are text. */
export function codeSpans(sentence: string): readonly CodeSpan[] {
  // Texts, and between them runs of backticks.
  const pieces = sentence.split(/(`+)/);
  const last = new Map(pieces.map((piece, index) => [piece, index]));
  const spans: CodeSpan[] = [];
  let text = pieces[0] ?? '';
  for (let at = 1; at < pieces.length; at += 2) {
    const run = pieces[at] ?? '';
    const end = (last.get(run) ?? at) > at ? pieces.indexOf(run, at + 1) : at;
    if (end > at) {
      spans.push({ isCode: false, text }, { isCode: true, text: nameIn(pieces.slice(at + 1, end).join('')) });
      text = '';
      at = end;
    } else {
      text += run;
    }
    text += pieces[at + 1] ?? '';
  }
  return [...spans, { isCode: false, text }];
}

/** `inBackticks` puts a space between a backtick of the name and its own. */
function nameIn(text: string): string {
  return /^ `|` $/.test(text) && text.startsWith(' ') && text.endsWith(' ') ? text.slice(1, -1) : text;
}

// Commands that CI runners obey in a log, and texts without them. GitHub's are a line that begins with `::`, with or
// without space before it, and `##[` anywhere in a line (https://github.com/actions/runner, ActionCommand.cs); the
// agent of Azure DevOps obeys `##vso[` anywhere in a line (https://github.com/microsoft/azure-pipelines-agent,
// Command.cs). Names and texts come from files and from the service, so all are broken up by a space of no width, which
// a reader doesn't see.

const zeroWidthSpace = '\u200b';

export function withoutWorkflowCommands(text: string): string {
  return text
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, `$1:${zeroWidthSpace}`)
    .replace(/##(?=(?:vso)?\[)/gi, `##${zeroWidthSpace}`);
}
