// Markdown read as GitHub reads it: with the parser that the GFM specification is tested with, and then as HTML.

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const isElement = (node: Node): node is Element => 'tagName' in node;

/** Everything in the comment as GitHub makes it of the Markdown, before it takes out what it doesn't allow. */
export function elementsOf(markdown: string): {
  readonly tags: readonly string[];
  /** Where its links lead. */
  readonly hrefs: readonly string[];
  readonly loose: string;
} {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const tags: string[] = [];
  const hrefs: string[] = [];
  let loose = '';
  const visit = (node: Node, isCode: boolean): void => {
    if (node.nodeName === '#text' && 'value' in node && !isCode) loose += node.value;
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
  return { tags, hrefs, loose };
}
