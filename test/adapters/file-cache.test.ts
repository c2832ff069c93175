// The cache in the user's cache folder: private, bounded, and empty where it cannot be used.

import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cacheFolder } from '../../src/adapters/files/cache-folder.ts';
import { openFileCache } from '../../src/adapters/files/file-cache.ts';
import { makeFolder } from '../support/workspace.ts';

it('what is kept can be read by nobody but its user', async () => {
  const { path } = makeFolder();
  const cache = openFileCache(cacheFolder({ XDG_CACHE_HOME: path }));
  await cache.write('one', 'text');
  expect(await cache.read('one')).toBe('text');
  expect(statSync(join(path, 'almanac')).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, 'almanac', 'one.json')).mode & 0o777).toBe(0o600);
});

it('what was cut, changed anywhere or not written by the cache counts as nothing', async () => {
  const { path } = makeFolder();
  const cache = openFileCache(cacheFolder({ XDG_CACHE_HOME: path }));
  const text = 'one\ntwo \u{1f600}\n';
  await cache.write('one', text);
  const file = join(path, 'almanac', 'one.json');
  const whole = readFileSync(file);
  for (const at of whole.keys()) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    for (const damaged of [changed, whole.subarray(0, at), Buffer.concat([whole.subarray(0, at), whole])]) {
      writeFileSync(file, damaged);
      expect(await cache.read('one')).toBe(damaged.equals(whole) ? text : undefined);
    }
  }
  for (const foreign of ['text', '\n', '\ntext']) {
    writeFileSync(file, foreign);
    expect(await cache.read('one')).toBeUndefined();
  }
});

it('of many entries, those that were written first are removed', async () => {
  const { path } = makeFolder();
  const cache = openFileCache(cacheFolder({ XDG_CACHE_HOME: path }));
  for (let index = 0; index < 55; index += 1) {
    await cache.write(`entry-${index}`, 'text');
    utimesSync(join(path, 'almanac', `entry-${index}.json`), index, index);
  }
  await cache.write('last', 'text');
  const kept = readdirSync(join(path, 'almanac'));
  expect(kept.length).toBe(50);
  expect(kept).toEqual(expect.arrayContaining(['last.json', 'entry-54.json']));
  expect(kept).not.toContain('entry-0.json');
});

it('several runs that write the same entry at once leave one that is whole', async () => {
  const { path } = makeFolder();
  const cache = openFileCache(cacheFolder({ XDG_CACHE_HOME: path }));
  const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
  await Promise.all(texts.map((text) => cache.write('one', text)));
  expect(texts).toContain(await cache.read('one'));
  expect(readdirSync(join(path, 'almanac'))).toEqual(['one.json']);
});

it('without a folder that can be written, nothing is kept and nothing fails', async () => {
  const { path } = makeFolder();
  writeFileSync(join(path, 'file'), '');
  for (const environment of [{ XDG_CACHE_HOME: join(path, 'file') }, { HOME: '', XDG_CACHE_HOME: 'relative' }]) {
    const cache = openFileCache(cacheFolder(environment));
    await cache.write('one', 'text');
    expect(await cache.read('one')).toBeUndefined();
  }
});
