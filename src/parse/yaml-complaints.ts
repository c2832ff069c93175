// What the yaml package complains of, in our words: one finding a line, since what follows on the line is mostly a
// consequence, at the place where the mistake was made rather than where the parser noticed it. Nothing is quoted from
// the file but a cron expression: what stands there could be a password, and the snippet shows the place.

import { type Document, isCollection, isMap, isPair, isScalar, type LineCounter, visit, type YAMLError } from 'yaml';
import type { Code } from '../model/codes.ts';
import type { Finding, Span } from '../model/diagnostic.ts';
import type { SourceFile } from '../model/source-file.ts';

const maxErrors = 200;

interface Complaint {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

/** What is wrong with a document that can't be used; none for one that can. */
export function complaintsOf(document: Document, file: SourceFile, lines: LineCounter): readonly Finding[] {
  const finding = ({ span, ...words }: Complaint): Finding => ({ ...words, place: { file: file.path, span } });
  const version = versionComplaint(document, file.text);
  if (version !== undefined) return [finding(version)];
  const errors = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const conflict = errors.length === 0 ? undefined : conflictComplaint(file.text);
  if (conflict !== undefined) return [finding(conflict)];
  const byLine = new Map<number, Complaint>();
  for (const error of errors.slice(0, maxErrors)) {
    const complaint = asteriskComplaint(error, file.text) ?? complaintOf(error, document, file.text);
    const line = file.text.lastIndexOf('\n', complaint.span.start - 1);
    if (!byLine.has(line)) byLine.set(line, complaint);
  }
  const again: Complaint[] = [];
  findDuplicateKeys(document.contents, lines, again);
  return [...byLine.values(), ...again].map(finding);
}

function versionComplaint({ directives, range }: Document, text: string): Complaint | undefined {
  const version = directives?.yaml;
  if (!version?.explicit || version.version === '1.2') return undefined;
  const start = Math.max(0, text.lastIndexOf('%YAML', range?.[0] ?? 0));
  return {
    code: 'yaml-version',
    message: `The file asks for YAML ${version.version}, in which words such as no and on are booleans and 12:30 is a number.`,
    hint: 'Take the %YAML line out.',
    span: { start, end: start + 5 },
  };
}

function conflictComplaint(text: string): Complaint | undefined {
  const marker = /^<{7} /m.exec(text);
  if (marker === null) return undefined;
  return {
    code: 'yaml-syntax',
    message: 'The file holds a merge conflict of git that is not resolved.',
    hint: 'Choose one side, and take out the lines that begin with <<<<<<<, ======= and >>>>>>>.',
    span: { start: marker.index, end: marker.index + 7 },
  };
}

// A value that begins with * and goes on after a space: no alias, so most likely the cron expression that it looks like.
const asteriskValue = /^([ \t]*(?:-[ \t]+)*(?:([\w-]+):[ \t]+)?)(\*\S*[ \t]+[^#\s].*?|\*)[ \t]*(?:[ \t]#.*)?\r?$/;

function asteriskComplaint({ pos }: YAMLError, text: string): Complaint | undefined {
  const lineStart = text.lastIndexOf('\n', pos[0] - 1) + 1;
  const lineEnd = text.indexOf('\n', lineStart);
  const [, before = '', key, value] =
    asteriskValue.exec(text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)) ?? [];
  if (value === undefined || pos[0] < lineStart + before.length) return undefined;
  const start = lineStart + before.length;
  return {
    code: 'unquoted-asterisk',
    message: 'In YAML an unquoted * begins an alias, the reference to an anchor.',
    hint: key === 'schedule' ? `Quote it: "${value}".` : 'Quote the value.',
    span: { start, end: start + value.length },
  };
}

function complaintOf(error: YAMLError, document: Document, text: string): Complaint {
  const [start, end] = error.pos;
  const span = { start, end: Math.max(end, start + 1) };
  const syntax = (message: string, hint: string, at: Span = span): Complaint => ({
    code: 'yaml-syntax',
    message,
    hint,
    span: at,
  });
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return {
        code: 'tab-indent',
        message: 'YAML is indented with spaces; a tab has no agreed width.',
        hint: 'Replace the tab with spaces.',
        span,
      };
    case 'NON_STRING_KEY':
      return {
        code: 'invalid-key',
        message: 'The key of a map must be a text, not a list or a map.',
        hint: 'Quote it; of a text with braces quote the whole value, as in "{{currentDate}}".',
        span,
      };
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
      return {
        code: 'unknown-tag',
        message:
          'A tag such as !secret has no meaning here; only the tags of plain JSON are read, and on values that fit them.',
        hint: 'Write the value without the tag; ${env.NAME} takes a secret from the environment.',
        span,
      };
    case 'BAD_INDENT':
    case 'MISSING_CHAR': {
      const opening = / end with a |Missing closing/.test(error.message) ? openingBefore(document, start) : undefined;
      if (opening !== undefined) return syntax(...unclosed(text.charAt(opening)), { start: opening, end: opening + 1 });
      if (error.message.endsWith('must start at the same column')) {
        return syntax(
          'This line is indented unlike the lines that it belongs to.',
          'Begin all keys of a map, and all entries of a list, in the same column.',
        );
      }
      if (/followed by map values$/.test(error.message)) return syntax(...colonMissing);
      break;
    }
    case 'MULTILINE_IMPLICIT_KEY':
      return syntax(...colonMissing, firstLine(span, text));
    case 'BLOCK_AS_IMPLICIT_KEY':
      return /:(?:[ \t]|\r?$)/.test(firstLineText(span, text))
        ? syntax(
            'A colon and a space in an unquoted value begin a map, which can not stand here.',
            'Quote the value if the colon is part of it.',
          )
        : syntax(
            'The line below is indented deeper, so it goes on with this value, and it can not hold a key.',
            'Indent the line below like this one.',
          );
    case 'BAD_SCALAR_START':
      return syntax('An unquoted value can not begin with this character.', 'Quote the value.');
    case 'BAD_ALIAS':
      return text.charAt(start) === '*'
        ? {
            code: 'unquoted-asterisk',
            message: 'In YAML an unquoted * begins an alias, the reference to an anchor.',
            hint: 'Quote the value.',
            span,
          }
        : syntax('In YAML an unquoted & begins an anchor, and this one has no name.', 'Quote the value.');
    case 'BAD_DQ_ESCAPE':
      return syntax(
        'Between double quotes a backslash begins an escape, and this is none.',
        'Write \\\\ for a backslash, or use single quotes.',
      );
    case 'BLOCK_IN_FLOW':
      return syntax('Between brackets and braces entries are separated by commas.', 'Put a comma between them.');
    case 'UNEXPECTED_TOKEN':
      if (error.message.endsWith('at node end'))
        return syntax('Something follows a value that has ended already.', 'Quote the whole value.');
      if (error.message.startsWith('Block scalar header'))
        return syntax(
          'Nothing else may stand on the line after | or >.',
          'Write the text on the lines below, indented.',
        );
      if (/^Unexpected (?:,|flow-)/.test(error.message))
        return syntax('This character is out of place.', 'Look for a bracket or a comma too many.');
      break;
    case 'BAD_DIRECTIVE':
      return syntax('A line that begins with % is a directive of YAML, and this is none.', 'Take the line out.');
    default:
  }
  return syntax(`${withoutSource(error.message)}.`, 'Look at the quotes, brackets and indentation around it.');
}

const colonMissing = [
  'A key is followed by a colon and a space on its own line; here they are missing.',
  'Write `key: value`. A text of several lines begins with | after its key.',
] as const;

function unclosed(opening: string): readonly [message: string, hint: string] {
  switch (opening) {
    case '[':
      return ['The list that opens here is not closed.', 'Close it with ], and indent what stands in it.'];
    case '{':
      return ['The map that opens here is not closed.', 'Close it with }, and indent what stands in it.'];
    case "'":
      return ['The quote that opens here is not closed.', "Close it; inside, write '' for a quote."];
    default:
      return ['The quote that opens here is not closed.', 'Close it; inside, write \\" for a quote.'];
  }
}

/** Where the quoted text or the bracket opens that goes on to this offset: the innermost. */
function openingBefore(document: Document, offset: number): number | undefined {
  let opening: number | undefined;
  visit(document, {
    Node: (_, node) => {
      const [start, end] = node.range ?? [offset, offset];
      const opens = isScalar(node) ? node.type?.startsWith('QUOTE') : 'flow' in node && node.flow;
      if (opens && start < offset && end >= offset - 1 && start >= (opening ?? 0)) opening = start;
    },
  });
  return opening;
}

/** Every key that its map holds already. Nesting is shallow here: what is too deep was not composed. */
function findDuplicateKeys(node: unknown, lines: LineCounter, found: Complaint[]): void {
  if (isPair(node)) {
    findDuplicateKeys(node.key, lines, found);
    findDuplicateKeys(node.value, lines, found);
  }
  if (!isCollection(node)) return;
  for (const item of node.items) findDuplicateKeys(item, lines, found);
  if (!isMap(node)) return;
  const firsts = new Map<unknown, number>();
  for (const { key } of node.items) {
    if (!isScalar(key) || !key.range) continue;
    const [start, end] = key.range;
    const first = firsts.get(key.value);
    if (first === undefined) {
      firsts.set(key.value, start);
      continue;
    }
    found.push({
      code: 'duplicate-key',
      message: `The key stands in this map already, at line ${lines.linePos(first).line}; only one of the two could count.`,
      hint: 'Remove or rename one of them.',
      span: { start, end: Math.max(end, start + 1) },
    });
  }
}

function firstLine({ start, end }: Span, text: string): Span {
  const stop = text.slice(start, end).search(/\r?\n/);
  return { start, end: stop < 1 ? Math.max(end, start + 1) : start + stop };
}

function firstLineText({ start }: Span, text: string): string {
  return /^[^\n]*/.exec(text.slice(start))?.[0] ?? '';
}

/** The package quotes the text at fault in some messages. */
function withoutSource(message: string): string {
  return message
    .replace(/\s+at line \d+, column \d+:?[\s\S]*$/, '')
    .replace(/: ["'`]?[\s\S]*$/, '')
    .replace(/\.$/, '');
}
