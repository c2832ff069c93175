// An HTML file that needs nothing else. It fetches nothing, and a policy lets only its own style and script work. Its
// colours, light and dark, are the same wherever Almanac writes one: every colour of text keeps a contrast of 4.5 to
// its background, which test/browser measures.

import { createHash } from 'node:crypto';
import { escapeHtml } from './print-html.ts';

interface HtmlPage {
  readonly title: string;
  /** The style of this page, after the palette. */
  readonly style: string;
  readonly script?: string;
  readonly head?: readonly string[];
  readonly look?: string | undefined;
  readonly body: string;
}

/** Ends with a newline. */
export function htmlPage({ title, style, script, head = [], look, body }: HtmlPage): string {
  const whole = palette + style;
  const allowed = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${hashOf(whole)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${allowed.join('; ')}">
<meta name="referrer" content="no-referrer">
${[...head, `<title>${escapeHtml(title)}</title>`].join('\n')}
<style>${whole}</style>
</head>
<body${look === undefined ? '' : ` class="${look}"`}>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Colours follow the reader's system, and are light on paper. */
const palette = `
:root {
  color-scheme: light;
  --page: #f5f6f8; --card: #ffffff; --line: #d5dae1; --text: #1b2028; --quiet: #545e6b;
  --red: #b3211b; --red-back: #fdecea; --green: #176b34; --green-back: #e6f5ea;
  --amber: #7d4e00; --amber-back: #fdf3dc; --blue: #1d5a96; --blue-back: #e8f1fb; --gray-back: #e9ecf1;
}
 @media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --page: #121519; --card: #1b2026; --line: #373f49; --text: #e7ebf0; --quiet: #a6b0bc;
    --red: #ff9c94; --red-back: #3d1c1a; --green: #7fd79b; --green-back: #173322;
    --amber: #f0c368; --amber-back: #392c10; --blue: #8cc0f5; --blue-back: #16293d; --gray-back: #2c333c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
a { color: var(--blue); }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; border-radius: 4px; }
`;
