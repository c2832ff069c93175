// The form of everything that a run prints: without credentials, and with fitting commands. Each command that it
// advises gets the options that make it about the same state. Every printer converts a whole report before it lays it
// out, so nobody who writes a message has to.

import { once } from '../model/values/collections.ts';
import { mapCommands } from '../model/values/command.ts';
import { withoutCredentials } from '../model/values/credentials.ts';
import { shellWord } from '../model/values/words.ts';
import type { Doc } from './doc.ts';

export type Wording = (text: string) => string;

/** The options of a run that decide which state a command is about, and perhaps which organization. */
export interface RunOptions {
  readonly chdir?: string | undefined;
  readonly config?: string | undefined;
  readonly env?: string | undefined;
  readonly state?: string | undefined;
}

const optionNames = ['chdir', 'config', 'env', 'state'] as const satisfies readonly (keyof RunOptions)[];

/** A command that a message may advise; one of a group as `state list`. */
export interface Advisable {
  readonly name: string;
  readonly refuses?: readonly (keyof RunOptions)[] | undefined;
}

export function wordingFor(commands: readonly Advisable[], run: RunOptions): Wording {
  const options = optionNames.flatMap((name) => {
    const value = run[name];
    return value === undefined ? [] : [{ name, text: ` --${name} ${shellWord(value)}` }];
  });
  if (options.length === 0) return withoutCredentials;
  const refusedBy = new Map(commands.map(({ name, refuses }) => [name, refuses]));
  const inSameRun = (command: string) => {
    // A command that names its folder is about another workspace, or about this one without an environment.
    if (command.includes(' --chdir ')) return command;
    const [, first = '', second = ''] = command.split(' ');
    const name = [`${first} ${second}`, first].find((each) => refusedBy.has(each));
    if (name === undefined) return command;
    const missing = options.filter(
      (option) => !refusedBy.get(name)?.includes(option.name) && !`${command} `.includes(` --${option.name} `),
    );
    const end = `almanac ${name}`.length;
    return command.slice(0, end) + missing.map(({ text }) => text).join('') + command.slice(end);
  };
  return (text) => withoutCredentials(mapCommands(text, inSameRun));
}

/** The parts of a report that are printed as they are, because somebody has to compare, judge or paste them. */
const asTheyAre: ReadonlySet<string> = new Set([
  ...['value', 'comparedWith', 'fields', 'hidden', 'verbatim', 'excerpt', 'link', 'mark', 'badge', 'role', 'head'],
]);

export function withWording(doc: Doc, wording: Wording = withoutCredentials): Doc {
  return worded(doc, wording);
}

/** Converts every text in a part, except those that stay as they are, when it is read: thousands may never be. */
function worded<T>(part: T, wording: Wording): T {
  if (typeof part === 'string') return wording(part) as T;
  if (Array.isArray(part)) return part.map((each) => worded(each, wording)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const converted = {};
  for (const name of Object.keys(part) as (keyof T & string)[])
    Object.defineProperty(converted, name, {
      enumerable: true,
      get: once(() => (asTheyAre.has(name) ? part[name] : worded(part[name], wording))),
    });
  return converted as T;
}
