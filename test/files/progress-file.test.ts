// What a long import keeps: one line per answer, readable only by its owner, and complete however the writing ended.

import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProgressFile } from '../../src/files/progress-file.ts';
import { makeFolder } from '../support/workspace.ts';

function openOne() {
  const path = join(makeFolder().path, '.almanac-import.json');
  return { path, open: () => openProgressFile({ path, name: 'progress' }) };
}

test('a progress file exists only after something is kept and until it is removed', async () => {
  const { path, open } = openOne();
  const file = open();
  expect(await file.read()).toBeUndefined();
  await file.close();
  await Promise.all([1, 2, 3].map((n) => file.append({ n })));
  expect(await file.read()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await file.remove();
  await file.remove();
  expect(existsSync(path)).toBe(false);
});

test('a partial line of a progress file is skipped, and the next entry starts on its own line', async () => {
  const { path, open } = openOne();
  const first = open();
  await first.append({ n: 1 });
  await first.close();
  appendFileSync(path, '{"n":');
  chmodSync(path, 0o644);
  const second = open();
  expect(await second.read()).toEqual([{ n: 1 }]);
  await second.append({ n: 2 });
  await second.close();
  expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that is not progress of an import, or cannot be read or written, is refused', async () => {
  const { path, open } = openOne();
  for (const text of ['not json\n', '[]\n', '{"n":1}\n\n{"n":2}\n']) {
    writeFileSync(path, text);
    await expect(open().read(), text).rejects.toMatchObject({
      code: 'refused',
      hint: 'Remove it to start over.',
    });
  }
  const folder = `${path}.folder`;
  mkdirSync(folder);
  const file = openProgressFile({ path: folder, name: 'progress' });
  await expect(file.read()).rejects.toMatchObject({
    message: expect.stringMatching(/progress cannot be read: it is a folder/),
  });
  await expect(file.append({})).rejects.toMatchObject({ message: expect.stringMatching(/progress cannot be written/) });
  await expect(file.append({})).rejects.toMatchObject({ code: 'refused' });
  await file.close();
});

test.each(['that leads nowhere', 'to a file'])('a link %s is refused as progress', async (kind) => {
  const { path, open } = openOne();
  if (kind === 'to a file') writeFileSync(`${path}.target`, '');
  symlinkSync(`${path}.target`, path);
  const refusal = { code: 'refused', message: expect.stringContaining('is a link') };
  await expect(open().read()).rejects.toMatchObject(refusal);
  await expect(open().append({})).rejects.toMatchObject(refusal);
  expect(existsSync(`${path}.target`) && statSync(`${path}.target`).size > 0).toBe(false);
  await open().remove();
  expect(await open().read()).toBeUndefined();
});
