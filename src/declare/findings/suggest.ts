// "Did you mean": the name, or the reference, that was most likely meant. Without its braces a reference is a text like
// any other.

const maxWordLength = 64;
const maxEdits = 4;

/** The names among which a word may be meant. If many words are looked up, pass the same object each time. */
type Names = readonly string[] | ReadonlySet<string> | ReadonlyMap<string, unknown>;

interface KnownNames {
  readonly sorted: readonly string[];
  readonly byLetters: ReadonlyMap<string, string>;
  readonly byWords: ReadonlyMap<string, string>;
  readonly inSection: ReadonlyMap<string, string>;
  /** How many more comparisons letter by letter are made: many words among many names would take hours. */
  comparisonsLeft: number;
}

const fewNames = 1000;
const maxCompared = 1_000_000;
const known = new WeakMap<Names, KnownNames>();

function knownOf(names: Names): KnownNames {
  const found = known.get(names);
  if (found !== undefined) return found;
  const sorted = [...(names instanceof Map ? names.keys() : (names as Iterable<string>))].sort();
  // Among names that are alike, the first one stays.
  const by = (keyOf: (name: string) => string) => new Map(sorted.toReversed().map((name) => [keyOf(name), name]));
  const made = {
    sorted,
    byLetters: by((name) => name.toLowerCase()),
    byWords: by(fold),
    inSection: by(afterSection),
    comparisonsLeft: sorted.length > fewNames ? maxCompared : Number.POSITIVE_INFINITY,
  };
  known.set(names, made);
  return made;
}

/** The closest name, if one is close enough, at most `most` edits away; for ties, the first in alphabetical order. */
export function nearest(word: string, names: Names, most = maxEdits): string | undefined {
  const all = knownOf(names);
  const lower = word.toLowerCase();
  const sameLetters = all.byLetters.get(lower);
  if (sameLetters !== undefined || word.length > maxWordLength) return sameLetters;
  const folded = fold(word);
  const sameWords = folded === '' ? undefined : all.byWords.get(folded);
  if (sameWords !== undefined) return sameWords;
  // `weekly-sales` for `schedules.weekly-sales`, `board` for `tag:board`.
  const inSection = word === '' ? undefined : all.inSection.get(word);
  if (inSection !== undefined) return inSection;

  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of all.comparisonsLeft > 0 ? all.sorted : []) {
    const allowed = Math.min(editsAllowed(word, name), most, fewest - 1);
    // If the lengths differ by more, there is no need to count.
    if (name.length > maxWordLength || Math.abs(name.length - word.length) > allowed) continue;
    all.comparisonsLeft -= 1;
    const edits = countEdits(lower, name.toLowerCase(), allowed);
    if (edits <= allowed) [best, fewest] = [name, edits];
  }
  return best;
}

/** `Did you mean …?`; undefined if no other name is close. */
export function didYouMean(word: string, names: Names): string | undefined {
  const name = nearest(word, names);
  return name === undefined || name === word ? undefined : `Did you mean \`${name}\`?`;
}

export function environmentHint(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'Declare it under `environments` in almanac.yaml.';
  return didYouMean(name, known) ?? `Declared: ${known.join(', ')}.`;
}

/**
 * One typo per three letters, but never enough to change the whole word. Two short names at one domain are two people,
 * so there only the letters before the domain count.
 */
function editsAllowed(word: string, name: string): number {
  const third = Math.floor(Math.max(lengthOf(word), lengthOf(name)) / 3);
  return Math.min(Math.max(1, third), maxEdits, Math.min(word.length, name.length) - 1);
}

function lengthOf(text: string): number {
  const at = text.lastIndexOf('@');
  return at > 0 ? at : text.length;
}

/**
 * Damerau-Levenshtein; each pair is transposed at most once. Three rows, at most 64 by 64, with only the cells that
 * `most` edits can reach. More edits are some number above that.
 */
function countEdits(from: string, to: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current: number[] = [row];
    let fewest = row;
    for (let column = Math.max(1, row - most); column <= Math.min(to.length, row + most); column += 1) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      current[column] = edits;
      fewest = Math.min(fewest, edits);
    }
    if (fewest > most) return fewest;
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** `max-row-limit`, `max_row_limit` and `maxRowLimit` are the same words. */
function fold(name: string): string {
  return name.replaceAll(/[-_ ]/g, '').toLowerCase();
}

function afterSection(name: string): string {
  return name.slice(name.search(/[.:]/) + 1);
}

const bareReference = /^\$?\{?(?<name>(?:audience|each|env|var)\.[A-Za-z_][\w-]*)\}?$/;

/** References in the form of dbt and Jinja: `{{ env_var('TO') }}`, `{{ var('team') }}`, `{{ team }}`. */
const templateReference = /^\{\{(?:(?<call>env_var|var)\()?['"]?(?<name>[A-Za-z_][\w-]*)['"]?(?:,[^)]*)?\)?\}\}$/;

/** ``Did you mean `${audience.sales}`?`` for `audience.sales`; undefined for a text unlike a reference. */
export function bareReferenceHint(text: string): string | undefined {
  const name = bareReference.exec(text)?.groups?.['name'] ?? templateName(text);
  const meant = `\${${name}}`;
  return name === undefined || meant === text ? undefined : `Did you mean \`${meant}\`?`;
}

function templateName(text: string): string | undefined {
  if (/[\w'"]\s+[\w'"]/.test(text)) return undefined;
  const { call, name } = templateReference.exec(text.replaceAll(/\s/g, ''))?.groups ?? {};
  return name === undefined ? undefined : `${call === 'env_var' ? 'env' : 'var'}.${name}`;
}
