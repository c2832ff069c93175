// How iCalendar (RFC 5545) writes things: times, offsets, words and lines.

import { visibleText } from '../../../report/text/visible-values.ts';

const mostOctets = 75;

/** Epoch milliseconds as `20261123T090000Z`. */
export function utcTime(instant: number): string {
  return `${wallTime(instant)}Z`;
}

/** A wall time (the milliseconds of the same date and time in UTC) as `20261123T090000`. */
export function wallTime(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

/** Milliseconds as `+0530`, with seconds where there are any. */
export function utcOffset(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const digits = parts.map((part) => String(part).padStart(2, '0')).join('');
  return `${offset < 0 ? '-' : '+'}${digits.endsWith('00') ? digits.slice(0, 4) : digits}`;
}

/** A TEXT value: line breaks and the characters with a meaning escaped, and what nobody can see spelled out. */
export function escapeText(text: string): string {
  const lines = text.split(/\r\n|[\n\r]/).map(visibleText);
  return lines.map((line) => line.replaceAll(/[\\;,]/g, '\\$&')).join('\\n');
}

/** Lines of at most 75 octets; no character is cut in two. */
export function foldLine(line: string): string {
  const folded: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > mostOctets) {
      folded.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...folded, current].join('\r\n');
}

function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4;
}
