// Reads the XML that S3 and STS answer with: elements, attributes (which are ignored), text and the entities of XML
// itself. Everything else is refused, such as document types, comments, processing instructions and text between
// elements: an answer that holds them does not come from such a service.

export interface XmlElement {
  readonly name: string;
  /** Empty where it has children. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const declaration = /^\ufeff?(?:<\?xml[^<>?]*\?>)?\s*/;
const token = /<(\/?)([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_:][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const deepest = 16;

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/** Several times what a page of a thousand keys can have. */
const longest = 8_000_000;

/** Undefined for what is not one whole element of this form. */
export function readXml(text: string): XmlElement | undefined {
  if (text.length > longest) return undefined;
  const top: OpenElement = { name: '', text: '', children: [] };
  const open: OpenElement[] = [top];
  let place = declaration.exec(text)?.[0].length ?? 0;
  while (place < text.length) {
    token.lastIndex = place;
    const found = token.exec(text);
    const inside = open.at(-1);
    if (found === null || inside === undefined) return undefined;
    place = token.lastIndex;
    const [, slash, name = '', , empty, characters] = found;
    if (characters !== undefined) {
      inside.text += characters;
    } else if (slash === '/') {
      if (inside === top || inside.name !== name || empty === '/' || !close(open)) return undefined;
    } else {
      if (open.length > deepest) return undefined;
      open.push({ name, text: '', children: [] });
      if (empty === '/' && !close(open)) return undefined;
    }
  }
  const [element, second] = top.children;
  return open.length === 1 && second === undefined && top.text.trim() === '' ? element : undefined;
}

function close(open: OpenElement[]): boolean {
  const done = open.pop();
  const decoded = done && decode(done.text);
  if (done === undefined || decoded === undefined) return false;
  if (done.children.length > 0 && decoded.trim() !== '') return false;
  open.at(-1)?.children.push({
    name: done.name,
    text: done.children.length > 0 ? '' : decoded,
    children: done.children,
  });
  return true;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let isValid = true;
  const decoded = text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));|&/g,
    (_, name?: string, decimal?: string, hexadecimal?: string) => {
      if (name !== undefined) return named[name] ?? '';
      const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      if (point > 0 && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff))
        return String.fromCodePoint(point);
      isValid = false;
      return '';
    },
  );
  return isValid ? decoded : undefined;
}

/** The text of the only child of that name; undefined if it has none, or several. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.text;
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  const [first, second] = element?.children.filter((each) => each.name === name) ?? [];
  return second === undefined ? first : undefined;
}
