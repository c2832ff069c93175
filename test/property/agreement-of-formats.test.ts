// The texts of a declaration that have a grammar of their own: the parsers of the validator and of the emulator were
// written separately and must agree, or the validator is stricter where it says so.

import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkTimeZone } from '../../src/cron/check-time-zone.ts';
import { parseCron } from '../../src/cron/parse-cron.ts';
import { checkEmail } from '../../src/declare/formats/check-email.ts';
import { checkUrl } from '../../src/declare/formats/check-url.ts';
import { checkKeyPrefix } from '../../src/declare/rules/s3-destination.ts';
import { readCron } from '../../src/emulator/cron.ts';
import { holdsLogin, isEmailAddress, isHttpUrl, isTimeZone, leavesItsFolder } from '../../src/emulator/formats.ts';
import { emailShape, serverWithoutLogin, sftpAddress, urlShape } from '../../src/model/fields/patterns.ts';
import { codes } from '../../src/model/workspace/codes.ts';
import { runs } from '../support/runs/runs.ts';

const numRuns = runs(20_000);

/** Texts made of pieces, so that something that nearly holds comes up often. */
const madeOf = (pieces: readonly string[], separator = '', maxLength = 7) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((parts) => parts.join(separator));

test('the validator and the emulator agree on cron expressions', () => {
  const pieces =
    '0 1 5 9 12 23 31 32 59 60 00 07 1970 2026 2199 MON mon SAT JAN DEC L W # / - , * ? LW 15W 6L 2#1 */2 1-5'.split(
      ' ',
    );
  const field = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('*', '?', '1', '9', '2026', 'MON', '1-5', '*/2', '5-1', '1,2') },
    { weight: 2, arbitrary: madeOf(pieces, '', 4) },
  );
  const oddFields = [
    ...'60 000 0, ,0 0/0 0/60 0/ /5 0/5/5 1-2-3 1- -1 *-5 1.5'.split(' ').map((minute) => [minute, '?', 'MON']),
    ...'L LW 01W 28-3 L-3 L-0 L-30 L-31 L-03 L-003 L- l-3 L-3W L-3,1 L,15 15W,20 1-5W 32W W l 15w 0 32'
      .split(' ')
      .map((day) => ['0', day, '?']),
    ...'FRI-MON 2-6/2 friL 6l 2#6 2#0 #1 2#1,3#1 6L,2 6W MONDAY 0 8 ٢'.split(' ').map((day) => ['0', '?', day]),
    ...['* *', '? ?', '1 MON', '?,1 MON', '?/2 MON'].map((days) => ['0', ...days.split(' ')]),
  ];
  const odd = oddFields.map(([minute, dayOfMonth, dayOfWeek]) => `${minute} 9 ${dayOfMonth} * ${dayOfWeek} *`);
  const oddTexts = ['', 'cron(0 9 ? * MON *)', '@daily', ' 0 9 ? * MON *', '0  9 ? * MON *', '0\t9 ? * MON *'];
  const expression = fc.array(field, { minLength: 5, maxLength: 7 }).map((fields) => fields.join(' '));
  const likely = fc.tuple(
    ...['0', '9', '?', '*', 'MON', '*'].map((usual) => fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, field)),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        expression,
        likely.map((fields) => fields.join(' ')),
      ),
      (text) => {
        expect(readCron(text) !== undefined, text).toBe(parseCron(text).cron !== undefined);
      },
    ),
    { numRuns, examples: [...odd, ...oddTexts].map((text) => [text]) },
  );
});

test('the validator and the emulator agree on time zones', () => {
  const names = Intl.supportedValuesOf('timeZone');
  const odd =
    'PST ist SystemV/PST8 +05:30 UTC+2 Etc/Unknown US/Pacific-New Z EST EST5EDT Etc/GMT-14 Etc/GMT+12 Etc/GMT-15 GMT+0 Zulu NZ PRC W-SU US/Samoa';
  const name = fc.constantFrom(...names, ...odd.split(' '));
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toLowerCase(),
    (text) => text.slice(1),
    (text) => ` ${text}`,
    (text) => text.replace('/', '//'),
    (text) => `posix/${text}`,
    (text) => `${text}\n`,
  );
  fc.assert(
    fc.property(name, spelling, (given, spell) => {
      const text = spell(given);
      const { problem } = checkTimeZone(text);
      expect(isTimeZone(text), text).toBe(problem === undefined || codes[problem.code].severity !== 'error');
    }),
    { numRuns },
  );
});

test('a key prefix that the validator accepts is accepted by the emulator', () => {
  const pieces = '. .. / \\ %2e %2E %2f %5c %25 %u002e %c0%ae %e0%80%ae ; %00 ． ‥ ／ a 2e % 2 u002f \u200b'.split(' ');
  fc.assert(
    fc.property(madeOf([...pieces, ' ', '\t', '\0', '\u00a0']), (text) => {
      if (checkKeyPrefix(text).length === 0) expect(leavesItsFolder(text), JSON.stringify(text)).toBe(false);
    }),
    { numRuns },
  );
});

test('a URL that the validator accepts is accepted by the emulator and by an editor', () => {
  const pieces =
    'http https HTTP : // / @ user example . com [::1] 127.0.0.1 :80 :0 ? # %20 % \\ | ^ ü xn-- - _ & = " < 1 256 0x7f [ ]';
  const others = [' ', '\t', "'"];
  const start = fc.constantFrom('http://', 'https://', 'https://example.com', '');
  fc.assert(
    fc.property(start, madeOf([...pieces.split(' '), ...others]), (scheme, rest) => {
      const text = scheme + rest;
      if (checkUrl(text).length > 0) return;
      expect(isHttpUrl(text), text).toBe(true);
      expect(text).toMatch(new RegExp(urlShape, 'u'));
    }),
    { numRuns },
  );
});

test('an e-mail address that the validator accepts is accepted by the emulator and by an editor', () => {
  const pieces = [' ', "'", ...'ana @ @example.com . - _ + com example " , < > ü ! 1 [1.2.3.4]'.split(' ')];
  fc.assert(
    fc.property(
      fc.oneof(
        madeOf(pieces),
        madeOf(pieces).map((text) => `${text}@example.com`),
      ),
      (text) => {
        if (checkEmail(text).length > 0) return;
        expect(isEmailAddress(text), text).toBe(true);
        expect(text).toMatch(new RegExp(emailShape, 'u'));
      },
    ),
    { numRuns },
  );
});

test('an editor, the validator and the emulator agree on the addresses of SFTP servers, and what can be read is among them', () => {
  const pieces = ['sftp', 'a', 'ab-', '-', '_', '.', '1', '255', '256', '0x7f', ':', '::', 'db8', 'ffff', '01'];
  const others = ['/', '\\', '@', '#', '?', '%', ' ', '\n', '[', ']', 'ü', '／', '://', '\u0085', '\u2028'];
  const host = fc.oneof(madeOf(pieces, '', 15), madeOf([...pieces, ...others]), fc.ipV4(), fc.ipV6());
  const address = fc.tuple(
    fc.constantFrom('', 'sftp://', 'SFTP://', 'sftp:/', 'ftp://', 'sftp://u@'),
    fc.oneof(
      host,
      fc.ipV6().map((text) => `[${text}]`),
    ),
    fc.oneof(fc.constantFrom('', '/', '/in', ':22', ':22/in', '/in out/'), madeOf([...pieces, ...others])),
  );
  const [pattern, readable] = [new RegExp(serverWithoutLogin, 'u'), new RegExp(sftpAddress, 'u')];
  fc.assert(
    fc.property(
      fc.oneof(
        host,
        address.map((parts) => parts.join('')),
      ),
      (text) => {
        expect(pattern.test(text), text).toBe(text !== '' && !holdsLogin(text));
        expect(readable.test(text), text).toBe(isReadable(text));
        if (isReadable(text)) expect(pattern.test(text), text).toBe(true);
      },
    ),
    { numRuns },
  );
});

/** Whether a text is a host name (RFC 1123, with underscores) or an IP address, and nothing else. */
function isHost(text: string): boolean {
  // IPv6 with a zone, or with IPv4 at its end, means something else on each machine.
  if (isIP(text) !== 0) return isIP(text) === 4 || /^[^%.]*$/.test(text);
  const labels = text.split('.');
  const isLabel = (label: string) => /^\w[\w-]*$/.test(label) && !label.endsWith('-');
  return text.length <= 253 && labels.every(isLabel) && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
}

/** A second reading: a host alone, or sftp://HOST with or without a path. */
function isReadable(text: string): boolean {
  const rest = /^sftp:\/\/(?<rest>\P{Cc}+)$/iu.exec(text)?.groups?.['rest'];
  if (rest === undefined) return isHost(text);
  const [authority = ''] = rest.split('/');
  const ipv6 = /^\[(?<ipv6>.*)\]$/.exec(authority)?.groups?.['ipv6'];
  return ipv6 === undefined ? isHost(authority) && isIP(authority) !== 6 : isHost(ipv6) && isIP(ipv6) === 6;
}
