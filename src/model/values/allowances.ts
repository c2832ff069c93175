// The names of `--allow`: what each lets through, and which commands take it.

export interface Allowance {
  /** The help's words for what would be refused without the name. */
  readonly words: string;
  readonly commands: readonly string[];
  /** The word for what `=` gives the name; left out for a name that stands alone. */
  readonly of?: string;
}

type AllowanceName = 'behind' | 'duplicates' | 'empty' | 'http' | 'orphans' | 'unproven' | 'unread-neighbours';

type AllowanceWithValue = 'unproven' | 'unread-neighbours';

export const allowances: Readonly<Record<AllowanceName, Allowance>> = {
  behind: {
    words: 'taking back what was applied last, or a submodule at another commit than the recorded one',
    commands: ['apply', 'state mv', 'state orphans', 'state resolve', 'state rm'],
  },
  duplicates: { words: 'new schedules with the names of untracked ones', commands: ['apply'] },
  empty: { words: 'a workspace that declares nothing', commands: ['plan', 'apply'] },
  http: { words: 'sending the token over plain HTTP', commands: ['apply'] },
  orphans: { words: 'schedules that keep running because they cannot be removed', commands: ['apply'] },
  unproven: {
    words: 'reports that are not proven for these reasons, such as pdf+values-not-compared',
    commands: ['prove'],
    of: 'REASON',
  },
  'unread-neighbours': {
    words: 'taking ids that this neighbour may track, whose state cannot be read; may be repeated',
    commands: ['apply', 'import', 'state resolve'],
    of: 'NAME',
  },
};

/** The names that somebody allows; one is absent where its refusal stands. */
export type Allowed = { readonly [Name in Exclude<AllowanceName, AllowanceWithValue>]?: boolean } & {
  readonly [Name in AllowanceWithValue]?: readonly string[];
};

/** The names that a command takes. */
export function allowancesOf(command: string): readonly AllowanceName[] {
  const names = Object.keys(allowances) as AllowanceName[];
  return names.filter((name) => allowances[name].commands.includes(command));
}

/** The option as a message names it: `--allow behind`. */
export const allowing = (name: AllowanceName) => `--allow ${name}`;
