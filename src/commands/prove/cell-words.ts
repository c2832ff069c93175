// Tells what a cell of a file reads like: nothing, a total, a day. Pure.

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish and Japanese. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'ja'];

const totalWords = new Set(
  [
    ['total', 'totals', 'subtotal', 'sub total', 'grand total', 'overall total'],
    ['gesamt', 'gesamtsumme', 'summe', 'zwischensumme', 'teilsumme', 'insgesamt', 'gesamtergebnis'],
    ['total général', 'sous total', 'somme', 'totaux'],
    ['total general', 'suma', 'suma total', 'suma parcial', 'totales'],
    ['totale', 'totale complessivo', 'totale generale', 'totale parziale', 'subtotale', 'totali', 'somma'],
    ['total geral', 'total parcial', 'soma', 'totais'],
    ['totaal', 'eindtotaal', 'subtotaal', 'totalen', 'som'],
    ['razem', 'łącznie', 'ogółem', 'suma końcowa', 'suma częściowa', 'suma całkowita'],
    ['totalt', 'summa', 'delsumma', 'totalsumma', 'slutsumma'],
    ['合計', '総計', '小計', '総合計'],
  ].flat(),
);

/** True if a cell marks its row as a total, or is a value that reads like one. */
export function isTotalWord(cell: string): boolean {
  if (cell.length > 24) return false;
  return totalWords.has(
    cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, ' '),
  );
}

/** The words for totals, for whoever looks for them among many cells. */
export const totals: readonly string[] = [...totalWords];

/** A blank or a zero, with a sign, a unit or a percent sign: `0.00`, `0,00`, `0E0`, `$0`, `0 kg`. */
export function isNothing(cell: string): boolean {
  return /^\s*$|^[\s(+\u2212-]{0,9}(?:\p{Sc}|\p{L}{1,3}\s)?[\s+\u2212-]{0,9}0[0.,'\u2019\s]{0,40}(?:[eE][+-]?\d{1,9})?\s{0,9}(?:%|\u2030|\p{Sc}|\u00b0?\p{L}{1,4}[\u00b2\u00b3]?(?:\/\p{L}{1,4})?)?[\s)]{0,9}$/u.test(
    cell,
  );
}

/** True for the result of a calculation over no rows; a text may read like one as well. */
export function isNoNumber(cell: string): boolean {
  return /^\s*(?:\(?null\)?|nan|#?n\/a|[-\u2013\u2014\u2212\u2205])\s*$/i.test(cell);
}

let namesOfDays: ReadonlySet<string> | undefined;

/** The months and weekdays of all the languages, long and short. */
function readNamesOfDays(): ReadonlySet<string> {
  const names = languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      const [ofYear, ofWeek] = [{ month: length }, { weekday: length }].map(
        (shown) => new Intl.DateTimeFormat(language, { ...shown, timeZone: 'UTC' }),
      );
      const months = Array.from({ length: 12 }, (_, month) => ofYear?.format(Date.UTC(2026, month, 1)) ?? '');
      const weekdays = Array.from({ length: 7 }, (_, day) => ofWeek?.format(Date.UTC(2026, 1, day)) ?? '');
      return [...months, ...weekdays].flatMap(wordsIn);
    }),
  );
  return new Set(names.filter((name) => name.length > 2 || /[^a-z]/.test(name)));
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

const besideNames = new Set('年 日 de of den st nd rd th h uhr am pm t z utc gmt'.split(' '));
const count = '\\d{1,2}';
const clock = `${count}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:\\s?[ap]m)?\\s?(?:z|utc|gmt|[+-]\\d{2}:?\\d{2})?`;
const part = 'q|t|w|kw|week|woche|semaine|semana|settimana|vecka|quarter|quartal|trimestre|kwartaal|kwartał';
const inNumbers = new RegExp(
  [
    `(?:\\d{4}[-/]${count}(?:[-/]${count})?|${count}[-/]${count}[-/]\\d{4}|${count}\\. ?${count}\\. ?\\d{2,4})(?:[t\\s]+${clock})?`,
    `${count}/\\d{4}`,
    clock,
    `${count}\\s?(?:h|am|pm|uhr)`,
    `(?:\\d{4}[\\s/-]?)?(?:${part})\\s?${count}(?:[\\s/-]+\\d{4})?`,
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
);

/** True for a date, month, quarter, week, weekday or hour; a number alone is none. */
export function isDay(cell: string): boolean {
  const text = cell.trim().toLowerCase();
  if (text.length > 40) return false;
  if (inNumbers.test(text)) return true;
  namesOfDays ??= readNamesOfDays();
  const names = namesOfDays;
  const words = wordsIn(text);
  const isKnown = words.every((word) => names.has(word) || besideNames.has(word));
  return isKnown && words.some((word) => names.has(word)) && /^[\p{L}\d\s.,:/+-]+$/u.test(text);
}
