// `almanac who` on a narrow terminal. What it says is in the transcripts.

import { expect, it } from 'vitest';
import type { Output } from '../../src/commands/base/world.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

it('who leaves nothing out on a narrow terminal: what has no column stands below the name', async () => {
  const folder = makeFolder({
    'almanac.yaml': { variables: { kim: 'kim@partner.com' } },
    'schedules/a.yaml': { schedules: { direct: mail({ recipients: ['${var.kim}', 'li@acme.com'] }) } },
  });
  let written = '';
  const stdout: Output = { write: (text) => (written += text), isTerminal: true, width: 60 };
  await workspaceIn(folder, {}, { stdout }).run('--no-color', 'who');
  expect(written).toBe(
    [
      'kim@partner.com',
      '  schedules.direct',
      '    pdf, at 09:00 on Monday Europe/London',
      '    almanac.yaml:3, variable kim',
      '',
      'li@acme.com',
      '  schedules.direct',
      '    pdf, at 09:00 on Monday Europe/London',
      '    schedules/a.yaml:12',
      '',
      '2 recipients of 1 resource.',
      '',
    ].join('\n'),
  );
});
