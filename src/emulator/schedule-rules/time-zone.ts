// Whether a text names a zone of the IANA database. The runtime also accepts names that only ICU has and, in newer
// versions, offsets; neither is in the database.

const icuOnly = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

// ICU's name for an unknown zone, and a zone that the database dropped in 2020.
const gone = new Set(['ETC/UNKNOWN', 'US/PACIFIC-NEW']);

/** Asking the runtime takes a tenth of a millisecond, and a workspace names few zones. */
const known = new Map<string, boolean>();
const mostKnown = 1000;

export function isTimeZone(name: string): boolean {
  const found = known.get(name) ?? isInDatabase(name);
  if (known.size < mostKnown) known.set(name, found);
  return found;
}

function isInDatabase(name: string): boolean {
  if (!/^[a-z][\w+/-]*$/i.test(name)) return false;
  const upper = name.toUpperCase();
  if (icuOnly.has(upper) || upper.startsWith('SYSTEMV/') || gone.has(upper)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
