// What the errors of the yaml package mean, in words. If an error has several causes, its message distinguishes them.

import type { YAMLError } from 'yaml';
import type { ComplaintWords } from './yaml-complaints.ts';

function syntax(message: string, hint: string): ComplaintWords {
  return { code: 'yaml-syntax', message, hint };
}

export const unquotedAsterisk: ComplaintWords = {
  code: 'unquoted-asterisk',
  message: 'In YAML, an unquoted * begins an alias, which refers to an anchor.',
  hint: 'Quote the value.',
};

export const unquotedReference = syntax(
  'Between brackets or braces, an unquoted { begins a map, so a reference needs quotes there.',
  'Quote the whole value that holds it.',
);

export const unnamedAnchor = syntax(
  'In YAML, an unquoted & begins an anchor, and this anchor has no name.',
  'Quote the value.',
);

export const colonMissing = syntax(
  'A key needs a colon and a space on the same line; here they are missing.',
  'Write `key: value`. To write a string of several lines, put | after its key.',
);

const meaninglessTag: ComplaintWords = {
  code: 'unknown-tag',
  message: 'Tags such as !secret are not supported. Only the tags of plain JSON are, on values that fit them.',
  hint: 'Write the value without the tag. ${env.NAME} reads a secret from the environment.',
};

/** For errors that have a single cause. */
export const fixedWords: { readonly [code in YAMLError['code']]?: ComplaintWords } = {
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

export function indentWords(message: string): ComplaintWords | undefined {
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

/** For a map in a place where none is allowed, by its first line. */
export function nestedWords(line: string): ComplaintWords {
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

export function unexpectedWords(message: string): ComplaintWords | undefined {
  if (message.endsWith('at node end'))
    return syntax('There is something after the end of the value.', 'Quote the whole value.');
  if (message.startsWith('Block scalar header'))
    return syntax('Nothing else is allowed on the line after | or >.', 'Write the text on the lines below, indented.');
  if (/^Unexpected (?:,|flow-)/.test(message))
    return syntax('This character is out of place.', 'Look for an extra bracket or comma.');
  return undefined;
}

/** By the opening character that has no closing one. */
export function unclosedWords(opening: string): ComplaintWords {
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
export function otherWords(message: string): ComplaintWords {
  return syntax(`${withoutSource(message)}.`, 'Check the quotes, brackets and indentation around it.');
}

/** The package quotes the faulty text in some messages. */
function withoutSource(message: string): string {
  const [words = ''] = message.split(/ at line \d+, column \d+/);
  return words.replace(/: ["'`]?[\s\S]*$/, '').replace(/\.$/, '');
}
