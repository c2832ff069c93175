// What the shells complete with the scripts of `almanac completion`. Each shell runs without a terminal: bash and fish
// support that, and zsh gets stubs for the functions that print its menus.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declared, openBare } from '../support/cli/open-stage.ts';

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

const addresses = ['dashboards.sales', 'schedules.hook', 'schedules.weekly'];

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  const inShell = it.skipIf(!has(shell));

  inShell(`${shell} completes commands and their subcommands`, async () => {
    const { complete } = await openShell(shell);
    const commands = complete('almanac ');
    expect(commands).toEqual(expect.arrayContaining(['validate', 'plan', 'apply', 'state', 'completion', 'help']));
    expect(commands).not.toContain('complete-line');
    expect(complete('almanac st')).toEqual(['state', 'status']);
    expect(complete('almanac -C . state l')).toEqual(['list']);
    expect(complete('almanac state ')).toEqual(expect.arrayContaining(['list', 'show', 'mv', 'orphans']));
  });

  inShell(`${shell} completes options of a command and of the program`, async () => {
    const { complete } = await openShell(shell);
    expect(complete('almanac plan --ta')).toEqual(['--target']);
    expect(complete('almanac apply --auto')).toEqual(['--auto-approve']);
    expect(complete('almanac plan --chd')).toEqual(['--chdir']);
    expect(complete('almanac state unlock --aut')).toEqual(['--auto-approve']);
    expect(complete('almanac validate --auto')).toEqual([]);
    expect(complete('almanac plan --hel')).toEqual(['--help']);
  });

  inShell(`${shell} completes the values of a choice`, async () => {
    const { complete } = await openShell(shell);
    expect(complete('almanac plan --format ')).toEqual(['html', 'json', 'markdown', 'text']);
    expect(complete('almanac next --format i')).toEqual(['ics']);
    expect(complete('almanac init --ci g')).toEqual(['github', 'gitlab']);
    expect(complete('almanac completion ')).toEqual(['bash', 'fish', 'zsh']);
  });

  inShell(`${shell} completes addresses, declared and tracked, of the chosen workspace`, async () => {
    const { complete, run, write } = await openShell(shell);
    expect(complete('almanac plan --target ')).toEqual(addresses);
    expect(complete('almanac plan --target schedules.hook schedules.')).toContain('schedules.weekly');
    expect(complete('almanac next schedules.w')).toEqual(['schedules.weekly']);
    expect(complete('almanac state mv ')).toEqual(addresses);
    await run('apply --auto-approve');
    write({
      'schedules/all.yaml': 'schedules: { other: {} }\n',
      'else/schedules/a.yaml': 'aiJobs: { far: {} }\n',
      'else/almanac.yaml': '',
    });
    expect(complete('almanac state show ')).toEqual([...addresses, 'schedules.other'].sort());
    expect(complete('almanac -C else plan --target ')).toEqual(['aiJobs.far']);
  });

  inShell(`${shell} completes only the addresses that a command accepts`, async () => {
    const { complete } = await openShell(shell, {
      'schedules/all.yaml': { ...declared, aiJobs: { summary: {} } },
    });
    expect(complete('almanac next ')).toEqual(['schedules.hook', 'schedules.weekly']);
    expect(complete('almanac test ')).toEqual(['schedules.hook', 'schedules.weekly']);
    expect(complete('almanac ai status ')).toContain('aiJobs.summary');
    expect(complete('almanac ai status sch')).toEqual([]);
  });

  inShell(`${shell} completes tags, owners and addresses behind --select`, async () => {
    const { complete } = await openShell(shell, {
      'almanac.yaml': { defaults: { schedules: { meta: { owner: '@acme/data' } } } },
      'schedules/all.yaml': {
        defaults: { dashboards: { meta: { tags: ['board'] } } },
        schedules: {
          weekly: { meta: { owner: '@acme/finance', tags: ['month-end', '$(touch pwned)', '${each.key}'] } },
        },
      },
    });
    const all = ['owner:@acme/data', 'owner:@acme/finance', 'schedules.weekly', 'tag:board', 'tag:month-end'];
    expect(complete('almanac plan --select ')).toEqual(all);
    expect(complete('almanac who --select sch')).toEqual(['schedules.weekly']);
    // Bash replaces only what stands behind the last colon or at sign.
    const offered = (bash: string, others: string) => [shell === 'bash' ? bash : others];
    expect(complete('almanac plan --select tag:mo')).toEqual(offered('month-end', 'tag:month-end'));
    expect(complete('almanac plan --select owner:@acme/f')).toEqual(offered('acme/finance', 'owner:@acme/finance'));
    expect(complete('almanac trigger --select owner:@')).toHaveLength(2);
    expect(complete('almanac plan --select sch,tag:mo')).toEqual(offered('month-end', 'sch,tag:month-end'));
    expect(complete('almanac plan --select tag:board,sch')).toEqual(
      offered('board,schedules.weekly', 'tag:board,schedules.weekly'),
    );
    expect(complete('almanac plan --select tag:board,')).toHaveLength(5);
  });

  inShell(`${shell} completes environments, schemas, and commands behind help`, async () => {
    const { complete } = await openShell(shell, {
      'almanac.yaml': 'environments: { staging: {}, production: {} }\n',
      'schedules/all.yaml': declared,
    });
    expect(complete('almanac --env ')).toEqual(['production', 'staging']);
    expect(complete('almanac plan --env s')).toEqual(['staging']);
    expect(complete('almanac schema res')).toEqual(['resources']);
    expect(complete('almanac help st')).toEqual(['state', 'status']);
  });

  inShell(
    `${shell} describes an address by the name of its schedule where it can, and shows any name as it is`,
    async () => {
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
        'schedules/all.yaml': { schedules: named, dashboards: { sales: { identifier: '12db1a0a' } } },
      });
      expect(complete('almanac next ')).toEqual(
        Object.keys(names)
          .map((key) => `schedules.${key}`)
          .sort(),
      );
      expect(existsSync(join(path, 'pwned'))).toBe(false);
      const shown = new Map(
        offer('almanac state show ').map((line) => line.split('\t') as [string, string | undefined]),
      );
      if (shell === 'bash') expect([...shown.values()]).toEqual(Array(7).fill(undefined));
      else {
        // A backslash is an escape in what zsh's function reads.
        const unescaped = (text = '') => (shell === 'zsh' ? text.replaceAll('\\\\', '\\') : text);
        for (const [key, name] of Object.entries({ ...names, lines: 'one two three red' }))
          expect(unescaped(shown.get(`schedules.${key}`))).toBe(name);
        expect(shown.get('dashboards.sales')).toBe('dashboard 12db1a0a');
      }
    },
  );

  inShell(`${shell} offers no word of a file that a shell could expand`, async () => {
    const { complete, path } = await openShell(shell, {
      'almanac.yaml': { environments: { staging: {}, '$(touch pwned)': {}, 'a b': {} } },
      'schedules/all.yaml': {
        schedules: { good: {}, '$(touch pwned)': {}, '`touch pwned`': {}, "a'b": {}, 'a\nschedules.b': {}, 'a;b': {} },
      },
    });
    expect(complete('almanac plan --target ')).toEqual(['schedules.good']);
    expect(complete('almanac --env ')).toEqual(['staging']);
    expect(existsSync(join(path, 'pwned'))).toBe(false);
  });

  inShell(`${shell} completes nothing if no file can be read`, async () => {
    const { complete } = await openShell(shell, {
      'almanac.yaml': 'nonsense: [',
      'almanac.state.json': 'not JSON',
      'schedules/all.yaml': 'schedules: [',
    });
    expect(complete('almanac plan --target ')).toEqual([]);
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

it('completion refuses an unknown shell', async () => {
  const { spawn: run } = await openBare();
  expect(await run('completion tcsh')).toMatchObject({ code: 1, stderr: expect.stringContaining('bash, zsh, fish') });
});
