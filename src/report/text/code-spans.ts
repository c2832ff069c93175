// A sentence of ours split at its backticks, which enclose names from files.

export interface CodeSpan {
  readonly isCode: boolean;
  readonly text: string;
}

/** As in Markdown, as many backticks end a name as begin it. Those without a partner are text. */
export function codeSpans(sentence: string): readonly CodeSpan[] {
  // Texts, and between them runs of backticks.
  const pieces = sentence.split(/(`+)/);
  const last = new Map(pieces.map((piece, index) => [piece, index]));
  const spans: CodeSpan[] = [];
  let text = pieces[0] ?? '';
  for (let at = 1; at < pieces.length; at += 2) {
    const run = pieces[at] ?? '';
    const end = (last.get(run) ?? at) > at ? pieces.indexOf(run, at + 1) : at;
    if (end > at) {
      spans.push({ isCode: false, text }, { isCode: true, text: nameIn(pieces.slice(at + 1, end).join('')) });
      text = '';
      at = end;
    } else {
      text += run;
    }
    text += pieces[at + 1] ?? '';
  }
  return [...spans, { isCode: false, text }];
}

/** `inBackticks` puts a space between a backtick of the name and its own. */
function nameIn(text: string): string {
  return /^ `|` $/.test(text) && text.startsWith(' ') && text.endsWith(' ') ? text.slice(1, -1) : text;
}
