// The jobs that `init --ci github` adds to a workspace that has secrets.

import { expect, it } from 'vitest';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

it('only the apply gets the secrets that the files name, and a line with another secret is named when it is replaced', async () => {
  const folder = makeFolder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'package.json': {},
    'almanac.yaml': 'api: { operations: full, baseUrl: "https://acme.omniapp.co/api" }\nstate: { backend: git }\n',
    'schedules/a.yaml':
      'schedules:\n  a: { identifier: 12db1a0a, name: A, schedule: 0 9 ? * MON *, timezone: UTC, format: csv, destinationType: sftp, host: files.example, username: ana, password: "${env.SFTP_PASSWORD}" }\n',
  });
  // A variable of this machine is one of the job all the same.
  const { run } = workspaceIn(folder, { PATH: `${process.env['PATH']}`, SFTP_PASSWORD: 'hunter2' });
  const first = await run('init', '--ci', 'github');
  expect(first.code, first.stderr).toBe(0);
  const file = (name: string) => folder.read(`.github/workflows/almanac-${name}.yml`);
  expect(file('apply').match(/SFTP_PASSWORD: \$\{\{ secrets\.SFTP_PASSWORD \}\}/g)).toHaveLength(2);
  for (const name of ['plan', 'plan-fork']) expect(file(name)).not.toContain('secrets.');
  const own = 'OTHER_PASSWORD: ${{ secrets.OTHER_PASSWORD }}';
  folder.write({ '.github/workflows/almanac-apply.yml': `${file('apply')}          ${own}\n` });
  const { code, stderr } = await run('init', '--ci', 'github', '--force');
  expect([code, file('apply').includes('OTHER_PASSWORD')]).toEqual([0, false]);
  expect(stderr).toContain('almanac-apply.yml had these lines with secrets.');
  expect(stderr).toContain(own);
  expect(stderr).not.toContain('SFTP_PASSWORD');
});
