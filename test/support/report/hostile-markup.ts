// Hostile texts for Markdown, HTML, XML and workflow commands, and generators of such texts.

import fc from 'fast-check';
import { runs } from '../runs/runs.ts';
import { hostileText } from './hostile-text.ts';

export const hostileMarkup: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</code></summary></details><h1>owned</h1>',
  '</style><style>*{display:none}',
  '--><!-- almanac -->',
  ']]></failure><x/>',
  '@octocat and @org/team',
  'ana@example.com, https://evil.example/?a=b, www.evil.example',
  '[click](https://evil.example)',
  '![](https://evil.example/pixel.png)',
  '[1]: https://evil.example',
  '#123, GH-1, org/repo#1, !42, $7, ~bug, %3',
  '| a | b |\n|---|---|',
  '\\| a \\\\| b',
  '`a` ``b`` ```c``` `',
  '```\n</details>\n# owned\n```',
  '# owned\n\n> quote\n- list\n1. list\n---',
  '**bold** _it_ ~~gone~~ :tada: $x$',
  '&lt;b&gt; &#64;octocat &amp;amp; %0A %25',
  '::error file=a::owned',
  'a%0A::set-output name=x::y,title=z:::',
  '##[add-mask]x',
  '/close\n/assign @me',
];

const pieces = fc.constantFrom(
  ...['|', '`', '``', '```', '\\', '<', '>', '</', '<!--', '-->', '"', "'", '=', '&', '&#64;', '@a', '#1', '[', ']'],
  ...['(', ')', '!', '*', '_', '~', '://', 'http', 'www.a.b', ':', '::', ',', '%', '\n', '\n\n', '- ', ' ', 'word'],
  ...[']]>', '<details>'],
);

export const hostileMarkupText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileMarkup),
  fc.array(pieces, { maxLength: 30 }).map((each) => each.join('')),
  hostileText,
);

/** Checks each of the known texts, and then some random ones. */
export function forHostileMarkup(check: (text: string) => void, random = runs(100)): void {
  const examples = hostileMarkup.map((text): [string] => [text]);
  fc.assert(fc.property(hostileMarkupText, check), { examples, numRuns: examples.length + random });
}
