// The shell sessions of a Markdown page: fenced blocks marked `console`, in which a line that starts with `$ ` is a
// command and the lines below it are its output. A line with only `…` matches any lines. A command that readers need
// not see, such as an edit that the text describes, is in a comment: `<!-- run: COMMAND -->`. A comment `<!-- session:
// core -->` starts over with a fresh workspace and a service of those operations; after the operations may follow
// faults of the emulator, several with `; ` between: `<!-- session: full drop-after,on=DELETE -->`. `<!-- in: FOLDER
// -->` sets the folder of the commands below it. `<!-- file: PATH -->` writes the next block, as readers would, into
// that file.

export interface Step {
  /** Undefined where a new session begins. */
  readonly command: string | undefined;
  readonly session?: SessionKind;
  /** The lines that the page shows; undefined for a comment, whose output nobody sees. */
  readonly shown: readonly string[] | undefined;
  /** Where the shown lines begin, and the line after them; both from 0. */
  readonly from: number;
  readonly to: number;
}

export interface SessionKind {
  readonly operations: 'core' | 'full';
  readonly faults: readonly string[];
}

export const anyLines = '…';

export function stepsOf(page: string): readonly Step[] {
  const lines = page.split('\n');
  const steps: Step[] = [];
  let block = false;
  let folder = '';
  const inFolder = (command: string) => (folder === '' ? command : `cd '${folder}' || exit\n${command}`);
  let open: { command: string; from: number } | undefined;
  const close = (to: number) => {
    if (open !== undefined) steps.push({ ...open, shown: lines.slice(open.from, to), to });
    open = undefined;
  };
  lines.forEach((line, index) => {
    const hidden = /^<!-- run: (.*) -->$/.exec(line)?.[1];
    const entered = /^<!-- in: (.*) -->$/.exec(line)?.[1];
    const written = /^<!-- file: (.*) -->$/.exec(line)?.[1];
    if (entered !== undefined) folder = entered;
    else if (written !== undefined) {
      const command = writeBlock(lines.slice(index), written);
      steps.push({ command: inFolder(command), shown: undefined, from: index, to: index });
    } else if (hidden !== undefined)
      steps.push({ command: inFolder(hidden), shown: undefined, from: index, to: index });
    else if (line.startsWith('<!-- session: ')) {
      folder = '';
      steps.push({ command: undefined, session: sessionKind(line), shown: undefined, from: index, to: index });
    } else if (!block) block = line === '```console';
    else if (line === '```') {
      close(index);
      block = false;
    } else if (line.startsWith('$ ')) {
      close(index);
      open = { command: inFolder(line.slice(2)), from: index + 1 };
    }
  });
  return steps;
}

/** The command that writes the first fenced block of these lines into a file. */
function writeBlock(lines: readonly string[], path: string): string {
  const begin = lines.findIndex((line) => line.startsWith('```')) + 1;
  const text = lines.slice(begin, lines.indexOf('```', begin)).join('\n');
  return `mkdir -p "$(dirname '${path}')" && cat > '${path}' <<'END'\n${text}\nEND`;
}

function sessionKind(line: string): SessionKind {
  const [, operations, rest = ''] = /^<!-- session: (core|full) ?(.*) -->$/.exec(line) ?? [];
  if (operations === undefined) throw new Error(`not a session: ${line}`);
  const faults = rest.split('; ').filter((fault) => fault !== '');
  return { operations: operations as SessionKind['operations'], faults };
}

/** What differs between two runs of the same commands: ids, digests, times, ports, the salt of a state, versions. */
export function withoutChance(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b[0-9a-f]{64}\b/g, '<digest>')
    .replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '<instant>')
    .replace(/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}\b/g, '<time>')
    .replace(/\btoday \d{2}:\d{2}\b/g, '<time>')
    .replace(/process \d+/g, 'process <pid>')
    .replace(/127\.0\.0\.1:\d+/g, '<service>')
    .replace(/(?<=`apply` of )\S+/g, '<user>')
    .replace(/\balmanac \d+\.\d+\.\d+ on Node \d+\.\d+\.\d+/g, '<versions>')
    .replace(/("(?:salt|\$secret)": ?)"[^"]+"/g, '$1"<chance>"');
}

/** Whether the output is what the page shows, where `…` matches any lines. */
export function fits(shown: readonly string[], output: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return output.length === 0;
  if (first !== anyLines) return first === output[0] && fits(rest, output.slice(1));
  return output.some((_, skipped) => fits(rest, output.slice(skipped))) || fits(rest, []);
}
