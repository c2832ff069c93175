import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUrl } from '../../../src/declare/formats/check-url.ts';
import { urlShape } from '../../../src/model/fields/patterns.ts';
import { invalidUrls, validUrls } from '../../support/property/odd-texts.ts';
import { runs } from '../../support/runs/runs.ts';

describe('checkUrl', () => {
  it.each(validUrls)('the URL %s is accepted', (value) => {
    expect(checkUrl(value)).toEqual([]);
    expect(value).toMatch(new RegExp(urlShape, 'u'));
  });

  it.each(invalidUrls)('the URL %j is refused: %s', (value, words) =>
    expect(checkUrl(value)).toMatchObject([{ code: 'invalid-url', message: expect.stringContaining(words) }]),
  );

  it.each([
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://ｅxample.com/', 'example.com'],
    ['http://example.com/{', '%7B'],
    ['http://example.com/ü', '%C3%BC'],
  ])('a URL check says what to write instead of %s', (value, words) =>
    expect(checkUrl(value)[0]?.hint).toContain(words),
  );

  it('a URL check accepts only what the platform reads as written and the pattern of the schema accepts', () => {
    const pieces =
      'http https : / // :// @ a example . .. 127 0 0x1 1 [ ] [::1] :: 80 65536 ? # % %41 %4 \\ ü xn-- - _ { ^ | " \u3002 \uff0e /..';
    const piece = fc.constantFrom(' ', '\t', "'", ...pieces.split(' '));
    const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
    const url = fc.oneof(
      text,
      text.map((rest) => `http://${rest}`),
      text.map((rest) => `https://example.com${rest}`),
    );
    fc.assert(
      fc.property(url, (value) => {
        if (checkUrl(value).length > 0) return;
        expect(value).toMatch(new RegExp(urlShape, 'u'));
        const read = new URL(value);
        const authority = /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)(?::([0-9]+))?/i.exec(value);
        const host = authority?.[1] ?? '';
        const isAscii = /^[!-~]*$/.test(host);
        if (!host.startsWith('[')) expect(read.hostname).toBe(isAscii ? host.toLowerCase() : domainToASCII(host));
        expect(host).toBe(host.normalize('NFKC'));
        if (read.port !== '') expect(read.port).toBe(authority?.[2]);
        expect(['http:', 'https:']).toContain(read.protocol);
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('a URL check accepts what a generator of URLs makes', () =>
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['http', 'https'] }),
        (value) => {
          expect([value, checkUrl(value)]).toEqual([value, []]);
        },
      ),
    ));

  it('a URL check answers quickly and briefly to hostile texts of 100 kB', () => {
    for (const piece of [' ', ...'a . : / @ [ % %4 - 1. 0 0x ä \\ a. http://'.split(' ')]) {
      for (const value of [piece, `http://${piece}`, `http://[${piece}`, `http://a:${piece}`, `http://${piece}@`]) {
        expect(JSON.stringify(checkUrl(value + piece.repeat(100_000))).length).toBeLessThan(1500);
      }
    }
  });
});
