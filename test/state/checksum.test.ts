import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksumOf } from '../../src/state/format/log-entry.ts';

it('the checksum of a text is its CRC-32, as other programs compute it', () => {
  expect(checksumOf('')).toBe('00000000');
  expect(checksumOf('123456789')).toBe('cbf43926');
  expect(checksumOf('The quick brown fox jumps over the lazy dog')).toBe('414fa339');
});

it('the checksum notices every single bit that is flipped', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{1,200}$/), fc.nat(), fc.integer({ min: 0, max: 6 }), (text, at, bit) => {
      const index = at % text.length;
      const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
      expect(checksumOf(text.slice(0, index) + flipped + text.slice(index + 1))).not.toBe(checksumOf(text));
    }),
  );
});
