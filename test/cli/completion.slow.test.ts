// What shells make of the words that `almanac complete-line` offers. The scripts of `almanac completion` run without a
// terminal: bash and fish support that, and zsh gets stubs for the functions that print its menus.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBare } from '../support/cli/open-stage.ts';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

const openShell = async (shell: 'bash' | 'zsh' | 'fish', files?: Readonly<Record<string, unknown>>) => {
  const stage = await openBare(files);
  const bin = join(stage.path, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'almanac'), `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.cjs')}" "$@"\n`);
  chmodSync(join(bin, 'almanac'), 0o755);
  const script = join(stage.path, `completion.${shell}`);
  writeFileSync(script, (await stage.spawn(`completion ${shell}`)).stdout);
  const drivers = {
    bash: (words: readonly string[]) => `. '${script}'
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_almanac; printf '%s\\n' "\${COMPREPLY[@]}"`,
    zsh: (words: readonly string[]) => `compdef() { : }
compadd() { while [[ "$1" == -* ]]; do [[ "$1" == -- ]] && { shift; break }; shift; done; print -l -- $@ }
_describe() {
  local name="\${@[-1]}" tab=$'\\t' colon=$'\\1'
  local -a kept=("\${\${(P)name}[@]//\\\\:/$colon}")
  kept=("\${kept[@]/:/$tab}")
  kept=("\${kept[@]//$colon/:}")
  print -rl -- "\${kept[@]/#/$prefix}"
}
_files() { print FILES "$@" }
compset() { [[ "\${words[CURRENT]}" == \${~2}* ]] && prefix="\${words[CURRENT]%"\${words[CURRENT]##$~2}"}" }
. '${script}'
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
_almanac`,
    fish: (words: readonly string[]) => `source '${script}'; complete -C '${words.join(' ')}'`,
  };
  const offer = (line: string): readonly string[] => {
    // As bash does where a word may break.
    const broken = (word: string) => word.split(/([:@]+)/).filter((part) => part !== '');
    const words = line.split(' ').flatMap((word) => (shell === 'bash' && word !== '' ? broken(word) : [word]));
    const { stdout, stderr } = spawnSync(shell, ['-c', drivers[shell](words)], {
      cwd: stage.path,
      env: { PATH: `${bin}:${process.env['PATH']}`, HOME: stage.path, ...stage.environment },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').slice(0, -1);
  };
  const complete = (line: string): readonly string[] => {
    const offered = offer(line).map((text) => text.split('\t')[0] ?? '');
    // In zsh, its menus match what was typed.
    const typed = line.split(' ').at(-1) ?? '';
    return [
      ...new Set(
        offered.filter(
          (text) => text !== '' && (shell !== 'zsh' || text.startsWith(typed) || text.startsWith('FILES')),
        ),
      ),
    ].sort();
  };
  return { ...stage, complete, offer };
};

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  const inShell = it.skipIf(!has(shell));

  inShell(`${shell} completes commands, options and the values of both`, async () => {
    const { complete } = await openShell(shell);
    const commands = complete('almanac ');
    expect(commands).toEqual(expect.arrayContaining(['validate', 'plan', 'apply', 'state', 'completion', 'help']));
    expect(commands).not.toContain('complete-line');
    expect(complete('almanac plan --ta')).toEqual(['--target']);
    expect(complete('almanac plan --format ')).toEqual(['html', 'json', 'markdown', 'text']);
    expect(complete('almanac plan --target ')).toEqual(['dashboards.sales', 'schedules.hook', 'schedules.weekly']);
  });

  inShell(`${shell} completes selectors, of which colons and at signs are a part`, async () => {
    const { complete } = await openShell(shell, {
      'schedules/all.yaml': {
        schedules: { weekly: { meta: { owner: '@acme/finance', tags: ['month-end', 'board'] } } },
      },
    });
    // Bash replaces only what stands behind the last colon or at sign.
    const offered = (bash: string, others: string) => [shell === 'bash' ? bash : others];
    expect(complete('almanac plan --target tag:mo')).toEqual(offered('month-end', 'tag:month-end'));
    expect(complete('almanac trigger owner:@acme/f')).toEqual(offered('acme/finance', 'owner:@acme/finance'));
  });

  inShell(`${shell} describes an address by its name where it can, and shows any name as it is`, async () => {
    const names = {
      colons: 'a:b: c \\ d \\: e\\',
      command: '$(touch pwned) `touch pwned` ${HOME} ; touch pwned',
      lines: 'one\ntwo\tthree \u001b[31mred',
      quotes: `it's "quoted" %F{red}%d {a,b} * ? ~ !! #`,
      parentheses: '(a b c)',
      flag: '-x --help',
    };
    const named = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, { name }]));
    const { complete, offer, path } = await openShell(shell, {
      'schedules/all.yaml': { schedules: { ...named, '$(touch pwned)': {}, "a'b": {}, 'a;b': {} } },
    });
    const addresses = Object.keys(names).map((key) => `schedules.${key}`);
    expect(complete('almanac next ')).toEqual(addresses.sort());
    const shown = new Map(offer('almanac state show ').map((line) => line.split('\t') as [string, string | undefined]));
    expect(existsSync(join(path, 'pwned'))).toBe(false);
    for (const [key, name] of Object.entries({ ...names, lines: 'one two three \\u001b[31mred' })) {
      const found = shown.get(`schedules.${key}`);
      // A backslash is an escape in what zsh's function reads.
      expect(shell === 'zsh' ? found?.replaceAll('\\\\', '\\') : found).toBe(shell === 'bash' ? undefined : name);
    }
  });
});

it.skipIf(!has('bash'))('bash completes after an equals sign, and completes files', async () => {
  const { complete } = await openShell('bash');
  expect(complete('almanac plan --format = j')).toEqual(['json']);
  expect(complete('almanac plan --format =')).toEqual(['html', 'json', 'markdown', 'text']);
  expect(complete('almanac validate sched')).toEqual(['schedules']);
  expect(complete('almanac --chdir sch')).toEqual(['schedules']);
  expect(complete('almanac --config = schedules/a')).toEqual(['schedules/all.yaml']);
});

it.skipIf(!has('zsh'))('zsh completes after an equals sign, and completes files', async () => {
  const { complete } = await openShell('zsh');
  expect(complete('almanac plan --format=j')).toEqual(['--format=json']);
  expect(complete('almanac validate sched')).toEqual(['FILES']);
  expect(complete('almanac --chdir sch')).toEqual(['FILES -/']);
});

it.skipIf(!has('fish'))('fish completes after an equals sign, and completes files', async () => {
  const { complete } = await openShell('fish');
  expect(complete('almanac plan --format=j')).toEqual(['--format=json']);
  expect(complete('almanac validate sched')).toEqual(['schedules/']);
  expect(complete('almanac --chdir sch')).toEqual(['schedules/']);
  expect(complete('almanac --config=schedules/a')).toEqual(['--config=schedules/all.yaml']);
});
