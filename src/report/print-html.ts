// A report as the inside of an HTML page. Dangers and changes are cards, folded if there are many.

import { findingWords } from './diagnostics/findings-doc.ts';
import {
  type Block,
  type Column,
  type Doc,
  type Field,
  type FieldRow,
  type Finding,
  isEmpty,
  isWords,
  item,
  type List,
  maxOpen,
  type ReportEntry,
  shownOf,
  type Words,
} from './doc.ts';
import type { Fields } from './field-lines.ts';
import type { Role } from './text/theme.ts';
import { codeSpans, visibleText } from './text/visible-values.ts';
import { type Wording, withWording } from './wording.ts';

export function printHtml(doc: Doc, wording?: Wording): string {
  return htmlOf(withWording(doc, wording));
}

/** `isInside` is true within a card, where a fold is not a card of its own. */
function htmlOf(doc: Doc, isInside = false): string {
  const parts: string[] = [];
  let list: string[] = [];
  const endList = () => {
    if (list.length > 0) parts.push(`<ul>${list.join('\n')}</ul>`);
    list = [];
  };
  for (const block of doc) {
    if (isEmpty(block)) continue;
    if (isFinding(block)) list.push(`<li>${inlineOf(findingWords(block))}${htmlOf(hintOf(block))}</li>`);
    else if (isItem(block)) list.push(`<li>${inlineOf(block.of)}${htmlOf(block.below ?? [])}</li>`);
    else {
      endList();
      parts.push(blockOf(block, isInside));
    }
  }
  endList();
  return parts.join('\n');
}

type HtmlItem = Extract<Block, { readonly mark: Words }>;

function isItem(block: Block): block is HtmlItem {
  return typeof block === 'object' && 'mark' in block;
}

function isFinding(block: Block): block is Finding {
  return typeof block === 'object' && 'finding' in block;
}

function hintOf({ finding: { hint }, more }: Finding): Doc {
  return [hint !== undefined && more === undefined && `Hint: ${hint}`];
}

function blockOf(block: Exclude<Block, HtmlItem | Finding>, isInside: boolean): string {
  if (isWords(block)) return `<p>${inlineOf(block)}</p>`;
  if ('heading' in block) return `<h1>${inlineOf(block.heading)}</h1>`;
  if ('part' in block)
    return `${isEmpty(block.title) ? '' : `<h2>${inlineOf(block.title)}</h2>\n`}${htmlOf(block.part)}`;
  if ('frame' in block) return block.of.map((each) => dangerCard(each, block.frame)).join('\n');
  if ('fold' in block) {
    const title = inlineOf(block.fold);
    if (isInside) return folded(title, block.of);
    return `<details class="card"><summary>${title}</summary><div class="inside">${htmlOf(block.of, true)}</div></details>`;
  }
  if ('notice' in block) return `<p class="notice ${block.notice}">${inlineOf(block.of)}</p>`;
  if ('list' in block) return listOf(block);
  if ('indent' in block) return htmlOf(block.of);
  if ('hang' in block) return `<p>${inlineOf(block.of)}</p>`;
  if ('fields' in block) return fieldList(block);
  if ('commands' in block) return `<pre>${block.commands.map(escapeHtml).join('\n')}</pre>`;
  if ('verbatim' in block) return `<pre>${block.verbatim.map(escapeHtml).join('\n')}</pre>`;
  if ('entries' in block) {
    const { entries, head = [] } = block;
    return entries.map((entry) => cardOf(entry, head, entries.length <= maxOpen)).join('\n');
  }
  return tableOf(block.head, block.rows);
}

function listOf({ list, most, names = [] }: List): string {
  const shown = shownOf(list.length, most);
  const rest = list.length - shown;
  const foldedForms = names.length === 0 ? list : names;
  return [
    htmlOf(list.slice(0, shown).map((of) => item(of))),
    ...(rest === 0
      ? []
      : [
          folded(
            `and ${rest} more`,
            foldedForms.slice(shown).map((of) => item(of)),
          ),
        ]),
  ].join('\n');
}

function folded(title: string, of: Doc): string {
  return `<details><summary>${title}</summary>${htmlOf(of)}</details>`;
}

function dangerCard(block: Block, gravity: string): string {
  if (!isItem(block)) return htmlOf([block]);
  return `<section class="card danger ${gravity}"><h3>${plainOf(block.of)}</h3>${htmlOf(block.below ?? [])}</section>`;
}

/** A click anywhere on the row unfolds the card, so nothing in it may be a link. */
function cardOf(entry: ReportEntry, head: readonly Column[], areFew: boolean): string {
  const { badge, isGrave, cells, line, where, details } = entry;
  const [title = '', ...others] = (head.length === 0 ? [cells[0], line, where] : cells).map((cell, index) => {
    const text = inlineOf(cell);
    const column = head[index + 1];
    return column?.isNamed && text !== '' ? `${column.title} ${text}` : text;
  });
  const quiet = others.filter((each) => each !== '').join(' · ');
  const label = badge === undefined ? '' : `<span class="badge ${badge.role}">${escapeHtml(badge.of)}</span>`;
  const row = `${label}<span class="about address">${title}</span><span class="quiet">${quiet}</span>`;
  if (details === undefined) return `<div class="card">${row}</div>`;
  const { of } = details;
  const hasFields = of.some((block) => typeof block === 'object' && 'fields' in block);
  const isOpen = hasFields && (areFew || isGrave === true);
  return `<details class="card"${isOpen ? ' open' : ''}><summary>${row}</summary><div class="inside">${htmlOf(of, true)}</div></details>`;
}

function tableOf(head: readonly Column[], rows: readonly (readonly Words[])[]): string {
  const titles = head.map(({ title }) => `<th>${escapeHtml(title)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${inlineOf(cell)}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${titles}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
}

function fieldList({ fields, hidden }: Fields): string {
  const list = fields.length === 0 ? '' : `<dl>${fields.map(fieldOf).join('\n')}</dl>`;
  return hidden === undefined ? list : `${list}<p class="quiet">${escapeHtml(hidden)}</p>`;
}

function fieldOf({ sign, label, values, rows, comments = [] }: Field): string {
  // The row of an element alone would look like a text.
  const isList = rows !== undefined && (rows.length > 1 || values[0] === undefined);
  const shown = isList ? rows : rowsOfValues(sign, values);
  return [
    `<div><dt>${escapeHtml(label)}</dt><dd>${shown.map((row) => rowOf(row, sign)).join('')}`,
    ...comments.map((comment) => `<p class="quiet">${escapeHtml(comment)}</p>`),
    '</dd></div>',
  ].join('');
}

function rowsOfValues(sign: Field['sign'], [first, second]: Field['values']): readonly FieldRow[] {
  if (second !== undefined)
    return [
      { sign: '-', text: first ?? '' },
      { sign: '+', text: second },
    ];
  return sign === '~' ? [{ sign: ' ', text: `changed: ${first}` }] : [{ sign, text: `${first}` }];
}

/** A text that is added or removed whole has the colour of its field. */
function rowOf({ sign, text }: FieldRow, ofField: Field['sign']): string {
  if (sign === '#') return `<p class="quiet">${escapeHtml(text)}</p>`;
  const shown = sign ?? ofField;
  const name = shown === '+' ? 'ins' : shown === '-' ? 'del' : 'span';
  return `<${name} class="value">${escapeHtml(text)}</${name}>`;
}

function inlineOf(words: Words): string {
  if (words === false || words === undefined) return '';
  if (typeof words !== 'object') return htmlProse(String(words));
  if ('code' in words) return htmlCode(words.code);
  if ('value' in words) return htmlCode(words.value);
  if ('message' in words) return words.message.split('\n').map(htmlProse).join('<br>');
  if ('link' in words) return `<a rel="noopener noreferrer" href="${escapeHtml(words.link)}">${inlineOf(words.of)}</a>`;
  if ('role' in words) return `<span class="${classOf(words.role)}">${inlineOf(words.of)}</span>`;
  return words.map(inlineOf).join('');
}

function classOf(role: Role): string {
  return role === 'dim' ? 'quiet' : `badge ${role}`;
}

/** The words without the markup of their roles. */
function plainOf(words: Words): string {
  return typeof words === 'object' && 'role' in words ? plainOf(words.of) : inlineOf(words);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute, on one line; invisible characters are spelled out. */
export function escapeHtml(text: string): string {
  return escapeMarkup(visibleText(text));
}

/** The characters with a meaning in HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

export function htmlCode(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** A sentence of Almanac's, in which backticks enclose names from files. */
function htmlProse(text: string): string {
  return codeSpans(text)
    .map((span) => (span.isCode ? htmlCode(span.text) : escapeHtml(span.text)))
    .join('');
}
