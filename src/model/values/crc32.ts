// CRC-32 (IEEE 802.3), as ZIP and the lines of a state have it. Node's own is younger than the oldest Node that runs this.

const polynomial = 0xedb88320;

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? polynomial : 0);
  return remainder;
});

export function crc32(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ -1) >>> 0;
}
