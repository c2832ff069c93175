// Markdown read as GitHub reads it: with the parser that the GFM specification is tested with, and then as HTML.

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { expect } from 'vitest';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const isElement = (node: Node): node is Element => 'tagName' in node;

/** Everything in the comment as GitHub makes it of the Markdown, before it takes out what it doesn't allow. */
export function elementsOf(markdown: string): {
  readonly tags: readonly string[];
  /** Where its links lead. */
  readonly hrefs: readonly string[];
  readonly loose: string;
  /** Everything that is read, code too. */
  readonly text: string;
} {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const tags: string[] = [];
  const hrefs: string[] = [];
  let [loose, text] = ['', ''];
  const visit = (node: Node, isCode: boolean): void => {
    if (node.nodeName === '#text' && 'value' in node) {
      text += node.value;
      if (!isCode) loose += node.value;
    }
    if (node.nodeName === '#comment') tags.push('#comment');
    if (isElement(node)) {
      const attributes = node.attrs.filter(({ name, value }) => !(name === 'class' && value === 'language-diff'));
      tags.push([node.tagName, ...attributes.map(({ name }) => name)].join(' '));
      hrefs.push(...attributes.flatMap(({ name, value }) => (name === 'href' ? [value] : [])));
    }
    const inside = isCode || (isElement(node) && (node.tagName === 'code' || node.tagName === 'pre'));
    if ('childNodes' in node) for (const child of node.childNodes) visit(child, inside);
  };
  visit(parseFragment(html), false);
  return { tags, hrefs, loose, text };
}

/** A check that a text makes no elements in a report that a harmless one does not make, and pings, links and closes nothing. */
export function harmlessIn(render: (text: string) => string, harmless: string): (text: string) => void {
  const usual = elementsOf(render(harmless)).tags;
  const countOf = (tags: readonly string[], tag: string) => tags.filter((each) => each === tag).length;
  return (text) => {
    const { tags, loose } = elementsOf(render(text));
    expect(tags.filter((tag) => !usual.includes(tag))).toEqual([]);
    // As many cells and rows as there have to be: no pipe ends a cell, and no newline a row.
    for (const tag of ['tr', 'td', 'th', 'details', 'h2', 'h3', 'pre', 'table'])
      expect(countOf(tags, tag), tag).toBe(countOf(usual, tag));
    // Outside of code, where none of them works, mentions, issues and addresses are broken.
    expect(loose).not.toMatch(/@[\w]|(?:^|\W)#\d|:\/\/\S|www\./i);
    expect(loose).not.toMatch(/^\s*\/[a-z]/m);
  };
}
