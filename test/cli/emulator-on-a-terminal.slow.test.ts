// What `almanac emulator` prints for somebody who looks on.

import { describe, expect, it } from 'vitest';
import { hasTerminal, runOnTerminal } from '../support/terminal.ts';
import { makeFolder } from '../support/workspace.ts';

describe.runIf(hasTerminal)('almanac emulator on a terminal', () => {
  it('the emulator prints on a terminal the two lines that point another shell at it', async () => {
    const typed = [['OMNI_API_TOKEN', '\u0003']] as const;
    const { text } = await runOnTerminal(['emulator', '--port', '0'], { cwd: makeFolder().path, typed, columns: 0 });
    const [json = '', ...exports] = text.split('\n');
    const { baseUrl, organizationKey } = JSON.parse(json);
    expect(exports.slice(0, 2)).toEqual([
      `export OMNI_BASE_URL=${baseUrl}`,
      `export OMNI_API_TOKEN=${organizationKey}`,
    ]);
  });
});
