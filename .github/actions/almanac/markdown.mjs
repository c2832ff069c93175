// Pieces of Markdown that hold what others wrote, and cutting it where it is too long.

/** Kept for what closes a cut text, and for the words about it. */
const reserve = 600;

export function fence(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}text\n${text.replace(/\n*$/, '')}\n${marks}`;
}

/** Text in a cell of a table or in a sentence: nothing in it is markup, a link or a mention. */
export function code(text) {
  const plain = text.replace(/\s+/g, ' ').trim();
  const escaped = plain.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);
  return escaped === '' ? '' : `<code>${escaped}</code>`;
}

export function folded(title, markdown) {
  return `<details><summary>${title}</summary>\n\n${markdown}\n\n</details>`;
}

export const inBytes = (text) => Buffer.byteLength(text);
/** Never fewer than GitHub counts. */
export const inCharacters = (text) => text.length;

/**
 * At most so many bytes or characters. It is cut between lines, what is open there is closed, and `words` say that
 * something is missing.
 */
export function cutMarkdown(markdown, { limit, words, sizeOf }) {
  if (sizeOf(markdown) <= limit) return markdown;
  const room = limit - reserve - sizeOf(words);
  const kept = [];
  let size = 0;
  for (const line of markdown.split('\n')) {
    size += sizeOf(line) + 1;
    if (size > room) break;
    kept.push(line);
  }
  return [...kept, ...closing(kept), '', `**Cut here because it is too long.** ${words}`].join('\n');
}

/** What closes the fences and folds that are open after these lines. */
function closing(lines) {
  let open;
  let folds = 0;
  for (const line of lines) {
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (open !== undefined) {
      if (marks?.[1][0] === open[0] && marks[1].length >= open.length && marks[2].trim() === '') open = undefined;
    } else if (marks !== null) {
      open = marks[1];
    } else {
      folds += line.split('<details').length - line.split('</details>').length;
    }
  }
  return [...(open === undefined ? [] : [open]), ...Array(Math.max(0, folds)).fill('\n</details>')];
}
