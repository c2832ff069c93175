import { expect, test } from 'vitest';
import { colourTheme, plainTheme, roles } from '../../src/report/text/theme.ts';
import { stripSgr } from '../support/report/strip-sgr.ts';

test('the plain theme leaves every text unchanged', () => {
  for (const role of roles) expect(plainTheme[role]('text')).toBe('text');
});

test('the colour theme adds SGR codes and nothing else', () => {
  for (const role of roles) {
    expect(colourTheme[role]('text')).not.toBe('text');
    expect(stripSgr(colourTheme[role]('text'))).toBe('text');
    expect(colourTheme[role]('')).toBe('');
  }
});

test('the outer style continues after an inner piece of text', () => {
  const nested = colourTheme.strong(`a ${colourTheme.error('b')} c`);
  expect(nested).toBe('\u001b[1ma \u001b[1;31mb\u001b[0m\u001b[1m c\u001b[0m');
});

test('a style never continues across a line end', () => {
  expect(colourTheme.dim('a\nb')).toBe('\u001b[2ma\u001b[0m\n\u001b[2mb\u001b[0m');
});
