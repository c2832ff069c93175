// Turns text into YAML documents, and the parser's errors into findings. It decides which YAML is accepted.
//
// The guard on depth is not cosmetic. The package composes documents recursively, and a few thousand brackets can
// abort the whole process (V8 gives up inside a regular expression, which no `catch` sees). Its tokens are made
// without recursion, so the depth is measured on them first, and what is too deep is never composed.

import {
  Composer,
  type CST,
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type Pair,
  Parser,
  visit,
  type YAMLError,
} from 'yaml';
import { parseCron } from '../cron/parse-cron.ts';
import { pushAll } from '../model/values/collections.ts';
import { inDoubleQuotes } from '../model/values/unseen.ts';
import type { Finding, FindingWords, SourceFile, Span } from '../model/workspace/diagnostic.ts';
import { mergeConflict } from './parse-table.ts';
import { maxDepth } from './read-values.ts';

export interface YamlDocument {
  readonly document: Document.Parsed;
  /** The number of the document, from 0. */
  readonly index: number;
}

export interface YamlFile {
  readonly documents: readonly YamlDocument[];
  readonly lines: LineCounter;
  readonly findings: readonly Finding[];
}

/** The documents without errors, and the findings for the others. Never throws. */
export function parseYaml(file: SourceFile): YamlFile {
  const lines = new LineCounter();
  const tokens: CST.Token[] = [];
  for (const token of new Parser(lines.addNewLine).parse(file.text)) {
    const deep = tooDeep(token);
    if (deep !== undefined) {
      const finding: Finding = {
        code: 'too-deep',
        message: `Maps and lists are nested more than ${maxDepth} levels deep; no valid declaration is.`,
        hint: 'Look for unclosed brackets, and for an indentation that grows from line to line.',
        place: { file: file.path, span: { start: deep, end: deep + 1 } },
      };
      return { documents: [], lines, findings: [finding] };
    }
    tokens.push(token);
  }
  const composer = new Composer({
    version: '1.2',
    merge: true,
    stringKeys: true,
    // Compares every pair of keys in a map: minutes for a map of 100,000. complaintsOf finds duplicates instead.
    uniqueKeys: false,
    prettyErrors: false,
    // !!set, !!binary, !!timestamp and similar tags make values that JSON does not have.
    resolveKnownTags: false,
    lineCounter: lines,
  });
  const findings: Finding[] = [];
  const documents: YamlDocument[] = [];
  let index = 0;
  for (const document of composer.compose(tokens, false, file.text.length)) {
    const complaints = complaintsOf(document, file, lines);
    if (complaints.length === 0) documents.push({ document: document as Document.Parsed, index });
    else pushAll(findings, complaints);
    index += 1;
  }
  return { documents, lines, findings };
}

/** The offset of a token that is nested too deeply. */
function tooDeep(token: CST.Token): number | undefined {
  const stack: [CST.Token, number][] = [[token, 0]];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [current, depth] = entry;
    if (depth > maxDepth) return current.offset;
    if ('value' in current && current.value !== null && typeof current.value === 'object')
      stack.push([current.value, depth]);
    if (!('items' in current)) continue;
    for (const item of current.items) {
      if (item.key) stack.push([item.key, depth + 1]);
      if (item.value) stack.push([item.value, depth + 1]);
    }
  }
  return undefined;
}

/** True if a pair is the merge key `<<`, written plain. */
export function isMerge(pair: Pair): boolean {
  const { key } = pair;
  return (
    isScalar(key) &&
    key.type === 'PLAIN' &&
    (key.value === '<<' || (typeof key.value === 'symbol' && key.value.description === '<<'))
  );
}

// Turns the errors of the yaml package into findings: what they mean in words, one for each line, because later errors on a
// line are usually consequences, and at the place of the mistake rather than where the parser noticed it. Only a cron
// expression is quoted from the file: other text could be a password, and the excerpt shows the place.

/** Our message for an error of the yaml package. */
type ComplaintWords = Required<Pick<FindingWords, 'code' | 'message' | 'hint'>>;

const maxErrors = 200;

interface Complaint extends ComplaintWords {
  readonly span: Span;
}

/** The findings about a document; empty if it can be used. */
function complaintsOf(document: Document, file: SourceFile, lines: LineCounter): readonly Finding[] {
  const finding = ({ span, ...words }: Complaint): Finding => ({ ...words, place: { file: file.path, span } });
  const version = versionComplaint(document, file.text);
  if (version !== undefined) return [finding(version)];
  const errors = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const conflict = errors.length === 0 ? undefined : conflictComplaint(file.text);
  if (conflict !== undefined) return [finding(conflict)];
  const byLine = new Map<number, Complaint>();
  let hasReference = false;
  for (const error of errors.slice(0, maxErrors)) {
    const ofReference = referenceComplaint(error, file.text);
    // After it the package takes nothing for a part of the document.
    if (hasReference && error.message.includes('in YAML stream')) continue;
    hasReference ||= ofReference !== undefined;
    const complaint = asteriskComplaint(error, file.text) ?? ofReference ?? complaintOf(error, document, file.text);
    const line = file.text.lastIndexOf('\n', complaint.span.start - 1);
    if (!byLine.has(line)) byLine.set(line, complaint);
  }
  const duplicates: Complaint[] = [];
  findDuplicateKeys(document.contents, lines, duplicates);
  return [...withoutConsequences([...byLine.values()]), ...duplicates].map(finding);
}

/** A tab shifts the text after it, so other mistakes become visible only once the tabs are gone. */
function withoutConsequences(complaints: readonly Complaint[]): readonly Complaint[] {
  const tabs = complaints.filter(({ code }) => code === 'tab-indent');
  return tabs.length === 0 ? complaints : tabs;
}

function versionComplaint({ directives, range }: Document, text: string): Complaint | undefined {
  const version = directives?.yaml;
  if (!version?.explicit || version.version === '1.2') return undefined;
  const start = Math.max(0, text.lastIndexOf('%YAML', range?.[0] ?? 0));
  return {
    code: 'yaml-version',
    message: `The file requests YAML ${version.version}, in which words such as no and on are booleans, and 12:30 is a number.`,
    hint: 'Remove the %YAML line.',
    span: { start, end: start + 5 },
  };
}

function conflictComplaint(text: string): Complaint | undefined {
  const problem = mergeConflict(text);
  return problem && { code: 'yaml-syntax', ...problem };
}

// A value that begins with * and continues after a space is not an alias, so it is most likely a cron expression.
const asteriskLine = /^([ \t]*(?:-[ \t]+)*(?:([\w-]+):[ \t]+)?)(\*.*)$/s;
const asteriskValue = /^\*(?:$|\S*[ \t]+\S)/;

function asteriskComplaint({ pos }: YAMLError, text: string): Complaint | undefined {
  const lineStart = text.lastIndexOf('\n', pos[0] - 1) + 1;
  const lineEnd = text.indexOf('\n', lineStart);
  const [, before = '', key, rest = ''] =
    asteriskLine.exec(text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)) ?? [];
  const value = rest.split(/[ \t]#/, 1)[0]?.trimEnd() ?? '';
  if (!asteriskValue.test(value) || pos[0] < lineStart + before.length) return undefined;
  const start = lineStart + before.length;
  return {
    ...unquotedAsterisk,
    hint: key === 'schedule' ? `Quote it: ${inDoubleQuotes(value)}.` : unquotedAsterisk.hint,
    span: { start, end: start + value.length },
  };
}

const reference = String.raw`\$\{(?:audience|each|env|file|var)\.[^\s{}[\],"']+\}`;
const referenceHere = new RegExp(reference, 'y');
const listOfReferences = new RegExp(String.raw`\[[ \t]*${reference}[ \t]*(?:,[ \t]*${reference}[ \t]*)*\]`, 'y');

/** Inside brackets and braces, an unquoted value ends at the brace of its reference. The names in one are no secret. */
function referenceComplaint({ pos: [brace] }: YAMLError, text: string): Complaint | undefined {
  const start = brace - 1;
  const found = matchAt(referenceHere, text, start);
  if (text.charAt(start) !== '$' || found === undefined) return undefined;
  const list = matchAt(listOfReferences, text, text.slice(0, start).trimEnd().length - 1);
  const isWhole = /^[[{,:\s]*$/.test(text.charAt(start - 1)) && /^[\s,\]}]*$/.test(text.charAt(start + found.length));
  const quoted = list?.replaceAll(new RegExp(reference, 'g'), (each) => `"${each}"`) ?? `"${found}"`;
  return {
    ...unquotedReference,
    hint: isWhole ? `Write \`${quoted}\`.` : unquotedReference.hint,
    span: { start, end: start + found.length },
  };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return at < 0 ? undefined : pattern.exec(text)?.[0];
}

function complaintOf(error: YAMLError, document: Document, text: string): Complaint {
  const [start, end] = error.pos;
  const span = { start, end: Math.max(end, start + 1) };
  switch (error.code) {
    case 'BAD_INDENT':
    case 'MISSING_CHAR': {
      const opening = / end with a |Missing closing/.test(error.message) ? openingBefore(document, start) : undefined;
      return opening === undefined
        ? { ...(indentWords(error.message) ?? otherWords(error.message)), span }
        : { ...unclosedWords(text.charAt(opening)), span: { start: opening, end: opening + 1 } };
    }
    case 'MULTILINE_IMPLICIT_KEY':
      return { ...colonMissing, span: firstLine(span, text) };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { ...nestedWords(firstLineText(span, text)), span };
    case 'BAD_SCALAR_START':
      return {
        ...(nicknameWords(firstLineText(span, text)) ?? fixedWords[error.code] ?? otherWords(error.message)),
        span,
      };
    case 'BAD_ALIAS':
      return { ...(text.charAt(start) === '*' ? unquotedAsterisk : unnamedAnchor), span };
    case 'UNEXPECTED_TOKEN':
      return { ...(unexpectedWords(error.message) ?? otherWords(error.message)), span };
    default:
      return { ...(fixedWords[error.code] ?? otherWords(error.message)), span };
  }
}

/** The start of the innermost quoted string or bracket that is still open at this offset. */
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

/** Every key that already appears in its map. Nesting is shallow here: documents that are too deep were not composed. */
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
      message: `The key already appears in this map, at line ${lines.linePos(first).line}; only one of the two can take effect.`,
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

/** `@daily`, which is wrong in quotes as well. */
function nicknameWords(line: string): ComplaintWords | undefined {
  const nickname = /^@[A-Za-z]+/.exec(line)?.[0];
  const [problem] = nickname === undefined || !/^@[A-Za-z]+\s*(?:#.*)?$/.test(line) ? [] : parseCron(nickname).problems;
  return problem?.hint?.startsWith('Write `0')
    ? { code: 'invalid-cron', message: problem.message, hint: problem.hint }
    : undefined;
}

function syntax(message: string, hint: string): ComplaintWords {
  return { code: 'yaml-syntax', message, hint };
}

const unquotedAsterisk: ComplaintWords = {
  code: 'unquoted-asterisk',
  message: 'In YAML, an unquoted * begins an alias, which refers to an anchor.',
  hint: 'Quote the value.',
};

const unquotedReference = syntax(
  'Between brackets or braces, an unquoted { begins a map, so a reference needs quotes there.',
  'Quote the whole value that holds it.',
);

const unnamedAnchor = syntax(
  'In YAML, an unquoted & begins an anchor, and this anchor has no name.',
  'Quote the value.',
);

const colonMissing = syntax(
  'A key needs a colon and a space on the same line; here they are missing.',
  'Write `key: value`. To write a string of several lines, put | after its key.',
);

const meaninglessTag: ComplaintWords = {
  code: 'unknown-tag',
  message: 'Tags such as !secret are not supported. Only the tags of plain JSON are, on values that fit them.',
  hint: 'Write the value without the tag. ${env.NAME} reads a secret from the environment.',
};

const fixedWords: { readonly [code in YAMLError['code']]?: ComplaintWords } = {
  TAB_AS_INDENT: {
    code: 'tab-indent',
    message: 'YAML must be indented with spaces, because a tab has no agreed width.',
    hint: 'Replace the tab with spaces.',
  },
  NON_STRING_KEY: {
    code: 'invalid-key',
    message: 'The key of a map must be a string, not a list or a map.',
    hint: 'Quote it. If the string contains braces, quote the whole value, as in "{{currentDate}}".',
  },
  TAG_RESOLVE_FAILED: meaninglessTag,
  BAD_COLLECTION_TYPE: meaninglessTag,
  BAD_SCALAR_START: syntax('An unquoted value cannot begin with this character.', 'Quote the value.'),
  BAD_DQ_ESCAPE: syntax(
    'Between double quotes, a backslash begins an escape sequence, and this sequence does not exist.',
    'Write \\\\ for a backslash, or use single quotes.',
  ),
  BLOCK_IN_FLOW: syntax('Between brackets or braces, entries are separated by commas.', 'Put a comma between them.'),
  BAD_DIRECTIVE: syntax(
    'A line that begins with % is a YAML directive, and this directive does not exist.',
    'Remove the line.',
  ),
};

function indentWords(message: string): ComplaintWords | undefined {
  if (message.endsWith('must start at the same column')) {
    return syntax(
      'This line is not indented like the lines it belongs to.',
      'Start all keys of a map, and all entries of a list, in the same column.',
    );
  }
  if (message.startsWith('Missing , or :'))
    return syntax(
      'Between brackets or braces, entries are separated by commas.',
      'Put a comma between them, or quote a value that holds a bracket or a brace.',
    );
  return /followed by map values$/.test(message) ? colonMissing : undefined;
}

/** Words for a map in a place where none is allowed, by its first line. */
function nestedWords(line: string): ComplaintWords {
  return /:(?:[ \t]|\r?$)/.test(line)
    ? syntax(
        'A colon and a space in an unquoted value begin a map, which is not allowed here.',
        'Quote the value if the colon is part of it.',
      )
    : syntax(
        'The line below is indented deeper, so it continues this value and cannot contain a key.',
        'Indent the line below like this one.',
      );
}

function unexpectedWords(message: string): ComplaintWords | undefined {
  if (message.endsWith('at node end'))
    return syntax('There is something after the end of the value.', 'Quote the whole value.');
  if (message.startsWith('Block scalar header'))
    return syntax('Nothing else is allowed on the line after | or >.', 'Write the text on the lines below, indented.');
  if (/^Unexpected (?:,|flow-)/.test(message))
    return syntax('This character is out of place.', 'Look for an extra bracket or comma.');
  return undefined;
}

/** Words for an opening character that has no closing one. */
function unclosedWords(opening: string): ComplaintWords {
  switch (opening) {
    case '[':
      return syntax('The list that opens here is not closed.', 'Close it with ], and indent its contents.');
    case '{':
      return syntax('The map that opens here is not closed.', 'Close it with }, and indent its contents.');
    case "'":
      return syntax('The quote that opens here is not closed.', "Close it; inside, write '' for a quote.");
    default:
      return syntax('The quote that opens here is not closed.', 'Close it; inside, write \\" for a quote.');
  }
}

/** The package's own message, for an unforeseen error. */
function otherWords(message: string): ComplaintWords {
  return syntax(`${withoutSource(message)}.`, 'Check the quotes, brackets and indentation around it.');
}

/** The package quotes the faulty text in some messages. */
function withoutSource(message: string): string {
  const [words = ''] = message.split(/ at line \d+, column \d+/);
  return words.replace(/: ["'`]?[\s\S]*$/, '').replace(/\.$/, '');
}
