// How a run puts what it says: without credentials, and each command that it advises with the options that make it about the
// same state. Every printer puts a whole report this way before it lays it out, so nobody who writes a message has to.

import { mapCommands } from '../model/values/command.ts';
import { withoutCredentials } from '../model/values/credentials.ts';
import { shellWord } from '../model/values/words.ts';
import { type Block, type Doc, type Finding, isWords, type ReportEntry, type Words } from './doc.ts';

export type Wording = (text: string) => string;

/** The options of a run that decide which state a command is about, and perhaps which organization. */
export interface RunOptions {
  readonly chdir?: string | undefined;
  readonly config?: string | undefined;
  readonly env?: string | undefined;
  readonly state?: string | undefined;
}

const optionNames = ['chdir', 'config', 'env', 'state'] as const satisfies readonly (keyof RunOptions)[];

/** A command that a message may advise, of a group as `state list`. */
export interface Advisable {
  readonly name: string;
  /** Options that it does not take. */
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
    // One that names its folder is about another workspace, or about this one without an environment.
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

/** Values that are compared, and what is laid out already, stay as they are: somebody has to judge or paste them. */
export function withWording(doc: Doc, wording: Wording = withoutCredentials): Doc {
  return doc.map((block) => wordedBlock(block, wording));
}

function wordedBlock(block: Block, wording: Wording): Block {
  const inDoc = (doc: Doc) => withWording(doc, wording);
  const inWords = (words: Words) => wordedWords(words, wording);
  if (isWords(block)) return inWords(block);
  if ('heading' in block) return { heading: inWords(block.heading) };
  if ('part' in block) return { title: inWords(block.title), part: inDoc(block.part) };
  if ('mark' in block) {
    const { mark, below } = block;
    // An item that is not printed may have no words.
    return {
      mark,
      get of() {
        return inWords(block.of);
      },
      below: below && inDoc(below),
    };
  }
  if ('indent' in block) return { ...block, of: inDoc(block.of) };
  if ('hang' in block) return { ...block, of: inWords(block.of) };
  if ('notice' in block) return { ...block, of: inWords(block.of) };
  if ('fold' in block) return { fold: inWords(block.fold), of: inDoc(block.of) };
  if ('frame' in block) return { ...block, of: inDoc(block.of) };
  if ('list' in block) return { ...block, list: block.list.map(inWords), names: block.names?.map(inWords) };
  if ('finding' in block) return wordedFinding(block, wording);
  if ('rows' in block) return { ...block, rows: block.rows.map((row) => row.map(inWords)) };
  if ('entries' in block) return { ...block, entries: block.entries.map((entry) => wordedEntry(entry, wording)) };
  if ('commands' in block) return { commands: block.commands.map(wording) };
  return block;
}

/** Its lines are masked already. */
function wordedFinding({ finding, excerpt, more }: Finding, wording: Wording): Finding {
  const { message, hint, related } = finding;
  return {
    finding: {
      ...finding,
      message: wording(message),
      hint: hint && wording(hint),
      related: related?.map((each) => ({ ...each, message: wording(each.message) })),
    },
    excerpt,
    more: more && { ...more, command: wording(more.command) },
  };
}

function wordedEntry({ cells, line, where, details, ...rest }: ReportEntry, wording: Wording): ReportEntry {
  const inWords = (words: Words) => wordedWords(words, wording);
  const { title, about, of } = details ?? {};
  return {
    ...rest,
    cells: cells.map(inWords),
    line: inWords(line),
    where: inWords(where),
    details: of && { title: inWords(title), about: inWords(about), of: withWording(of, wording) },
  };
}

function wordedWords(words: Words, wording: Wording): Words {
  if (typeof words === 'string') return wording(words);
  if (typeof words !== 'object' || 'value' in words) return words;
  if ('code' in words) return { code: wording(words.code) };
  if ('message' in words) return { message: wording(words.message) };
  if ('of' in words) return { ...words, of: wordedWords(words.of, wording) };
  return words.map((each) => wordedWords(each, wording));
}
