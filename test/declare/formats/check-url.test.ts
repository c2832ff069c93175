import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUrl } from '../../../src/declare/formats/check-url.ts';
import { isHttpUrl } from '../../../src/emulator/requests.ts';
import { urlShape } from '../../../src/model/fields/patterns.ts';
import { runs } from '../../support/runs/runs.ts';

const label63 = 'h'.repeat(63);

const valid = [
  'http://a',
  'https://example.com',
  'HTTPS://EXAMPLE.COM/',
  'https://example.com./hook',
  'https://example.com:1/',
  'https://example.com:65535/',
  'https://example.com/a/b/../c/%20/x;y=z,w?q=1&r=(a)%2F#frag',
  "https://example.com/?q='x'&filter[name]=y",
  'https://example.com?x',
  'https://example.com#x',
  'https://example.com//double//slashes',
  'https://example.com/a@b:c',
  'https://user:p%40ss@example.com/',
  'https://user@example.com/',
  'http://localhost:3000/hook',
  'http://my_service.internal/',
  'http://127.0.0.1/',
  'http://255.255.255.255/',
  'http://0.0.0.0/',
  'http://1.example/',
  'http://0x.example/',
  'http://[::1]/',
  'http://[2001:DB8::1]:8080/x',
  'http://[::ffff:192.0.2.1]/',
  'http://[1:2:3:4:5:6:7:8]/',
  'https://xn--mnchen-3ya.de/',
  'https://bücher.example/in?x=1',
  'https://用户.例子.example:8443/',
  `https://${label63}.example/`,
  `https://${label63}.${label63}.${label63}.${'h'.repeat(61)}/`,
];

const invalid = [
  ['', 'empty'],
  [' ', 'empty'],
  ['example.com', 'does not begin'],
  ['example.com:8080/x', 'does not begin'],
  ['/hook', 'does not begin'],
  ['//example.com/', 'does not begin'],
  ['mailto:a@example.com', 'does not begin'],
  ['javascript:alert(1)', 'does not begin'],
  ['ftp://example.com/', '`ftp:`'],
  ['file:///etc/passwd', '`file:`'],
  ['httpss://example.com', '`httpss:`'],
  ['http:example.com', 'no slash'],
  ['http:/example.com', 'one slash'],
  ['http:///example.com', 'no host'],
  ['http:////example.com', 'no host'],
  ['http://', 'no host'],
  ['http://?x', 'no host'],
  ['http://#x', 'no host'],
  ['http://:80/', 'no host'],
  ['http://user@/', 'no host'],
  ['http://user@:80/', 'no host'],
  ['http://@example.com/', 'no user'],
  ['http://:@example.com/', 'no user'],
  ['http://a@b@example.com/', 'contains `@`'],
  ['http://us er@example.com/', 'a space'],
  ['http://user[@example.com/', 'contains `[`'],
  ['http://user%4@example.com/', '`%4`'],
  ['http:\\\\example.com', '`\\`'],
  ['http://example.com\\@evil.com/', '`\\`'],
  ['http://example.com/a\\b', '`\\`'],
  [' http://example.com', 'a space'],
  ['http://example.com ', 'a space'],
  ['http://example.com/a b', 'a space'],
  ['http://exam\nple.com', 'U+000A'],
  ['http://example.com/\t', 'U+0009'],
  ['ht\ntp://example.com', 'U+000A'],
  ['http://example.com/\r\nX-Header: 1', 'U+000D'],
  ['http://example.com/\u0000', 'U+0000'],
  ['http://example.com/\u200b', 'U+200B'],
  ['\ufeffhttp://example.com/', 'U+FEFF'],
  ['http://example.com/\u00a0', 'U+00A0'],
  ['http://example.com/\ud800', 'U+D800'],
  ['http://１２７.0.0.1/', 'beyond ASCII'],
  ['http://exa\u{e0100}mple.com/', 'beyond ASCII'],
  ['http://ｅxample.com/', 'beyond ASCII'],
  ['http://example。com/', 'beyond ASCII'],
  ['http://ex%61mple.com/', 'host names cannot have'],
  ['http://%31%32%37.0.0.1/', 'IPv4'],
  ['http://example..com/', 'empty part'],
  ['http://.example.com/', 'empty part'],
  ['http://example.com../', 'empty part'],
  ['http://./', 'empty part'],
  ['http://-a.example/', 'hyphen'],
  ['http://a-.example/', 'hyphen'],
  ['http://a*b.example/', 'host names cannot have'],
  ['http://a,b.example/', 'host names cannot have'],
  ['http://<host>/', 'host names cannot have'],
  ['http://{{host}}/', 'host names cannot have'],
  [`http://${'h'.repeat(64)}.example/`, '64 characters'],
  [`https://${label63}.${label63}.${label63}.${'h'.repeat(62)}/`, '254 characters'],
  ['http://127.1/', 'IPv4'],
  ['http://2130706433/', 'IPv4'],
  ['http://0x7f000001/', 'IPv4'],
  ['http://0x7f.0.0.1/', 'IPv4'],
  ['http://0177.0.0.1/', 'IPv4'],
  ['http://127.0.0.01/', 'IPv4'],
  ['http://127.0.0.0x1/', 'IPv4'],
  ['http://127.0.0.0x/', 'IPv4'],
  ['http://127.0.0.1./', 'IPv4'],
  ['http://256.0.0.1/', 'IPv4'],
  ['http://1.2.3/', 'IPv4'],
  ['http://1.2.3.4.5/', 'IPv4'],
  ['http://example.1/', 'IPv4'],
  ['http://0/', 'IPv4'],
  ['http://[::1/', 'IPv6'],
  ['http://[]/', 'IPv6'],
  ['http://[::1]x/', 'IPv6'],
  ['http://[::1%25eth0]/', 'IPv6'],
  ['http://[v1.x]/', 'IPv6'],
  ['http://[1:2:3]/', 'IPv6'],
  ['http://[1::2::3]/', 'IPv6'],
  ['http://[12345::]/', 'IPv6'],
  ['http://[::1.2.3]/', 'IPv6'],
  ['http://[1.2.3.4]/', 'IPv6'],
  ['http://::1/', 'no host'],
  ['http://example.com:/', 'no port'],
  ['http://example.com:0/', 'not a port'],
  ['http://example.com:080/', 'not a port'],
  ['http://example.com:65536/', 'not a port'],
  ['http://example.com:100000/', 'not a port'],
  ['http://example.com:80a/', 'not a port'],
  ['http://example.com:-1/', 'not a port'],
  ['http://example.com:８０/', 'not a port'],
  ['http://a:80:90/', 'not a port'],
  ['http://example.com/<x>', 'contains `<`'],
  ['http://example.com/"x"', 'contains `"`'],
  ['http://example.com/{id}', 'contains `{`'],
  ['http://example.com/a|b', 'contains `|`'],
  ['http://example.com/^', 'contains `^`'],
  ['http://example.com/`', "contains `'`"],
  ['http://example.com/ü', 'contains `ü`'],
  ['http://example.com/?q=100%', '`%`'],
  ['http://example.com/%zz', '`%zz`'],
  ['http://example.com/%2', '`%2`'],
] as const;

describe('checkUrl', () => {
  it.each(valid)('the URL %s is accepted', (value) => {
    expect(checkUrl(value)).toEqual([]);
    expect(value).toMatch(new RegExp(urlShape, 'u'));
  });

  it.each(invalid)('the URL %j is refused: %s', (value, words) =>
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
    const piece = fc.constantFrom(
      'http',
      'https',
      ':',
      '/',
      '//',
      '://',
      '@',
      'a',
      'example',
      '.',
      '..',
      '127',
      '0',
      '0x1',
      '1',
      '[',
      ']',
      '[::1]',
      '::',
      '80',
      '65536',
      '?',
      '#',
      '%',
      '%41',
      '%4',
      '\\',
      ' ',
      '\t',
      'ü',
      'xn--',
      '-',
      '_',
      '{',
      '"',
      '\u3002',
      '\uff0e',
      '/..',
      "'",
    );
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

  it('an internationalised host is as valid the ten-thousandth time as the first', () => {
    const url = 'https://bücher.example/hook';
    const verdicts = Array.from({ length: 20_000 }, () => checkUrl(url).length === 0 && isHttpUrl(url));
    expect(verdicts.indexOf(false)).toBe(-1);
  });

  it('a URL check answers quickly and briefly to hostile texts of 100 kB', () => {
    for (const piece of [
      'a',
      '.',
      ':',
      '/',
      '@',
      '[',
      '%',
      '%4',
      '-',
      '1.',
      '0',
      '0x',
      'ä',
      '\\',
      ' ',
      'a.',
      'http://',
    ]) {
      for (const value of [piece, `http://${piece}`, `http://[${piece}`, `http://a:${piece}`, `http://${piece}@`]) {
        expect(JSON.stringify(checkUrl(value + piece.repeat(100_000))).length).toBeLessThan(1500);
      }
    }
  });
});
