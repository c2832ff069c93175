// `validate` beside programs that check the same files against the same JSON schema, and know neither positions nor rules.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Row } from '../figure.ts';
import { type Lab, type Temperature, temperatures } from '../lab.ts';
import { compare, type Program } from '../measure.ts';
import { findPeer } from '../peers.ts';

const count = 2500;
const perFile = 5;
const schema = resolve('schemas/resources.schema.json');

interface Checker {
  readonly title: string;
  readonly program: string;
  readonly variable: string;
  readonly rounds: number;
  readonly args: (files: readonly string[]) => readonly string[];
  readonly mustPrint: (file: string) => string;
  readonly targets: Readonly<Record<Temperature, number>>;
}

const checkers: readonly Checker[] = [
  {
    title: 'ajv-cli',
    program: 'ajv',
    variable: 'AJV',
    rounds: 7,
    args: (files) => [
      ...['validate', '--spec=draft7', '--strict=false', '-c', 'ajv-formats', '-s', schema],
      ...files.flatMap((file) => ['-d', file]),
    ],
    mustPrint: (file) => `${file} valid`,
    targets: { cold: 1, warm: 0.33 },
  },
  {
    title: 'v8r',
    program: 'v8r',
    variable: 'V8R',
    // Far apart, and a run takes long.
    rounds: 1,
    args: (files) => ['--schema', schema, ...files],
    mustPrint: (file) => `${file} is valid`,
    targets: { cold: 1, warm: 1 },
  },
];

export async function measureValidate(lab: Lab): Promise<readonly Row[]> {
  const cwd = await lab.applied(count, perFile);
  const files = readdirSync(join(cwd, 'schedules'), { encoding: 'utf8' })
    .sort()
    .map((name) => `schedules/${name}`);
  const rows: Row[] = [];
  for (const { title, program, variable, rounds, args, mustPrint, targets } of checkers) {
    const peer = await findPeer(program, variable);
    const name = `validate of ${count.toLocaleString('en')} in ${files.length} files`;
    if (peer === undefined) {
      rows.push({ name: `${name} / ${title}`, leftOut: `${program} is not installed` });
      continue;
    }
    const theirs: Program = await lab.program({
      command: [peer.path, ...args(files)],
      cwd,
      mustPrint: files.map(mustPrint),
    });
    const compared = await compare(
      rounds,
      theirs,
      await lab.coldAndWarm({ args: ['validate'], cwd, mustPrint: 'No errors' }),
    );
    for (const [index, temperature] of temperatures.entries()) {
      const [target, times] = [targets[temperature], compared[index]];
      const to = { to: title, toVersion: peer.version };
      if (times !== undefined) rows.push({ name: `${name}, ${temperature}`, unit: '×', ...to, target, ...times });
    }
  }
  return rows;
}
