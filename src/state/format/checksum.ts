// The checksum of an object's JSON text, which is its last field: CRC-32 (IEEE 802.3) of the text in UTF-8. It notices any
// damage that a disk does to a line, though none that is done on purpose.

import { type Json, parseJson } from '../../model/values/json.ts';

const polynomial = 0xedb88320;

const table: readonly number[] = Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? polynomial : 0);
  return remainder;
});

/** Eight hexadecimal digits. */
export function crc32(text: string): string {
  let sum = -1;
  for (const byte of new TextEncoder().encode(text)) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
  return ((sum ^ -1) >>> 0).toString(16).padStart(8, '0');
}

const form = /^,"sum":"([0-9a-f]{8})"\}$/;
const length = ',"sum":"00000000"}'.length;

export function withSum(json: string): string {
  return `${json.slice(0, -1)},"sum":"${crc32(json)}"}`;
}

/** What a text says before its checksum; undefined if that is missing or not right, or if the text is not JSON. */
export function parseSummed(text: string): Json | undefined {
  const [, sum] = form.exec(text.slice(-length)) ?? [];
  const json = `${text.slice(0, -length)}}`;
  return sum === crc32(json) ? parseJson(json) : undefined;
}
