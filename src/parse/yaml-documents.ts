// Text to YAML documents, through the yaml package: what counts as YAML here, and every complaint as a finding.
//
// The guard on depth is not cosmetic. The package composes documents recursively, and a few thousand brackets can
// abort the whole process (V8 gives up inside a regular expression, which no `catch` sees). Its tokens are made
// without recursion, so the depth is measured on them first, and what is too deep is never composed.

import { Composer, type CST, type Document, LineCounter, Parser, type YAMLError } from 'yaml';
import type { Finding, Span } from '../model/diagnostic.ts';
import type { SourceFile } from '../model/source-file.ts';

const maxDepth = 64;
const maxErrors = 20;

export interface YamlDocument {
  readonly document: Document.Parsed;
  /** From 0. */
  readonly index: number;
}

export interface YamlFile {
  readonly documents: readonly YamlDocument[];
  readonly lines: LineCounter;
  readonly findings: readonly Finding[];
}

/** The documents without errors, and what is wrong with the others. Never throws. */
export function parseYaml(file: SourceFile): YamlFile {
  const lines = new LineCounter();
  const tokens: CST.Token[] = [];
  for (const token of new Parser(lines.addNewLine).parse(file.text)) {
    const deep = tooDeep(token);
    if (deep !== undefined) {
      const message = `Maps and lists are nested more than ${maxDepth} levels deep; nothing that can be declared is.`;
      return { documents: [], lines, findings: [at(file, 'too-deep', message, { start: deep, end: deep + 1 })] };
    }
    tokens.push(token);
  }
  const composer = new Composer({
    version: '1.2',
    merge: true,
    stringKeys: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  const findings: Finding[] = [];
  const documents: YamlDocument[] = [];
  let index = 0;
  for (const document of composer.compose(tokens, false, file.text.length)) {
    const complaints = complaintsOf(document, file);
    if (complaints.length === 0) documents.push({ document: document as Document.Parsed, index });
    else findings.push(...complaints.slice(0, maxErrors));
    index += 1;
  }
  return { documents, lines, findings };
}

/** The offset of a token that lies too deep. */
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

function complaintsOf(document: Document, file: SourceFile): Finding[] {
  const version = document.directives?.yaml;
  if (version?.explicit && version.version !== '1.2') {
    const message = `The file asks for YAML ${version.version}, in which words such as no and on are booleans and 12:30 is a number.`;
    return [{ ...at(file, 'yaml-version', message, { start: 0, end: 5 }), hint: 'Take the %YAML line out.' }];
  }
  return [...document.errors, ...document.warnings].map((error) => complaint(error, file));
}

function complaint(error: YAMLError, file: SourceFile): Finding {
  const span = { start: error.pos[0], end: Math.max(error.pos[1], error.pos[0] + 1) };
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return {
        ...at(file, 'duplicate-key', 'The key stands twice in this map; only one of the two could count.', span),
        hint: 'Remove or rename one of them.',
      };
    case 'TAB_AS_INDENT':
      return {
        ...at(file, 'tab-indent', 'YAML is indented with spaces; a tab has no agreed width.', span),
        hint: 'Replace the tab with spaces.',
      };
    case 'NON_STRING_KEY':
      return at(file, 'invalid-key', 'The key of a map must be a text.', span);
    case 'TAG_RESOLVE_FAILED':
      return {
        ...at(file, 'unknown-tag', 'Tags such as !secret are not read: nothing would give them a meaning.', span),
        hint: 'Write the value without the tag; ${env.NAME} takes a secret from the environment.',
      };
    case 'BAD_ALIAS':
      return {
        ...at(file, 'unquoted-asterisk', 'In YAML an unquoted * begins an alias, the reference to an anchor.', span),
        hint: 'Quote the value, for example "*/15 * ? * * *" with quotes around it.',
      };
    default:
      return at(file, 'yaml-syntax', `${withoutSource(error.message)}.`, span);
  }
}

/** The package quotes the text at fault in some messages; it could be a password, and the snippet shows the place. */
function withoutSource(message: string): string {
  return message
    .replace(/\s+at line \d+, column \d+:?[\s\S]*$/, '')
    .replace(/: ["'`][\s\S]*$/, '')
    .replace(/\.$/, '');
}

function at(file: SourceFile, code: Finding['code'], message: string, span: Span): Finding {
  return { code, message, place: { file: file.path, span } };
}
