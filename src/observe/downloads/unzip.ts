// Reads a ZIP archive in memory (APPNOTE 6.3, also ZIP64): stored and deflated files, as its directory lists them. How much a file
// unpacks to is counted as it unpacks: what the archive says of it may be wrong.

import { inflateRawSync } from 'node:zlib';
import { crc32 } from '../../model/values/crc32.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { TooLarge } from './file-type.ts';

interface ZippedFile {
  readonly name: string;
  /** Unpacks it. Throws TooLarge, and Failure refused for what cannot be read. */
  readonly bytes: () => Buffer;
}

const marks = { file: 0x0403_4b50, entry: 0x0201_4b50, end: 0x0605_4b50, end64: 0x0606_4b50, locator64: 0x0706_4b50 };
const [stored, deflated] = [0, 8];
const encrypted = 1;
/** The end of the directory is followed by a comment of at most so many bytes. */
const [endSize, longestComment] = [22, 0xffff];
/** Stand in place of what ZIP64 says elsewhere. A small archive needs none of it, but some programs write it. */
const [countIn64, sizeIn64] = [0xffff, 0xffff_ffff];
const [locatorSize, extraOf64] = [20, 1];

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
  const { count, begins } = directoryOf(archive);
  let at = begins;
  const entries: Entry[] = [];
  for (let number = 0; number < count; number++) {
    if (archive.readUInt32LE(at) !== marks.entry) throw unreadable('its directory is damaged');
    const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
    const sum = archive.readUInt32LE(at + 16);
    const [named, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)];
    const name = archive.toString('utf8', at + 46, at + 46 + named);
    const extra = archive.subarray(at + 46 + named, at + 46 + named + extraLength);
    const stated = [20, 24, 42].map((field) => archive.readUInt32LE(at + field));
    const [size = 0, , file = 0] = with64(stated, extra);
    if ((flags & encrypted) !== 0) throw unreadable('a file in it is encrypted');
    if (method !== stored && method !== deflated) throw unreadable('a file in it is packed in another way');
    if (archive.readUInt32LE(file) !== marks.file) throw unreadable('its directory is damaged');
    const start = file + 30 + archive.readUInt16LE(file + 26) + archive.readUInt16LE(file + 28);
    if (start + size > archive.length) throw unreadable('it ends too early');
    entries.push({ name, packed: archive.subarray(start, start + size), method, sum });
    at += 46 + named + extraLength + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function directoryOf(archive: Buffer): { readonly count: number; readonly begins: number } {
  const end = endOf(archive);
  const [count, begins] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)];
  if (count !== countIn64 && begins !== sizeIn64) return { count, begins };
  const locator = end - locatorSize;
  // Without one, the numbers are what they say.
  if (locator < 0 || archive.readUInt32LE(locator) !== marks.locator64) return { count, begins };
  const end64 = number64(archive, locator + 8);
  if (archive.readUInt32LE(end64) !== marks.end64) throw unreadable('its directory is damaged');
  return { count: number64(archive, end64 + 32), begins: number64(archive, end64 + 48) };
}

/** The size packed, the size unpacked and the place of an entry. ZIP64 lists the sizes in the other order, and only what it has to say. */
function with64(stated: readonly number[], extra: Buffer): readonly number[] {
  if (!stated.includes(sizeIn64)) return stated;
  const [packed = 0, unpacked = 0, file = 0] = stated;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== extraOf64) continue;
    let next = at + 4;
    const [ofUnpacked, ofPacked, ofFile] = [unpacked, packed, file].map((number) => {
      if (number !== sizeIn64) return number;
      next += 8;
      return number64(extra, next - 8);
    });
    return [ofPacked ?? 0, ofUnpacked ?? 0, ofFile ?? 0];
  }
  return stated;
}

function number64(bytes: Buffer, at: number): number {
  const number = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(number)) throw unreadable('it is damaged');
  return number;
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
