// What somebody reads on a page that Almanac wrote as HTML.

/** The words of a page, or of one of its sections or articles: a line for each block. */
export function wordsOfPage(html: string, id?: string): string {
  const part = id === undefined ? html : partOf(html, id);
  const lines = part
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<(?:article|section|div|li|p|dt|dd|h\d|span class="pair")(?=[ >])[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return lines.map((line) => (line === '' ? '' : `${line}\n`)).join('');
}

function partOf(html: string, id: string): string {
  const [, , part] =
    new RegExp(`<(section|article) id="${id.replaceAll('.', '\\.')}"[^>]*>([\\s\\S]*?)</\\1>`).exec(html) ?? [];
  return part ?? `The page has no ${id}.`;
}
