// Tells which texts are nearly the same: they differ in case, blanks or form alone, as people, spreadsheets and programs write
// one text in several ways. Whatever compares texts letter by letter asks here what may have been meant.

/** The same for two texts that are nearly the same. */
export function folded(text: string): string {
  const plain = /^[ -~]*$/.test(text) ? text : asciiForm(text);
  return plain
    .toLowerCase()
    .replaceAll(/\s+/g, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?\d+)\.0+$/, '$1');
}

/** Quotes and hyphens of typesetters, composed letters, and characters that nobody sees. */
function asciiForm(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]+/gu, '')
    .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2010\u2011\u2013\u2014]/g, '-');
}

/** Finds the text among others that a text nearly is; undefined if it is one of them, or like none. */
export function nearTexts(texts: Iterable<string>): (text: string) => string | undefined {
  const exact = new Set(texts);
  const byFold = new Map([...exact].map((text) => [folded(text), text]));
  return (text) => (exact.has(text) ? undefined : byFold.get(folded(text)));
}

export const nearlyWords = 'only in case, blanks or form';
