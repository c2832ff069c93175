// The checksum of an object's JSON text, which is its last field.

import { crc32 } from './crc-32.ts';

const form = /^,"sum":"([0-9a-f]{8})"\}$/;
const length = ',"sum":"00000000"}'.length;

export function withSum(json: string): string {
  return `${json.slice(0, -1)},"sum":"${crc32(json)}"}`;
}

/** The text without its checksum; undefined if it has none, or one that is not right. */
export function withoutSum(text: string): string | undefined {
  const [, sum] = form.exec(text.slice(-length)) ?? [];
  const json = `${text.slice(0, -length)}}`;
  return sum === crc32(json) ? json : undefined;
}
