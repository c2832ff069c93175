// `almanac emulator` ends when it cannot begin: with what was wrong, exit code 1 and no server left behind.

import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { says } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('almanac emulator', () => {
  it('almanac emulator ends with an error when the port is taken', async () => {
    const port = await takenPort();
    const { code, stdout, stderr } = await workspaceIn(makeFolder(), {}).run('emulator', '--port', `${port}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error[usage]: The port ${port} is in use.`);
  });

  it.each([
    ['of another shape', '{}'],
    ['that is not JSON', 'nonsense'],
  ])('almanac emulator ends with an error about the data file when it contains something %s', async (_, text) => {
    const folder = makeFolder({ 'data.json': text });
    const data = join(folder.path, 'data.json');
    const { code, stdout, stderr } = await workspaceIn(folder, {}).run('emulator', '--port', '0', '--data', data);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[usage]');
    expect(stderr).toEqual(says('is not what the emulator keeps'));
    expect(folder.read('data.json')).toBe(text);
  });
});
