// Puts the temporary files of the tests into memory, where there is room. Tests make many thousands of small files, and
// git and PostgreSQL wait until theirs are on the disk. A TMPDIR that somebody has set stays.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const enough = 4 * 1024 ** 3;

/** For `globalSetup` of Vitest: the workers start after it, with its environment. */
export function setup(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  if (process.env['ALMANAC_TESTS'] !== 'all' || canRunPrograms()) process.env['TMPDIR'] = inMemory;
}

/** A container may have less memory than its machine. */
function hasRoom(): boolean {
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, freemem(), allowed) >= enough;
  } catch {
    return false;
  }
}

/** Docker forbids it there. Only the slow tests run any. */
function canRunPrograms(): boolean {
  const folder = mkdtempSync(join(inMemory, 'almanac-'));
  try {
    writeFileSync(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(join(folder, 'program'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
