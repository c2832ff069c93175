import { describe, expect, it } from 'vitest';
import { parseDigests } from '../../src/commands/apply/apply.ts';

const [first, second] = ['a'.repeat(64), '0123456789abcdef'.repeat(4)];

describe('a list of digests', () => {
  it.each([
    ['one a line', `${first}\n${second}\n`],
    ['without a newline at the end', `${first}\n${second}`],
    ['with the line ends of Windows', `${first}\r\n${second}\r\n`],
    ['with blank lines and the same digest twice', `\n${first}\n  \n${second}\n\t\n${first}\n\n`],
  ])('a list %s is read', (_, text) => {
    expect([...parseDigests(text, 'reviewed.txt')]).toEqual([first, second]);
  });

  it('an empty list holds nothing', () => {
    expect(parseDigests('', 'reviewed.txt').size).toBe(0);
    expect(parseDigests('\n \r\n', 'reviewed.txt').size).toBe(0);
  });

  it.each([
    ['a text', 'schedules.a', 1],
    ['a digest in upper case', first.toUpperCase(), 1],
    ['a digest that is cut short', first.slice(0, 63), 64],
    ['a digest that is too long', `${first}a`, 65],
    ['a digest with a comment', `${first} # schedules.a`, 65],
    ['an indented digest', ` ${first}`, 1],
    ['two digests on a line', `${first} ${second}`, 65],
  ])('%s is an error with its file, line and column', (_, line, column) => {
    expect(() => parseDigests(`${second}\n\n${line}\n`, 'reviewed.txt')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `reviewed.txt:3:${column}: This line is not the digest of a change.`,
        hint: expect.stringContaining('one digest a line'),
      }),
    );
  });
});
