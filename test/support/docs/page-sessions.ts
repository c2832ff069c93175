// The shell sessions of a Markdown page, as a script of parts. What readers see is in blocks marked `console`; what they
// need not see, such as an edit that the text describes, is a line of a transcript in a comment: `<!-- $ COMMAND -->`.
// `<!-- > service full -->` starts over, with a copy of this repository's workspace; a page begins with operations core.
// `<!-- -- PATH -- -->` writes the next block, as readers would, into that file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { systemClock } from '../../../src/files/system.ts';
import { version } from '../../../src/version.ts';
import type { Line, Script, Stage } from '../transcript.ts';
import { type Environment, openFolder } from '../workspace.ts';

/** Every page that people read. */
export const pages: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  '.github/CONTRIBUTING.md',
  '.github/RELEASING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
]
  .filter((path) => path.endsWith('.md'))
  .sort();

export function sessionsOf(path: string): Script {
  return { path, lines: linesOf, open, alike: withoutChance };
}

function linesOf(page: string): readonly Line[] {
  const starting = (service: string, at: number): readonly Line[] => [
    { text: '=== session', at },
    { text: `> ${service}`, at, isHidden: true },
  ];
  const lines: Line[] = [...starting('service core', 0)];
  let block: 'console' | 'file' | 'other' | undefined;
  let isFile = false;
  page.split('\n').forEach((text, at) => {
    const hidden = /^<!-- ([$>] .+|-- .+ --) -->$/.exec(text)?.[1];
    if (block !== undefined) {
      if (text === '```') block = undefined;
      else if (block !== 'other') lines.push({ text, at, isText: block === 'file' || !text.startsWith('$ ') });
    } else if (text.startsWith('```')) {
      block = isFile ? 'file' : text === '```console' ? 'console' : 'other';
      isFile = false;
    } else if (hidden?.startsWith('> service ')) lines.push(...starting(hidden.slice(2), at));
    else if (hidden !== undefined) {
      isFile = hidden.startsWith('-- ');
      lines.push({ text: hidden, at, isHidden: true });
    }
  });
  return lines;
}

/** What differs between two runs of the same commands: ids, digests, times, ports, the salt of a state, versions. */
function withoutChance(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b[0-9a-f]{64}\b/g, '<digest>')
    .replace(/\bcommit [0-9a-f]{12}\b/g, 'commit <commit>')
    .replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '<instant>')
    .replace(/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}\b/g, '<time>')
    .replace(/(?<= {2})\d{4}-\d{2}-\d{2}(?= {2})/g, '<day>')
    .replace(/(?<=\bapplied\s+)\d{4}-\d{2}-\d{2}/g, '<day>')
    .replace(/\btoday \d{2}:\d{2}\b/g, '<time>')
    .replace(/process \d+/g, 'process <pid>')
    .replace(/taken over in \d+ s/g, 'taken over in <time>')
    .replace(/127\.0\.0\.1:\d+/g, '<service>')
    .replace(/(?<=`apply` of )\S+/g, '<user>')
    .replace(/\balmanac \d+\.\d+\.\d+ on Node \d+\.\d+\.\d+(?: with time zones of \w+)?/g, '<versions>')
    .replace(/("(?:salt|\$secret)": ?)"[^"]+"/g, '$1"<chance>"');
}

/** Waits, for a minute at most, until the change of an address is in the journal and on its way. */
const untilBegun = `#!/bin/sh
tries=0
until grep -qs ""$1"" almanac.state.json.journal || [ $tries -ge 600 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
sleep 1
`;

/** A line that is no more than `almanac` and its words runs in this process; a shell runs any other, with the built program. */
function open(): Stage {
  const home = openFolder();
  const [path, programs] = [join(home.path, 'workspace'), join(home.path, 'bin')];
  for (const part of ['almanac.yaml', 'schedules']) cpSync(part, join(path, part), { recursive: true });
  home.write({
    'bin/almanac': `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.cjs')}" "$@"\n`,
    'bin/until-begun': untilBegun,
  });
  for (const program of ['almanac', 'until-begun']) chmodSync(join(programs, program), 0o755);
  const write = (files: Readonly<Record<string, unknown>>) =>
    home.write(Object.fromEntries(Object.entries(files).map(([name, content]) => [`workspace/${name}`, content])));
  return {
    folder: { ...home, path, write },
    environment: {
      PATH: [programs, process.env['PATH']].join(delimiter),
      HOME: home.path,
      SFTP_PASSWORD: 'not a secret',
      OMNI_WEBHOOK_SECRET: 'not a secret either',
    },
    outside: { clock: systemClock, version },
    service: { jobDurationMs: 2000 },
    showsCode: false,
    run: (line, cwd, env) => (/^almanac [^|&;<>$`*]*$/.test(line) ? undefined : inShell(line, cwd, env)),
    close: home.remove,
  };
}

async function inShell(line: string, cwd: string, env: Environment): Promise<string> {
  const shell = spawn('/bin/sh', ['-c', `exec 2>&1\n${line}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await once(shell, 'close');
  return output;
}
