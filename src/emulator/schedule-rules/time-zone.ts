// Whether a text names a zone of the IANA database. The runtime's own list also knows names that are ICU's alone
// and, in newer versions, offsets; neither is in the database.

const icuOnly = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

// Neither ICU's name for no zone nor one that the database dropped in 2020.
const gone = new Set(['ETC/UNKNOWN', 'US/PACIFIC-NEW']);

export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+/-]*$/i.test(name)) return false;
  const upper = name.toUpperCase();
  if (icuOnly.has(upper) || upper.startsWith('SYSTEMV/') || gone.has(upper)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
