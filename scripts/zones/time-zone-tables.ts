// The two tables of time zones in src/cron/zones, made of the IANA database and of what Unicode knows about it. Names
// come from the database alone, so that every Node accepts the same ones.

export const nameTableFile = 'src/cron/zones/time-zone-names.ts';
export const aliasTableFile = 'src/cron/zones/time-zone-aliases.ts';

export interface TimeZoneSources {
  /** tzdata.zi of the IANA database, made with its backward links. */
  readonly tzdata: string;
  /** zone.tab of the same release: the name of each zone that its country uses. */
  readonly zoneTab: string;
  /** The name that Unicode CLDR gives a zone, equal for names that mean the same clocks. */
  readonly cldrName: (name: string) => string;
  /** The major version of ICU that `cldrName` asks. */
  readonly icu: string;
}

const width = 120;

/** `2025b`. */
export function releaseOf(tzdata: string): string {
  return /^# version (\S+)/.exec(tzdata)?.[1] ?? '';
}

export function nameTableText({ tzdata }: Pick<TimeZoneSources, 'tzdata'>): string {
  const lines: string[] = [];
  for (const name of namesIn(tzdata).all) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + name.length > width) lines.push(name);
    else lines[lines.length - 1] = `${line} ${name}`;
  }
  return `// The names of the IANA time zone database, release ${releaseOf(tzdata)}, with its backward links (US/Eastern, Asia/Calcutta): data,
// sorted, kept here so that every Node gives the same answer. "Factory", which names no place, is left out.
// Written by \`npm run time-zones\`.

export const timeZoneNameTable = \`
${lines.join('\n')}
\`;
`;
}

export function aliasTableText(sources: TimeZoneSources): string {
  return `// Which zone names mean the same clocks: first the name used for comparing, then its aliases. Grouped as Unicode CLDR
// groups them (ICU ${sources.icu}), which never joins two countries; the first name is the one that the IANA database, release
// ${releaseOf(sources.tzdata)}, prefers. Written by \`npm run time-zones\`.

export const timeZoneAliasTable = \`
${groupsOf(sources).join('\n')}
\`;
`;
}

function groupsOf({ tzdata, zoneTab, cldrName }: TimeZoneSources): readonly string[] {
  const { all, zones } = namesIn(tzdata);
  const ofCountries = new Set(zoneTab.split('\n').flatMap((line) => line.split('\t')[2] ?? []));
  const groups = new Map<string, string[]>();
  for (const name of all) groups.set(cldrName(name), [...(groups.get(cldrName(name)) ?? []), name]);
  return [...groups]
    .filter(([, names]) => names.length > 1)
    .map(([key, names]) => {
      const first = preferred(key, names, ofCountries, zones);
      return [first, ...names.filter((name) => name !== first)].join(' ');
    })
    .sort();
}

/** The name that a country uses, else the one that has rules of its own; UTC, which no country uses, under its own name. */
function preferred(
  key: string,
  names: readonly string[],
  ofCountries: ReadonlySet<string>,
  zones: ReadonlySet<string>,
): string {
  if (key === 'UTC') return key;
  for (const known of [ofCountries, zones]) {
    const [only, ...others] = names.filter((name) => known.has(name));
    if (only !== undefined && others.length === 0) return only;
  }
  throw new Error(`No name among ${names.join(', ')} is preferred to the others.`);
}

/** `Z NAME …` is a zone with rules of its own, `L TARGET NAME` another name for one. */
function namesIn(tzdata: string): { readonly all: readonly string[]; readonly zones: ReadonlySet<string> } {
  const entries = tzdata.split('\n').map((line) => line.split(' '));
  const zones = entries.flatMap(([type, name = '']) => (type === 'Z' && name !== 'Factory' ? [name] : []));
  const links = entries.flatMap(([type, , name = '']) => (type === 'L' ? [name] : []));
  return { all: [...zones, ...links].sort(), zones: new Set(zones) };
}
