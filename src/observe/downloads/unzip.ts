// Reads a ZIP archive in memory (APPNOTE 6.3): stored and deflated files, as its directory lists them. How much a file unpacks to is
// counted as it unpacks: what the archive says of it may be wrong.

import { inflateRawSync } from 'node:zlib';
import { crc32 } from '../../model/values/crc32.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { TooLarge } from './in-memory.ts';

interface ZippedFile {
  readonly name: string;
  /** Unpacks it. Throws TooLarge, and Failure refused for what cannot be read. */
  readonly bytes: () => Buffer;
}

const marks = { file: 0x0403_4b50, entry: 0x0201_4b50, end: 0x0605_4b50 };
const [stored, deflated] = [0, 8];
const encrypted = 1;
/** The end of the directory is followed by a comment of at most so many bytes. */
const [endSize, longestComment] = [22, 0xffff];
/** Stands in place of what only ZIP64 can say; no archive that is small enough needs it. */
const [inZip64, offsetInZip64] = [0xffff, 0xffff_ffff];

/** The files of an archive, of at most `mostUnpacked` bytes in all. Throws Failure refused if it is unreadable. */
export function unzip(archive: Buffer, mostUnpacked: number): readonly ZippedFile[] {
  let bytesLeft = mostUnpacked;
  return zipEntriesOf(archive).flatMap(({ name, packed, method, sum }): readonly ZippedFile[] => {
    const bytes = () => {
      const unpacked = method === stored ? packed : inflated(packed, bytesLeft, mostUnpacked);
      bytesLeft -= unpacked.length;
      if (bytesLeft < 0) throw tooLarge(mostUnpacked);
      if (crc32(unpacked) !== sum) throw unreadable('a file in it is damaged');
      return unpacked;
    };
    return name.endsWith('/') ? [] : [{ name, bytes }];
  });
}

interface Entry {
  readonly name: string;
  readonly packed: Buffer;
  readonly method: number;
  /** CRC-32 of what it unpacks to. */
  readonly sum: number;
}

function zipEntriesOf(archive: Buffer): readonly Entry[] {
  try {
    return readEntries(archive);
  } catch (error) {
    // A place that is outside of the archive.
    if (error instanceof RangeError) throw unreadable('it is damaged', error);
    throw error;
  }
}

function readEntries(archive: Buffer): readonly Entry[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  if (count === inZip64 || at === offsetInZip64) throw unreadable('it is a ZIP64 archive');
  const entries: Entry[] = [];
  for (let number = 0; number < count; number++) {
    if (archive.readUInt32LE(at) !== marks.entry) throw unreadable('its directory is damaged');
    const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
    const [sum, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)];
    const named = archive.readUInt16LE(at + 28);
    const otherLength = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    const name = archive.toString('utf8', at + 46, at + 46 + named);
    const file = archive.readUInt32LE(at + 42);
    if ((flags & encrypted) !== 0) throw unreadable('a file in it is encrypted');
    if (method !== stored && method !== deflated) throw unreadable('a file in it is packed in another way');
    if (archive.readUInt32LE(file) !== marks.file) throw unreadable('its directory is damaged');
    const start = file + 30 + archive.readUInt16LE(file + 26) + archive.readUInt16LE(file + 28);
    if (start + size > archive.length) throw unreadable('it ends too early');
    entries.push({ name, packed: archive.subarray(start, start + size), method, sum });
    at += 46 + named + otherLength;
  }
  return entries;
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - endSize - longestComment);
  for (let at = archive.length - endSize; at >= first; at--) if (archive.readUInt32LE(at) === marks.end) return at;
  throw unreadable('it ends too early');
}

function inflated(packed: Buffer, bytesLeft: number, mostUnpacked: number): Buffer {
  // Node takes no limit of 0.
  const maxOutputLength = Math.max(1, bytesLeft);
  try {
    return inflateRawSync(packed, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(mostUnpacked);
    throw unreadable('a file in it is damaged', error);
  }
}

function tooLarge(most: number): TooLarge {
  return new TooLarge(most, 'What Omni sent, unpacked,');
}

function unreadable(why: string, cause?: unknown): Failure {
  return new Failure('refused', `The archive that Omni sent cannot be read: ${why}.`, { cause });
}
