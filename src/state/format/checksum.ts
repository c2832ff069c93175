// The checksum of an object's JSON text, which is its last field: CRC-32 (IEEE 802.3) of the text in UTF-8. It notices any
// damage that a disk does to a line, though none that is done on purpose.

import { crc32 } from '../../model/values/crc32.ts';
import { type Json, parseJson } from '../../model/values/json.ts';

/** Eight hexadecimal digits. */
export function checksumOf(text: string): string {
  return crc32(new TextEncoder().encode(text)).toString(16).padStart(8, '0');
}

const form = /^,"sum":"([0-9a-f]{8})"\}$/;
const length = ',"sum":"00000000"}'.length;

export function withSum(json: string): string {
  return `${json.slice(0, -1)},"sum":"${checksumOf(json)}"}`;
}

/** The content of a text before its checksum; undefined if that is missing or wrong, or if the text is not JSON. */
export function parseSummed(text: string): Json | undefined {
  const [, sum] = form.exec(text.slice(-length)) ?? [];
  const json = `${text.slice(0, -length)}}`;
  return sum === checksumOf(json) ? parseJson(json) : undefined;
}
