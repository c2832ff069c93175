import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeZoneNames } from '../../src/cron/check-time-zone.ts';
import * as patterns from '../../src/model/fields/patterns.ts';
import { upTo } from '../../src/model/fields/shapes.ts';
import { runs } from '../support/runs/runs.ts';

const { interpolationOr, ...sources } = patterns;

/** Both readings of a source, since editors and ajv compile it with the flag `u` and others without. */
function matches(source: string, text: string): boolean {
  const plain = new RegExp(source).test(text);
  expect(new RegExp(source, 'u').test(text)).toBe(plain);
  return plain;
}

interface Table {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const arn = 'arn:aws:iam::123456789012:role';

const tables: Readonly<Record<keyof typeof sources, Table>> = {
  domain: {
    valid: ['acme.com', 'sub.acme.co.uk', 'xn--mnchen-3ya.de', 'münchen.de', 'Acme.COM'],
    invalid: ['', '@acme.com', '*.acme.com', 'https://acme.com', 'acme.com.', '.acme.com', 'a b.com', 'a..b'],
  },
  serverWithoutLogin: {
    valid: [
      ...['sftp', 'sftp.example.com', '2001:db8::1', '[2001:db8::1]', 'sftp://sftp.example.com', 'sftp://[::1]/a@b:1'],
      ...['a/b', '127.1', 'sftp.acme.com#x', 'ftp://a', 'a b', 'sftp:///in', 'a\\b', 'a/@b', '\n'],
    ],
    // What else it is not: test/property/agreement-of-formats.test.ts.
    invalid: [
      ...['a:22', 'a:', 'a:ssh', 'u@a', 'u:p@a', 'a#@b', 'a\\@b', 'a?@b/c', 'sftp://a:22/in', 'sftp://u@a'],
      ...['[::1]:22', 'sftp://[::1]:22/', 'sftp:/a', 'sftp:a', '[::1]@a'],
    ],
  },
  sftpAddress: {
    valid: [
      ...['sftp', 'sftp.example.com', 'sftp_1.example.com', '192.0.2.7', '2001:db8::1', '::', '1:2:3:4:5:6:7::'],
      ...[
        'sftp://sftp.example.com',
        'SFTP://a/',
        'sftp://192.0.2.7/in',
        'sftp://[2001:db8::1]/in/',
        'sftp://a/b c?d#e@f:1',
      ],
    ],
    // What else it is not: test/property/agreement-of-formats.test.ts.
    invalid: [
      ...['', 'sftp.example.', 'a/b', 'a:22', '127.1', '1::2::3', 'a\n', 'sftp://', 'sftp:///in', 'sftp:a', 'ftp://a'],
      ...[
        'sftp://a:22/in',
        'sftp://u@a',
        'sftp://u:p@a',
        'sftp://2001:db8::1',
        '[2001:db8::1]',
        'sftp://[a]',
        'sftp://127.1',
      ],
      ...['sftp://a\\b', 'sftp://a?b', 'sftp://a/b\n', ' sftp://a', 'sftp://a.', `sftp://${'a'.repeat(254)}`],
    ],
  },
  tokenVariable: {
    valid: ['OMNI_API_TOKEN', 'OMNI_API_KEY', 'OMNI_TOKEN', 'ALMANAC_KEY', 'OMNI_STAGING_TOKEN_2', 'ALMANAC_EU_KEY'],
    invalid: [
      ...['', 'TOKEN', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'OMNI_BASE_URL', 'OMNI_TOKENS', 'OMNI_MYTOKEN'],
      ...['OMNI__TOKEN', 'OMNI_TOKEN_', 'omni_token', 'ALMANAC_STATE_KEY', 'ALMANAC_STATE_TOKEN', 'MY_OMNI_TOKEN'],
      ...['OMNI_TOKEN,AWS_SECRET_ACCESS_KEY', 'OMNI_TOKEN\n'],
    ],
  },
  owner: {
    valid: [
      'bo@example.com',
      '987fcdeb-51a2-43d7-9b56-254415f67890',
      '987FCDEB-51A2-43D7-9B56-254415F67890',
      'VRyUNQ7i',
    ],
    invalid: ['', 'bo lindqvist', 'bo@example', 'bo@example.com, ana@example.com', 'bo.lindqvist', '@acme/finance'],
  },
  id: {
    valid: ['VRyUNQ7i', '987fcdeb-51a2-43d7-9b56-254415f67890', 'a_b-1', 'x'.repeat(128)],
    invalid: ['', ' a', 'a b', 'a/b', 'a.b', 'a@b', 'id:a', 'https://a', '${var.a}', 'x'.repeat(129), 'a\n'],
  },
  metaOwner: {
    valid: ['@acme/finance', 'ana@example.com', 'The finance team', 'a'],
    invalid: ['', ' a', 'a ', 'a, b', 'a*', 'a\nb'],
  },
  metaTag: { valid: ['board', 'month-end', 'cost:high', 'Übersicht'], invalid: ['', 'a b', 'a,b', 'b*', 'a\n'] },
  emailShape: {
    valid: ['ana@example.com', "o'hara+x@sub.example.co.uk", 'a@xn--mnchen-3ya.de', '.a@example.com', 'ä@münchen.de'],
    invalid: [
      ...['', 'ana', 'ana@', '@example.com', 'a@b@c.com', 'ana@localhost', 'ana @example.com', 'Ana <a@b.com>'],
      ...['a@b.com,c@d.com', 'a@b.com;c', 'a@b..com', 'a@b.com.', 'a@b.com\n', '\ta@b.com', 'a@b.c\u00a0om'],
    ],
  },
  urlShape: {
    valid: [
      ...['http://a', 'http://münchen.de/', 'HTTPS://Example.com:8443/x?y=z#w', 'https://u:p@example.com/'],
      ...['http://[::1]:80/x', 'http://127.0.0.1', 'http://a?x', 'http://a#x', 'https://example.com./'],
    ],
    invalid: [
      ...[
        '',
        'example.com',
        'ftp://example.com',
        'http:/example.com',
        'http://',
        'http://?x',
        'http://:80/',
        'http://a:/',
      ],
      ...['http://a:80x/', 'http://a b/', 'http://a\\b', 'http://a/\n', ' http://a', 'http://u@/', 'http://[::1'],
      'javascript:alert(1)//http://a',
    ],
  },
  sharedShape: {
    valid: ['12db1a0a', '12db1a0a/Jmn2r3KV', 'sales overview/1'],
    invalid: ['', '/', '12db1a0a/', '/Jmn2r3KV', '12db1a0a/1/2', 'https://acme.omniapp.co/dashboards/12db1a0a'],
  },
  identifierShape: {
    valid: ['12db1a0a', 'a b', '\u00e4', ''],
    invalid: ['https://acme.omniapp.co/', 'a/b', 'a:b', '/'],
  },
  bucketName: {
    valid: ['abc', 'my.bucket-1', '0'.repeat(63), '---', '...'],
    invalid: ['', 'ab', 'a'.repeat(64), 'Abc', 'a_b', 'a/b', 'abc\n', ' abc', 'bücket', 's3://abc'],
  },
  arn: {
    valid: [
      ...[`${arn}/r`, 'arn:aws:iam:::role/r', 'arn:aws:s3:::acme', 'arn:aws:sns:eu-west-1:123456789012:topic:sub'],
      ...['arn:a:b:::c', 'arn:aws:iam::omni:role/a b\n'],
    ],
    invalid: [
      ...['', 'arn', 'omni', 'role/omni', 'arn:', 'arn:::::', 'arn:aws:iam::role/r', 'arn:aws:iam::123456789012:'],
      ...['arn::iam:::role/r', 'arn:aws::::role/r', 'ARN:aws:iam:::role/r', ' arn:aws:iam:::role/r', 'urn:aws:iam:::r'],
    ],
  },
  roleArn: {
    valid: [
      ...[`${arn}/r`, `${arn}/path/to/r`, `${arn}/!~/r`, `${arn}/${'p'.repeat(510)}/${'r'.repeat(64)}`],
      ...['arn:aws-cn:iam::123456789012:role/a+=,.@_-Z9', 'arn:aws-iso-b:iam::000000000000:role/service-role/x'],
    ],
    invalid: [
      ...['', arn, `${arn}/`, `${arn}/${'r'.repeat(65)}`, `${arn}/${'p'.repeat(511)}/r`, `${arn}/a b/r`, `${arn}/r\n`],
      ...[
        `${arn}/r*`,
        `${arn}/p/`,
        `${arn}/ré`,
        'arn:aws:iam::12345678901:role/r',
        'arn:aws:iam::1234567890123:role/r',
      ],
      ...['arn:aws:iam:us-east-1:123456789012:role/r', 'arn:aws:iam::123456789012:user/r', 'arn:aws:sts::1:role/r/s'],
      ...['arn:AWS:iam::123456789012:role/r', 'arn:aws-:iam::123456789012:role/r', 'arn:aws:iam::12345678901١:role/r'],
    ],
  },
  uuid: {
    valid: ['987fcdeb-51a2-43d7-9b56-254415f67890', '987FCDEB-51A2-03D7-FB56-254415F67890'],
    invalid: [
      ...['', '987fcdeb51a243d79b56254415f67890', '{987fcdeb-51a2-43d7-9b56-254415f67890}'],
      ...['987fcdeb-51a2-43d7-9b56-254415f6789', '987fcdeb-51a2-43d7-9b56-254415f678901'],
      ...['987fcdeb-51a2-43d7-9b56-254415f6789g', '987fcdeb-51a2-43d7-9b56-254415f67890\n'],
    ],
  },
  resourceKey: {
    valid: ['a', 'weekly-sales', 'A_1', `a${'b'.repeat(63)}`],
    invalid: ['', '1a', '-a', '_a', 'a.b', 'a b', `a${'b'.repeat(64)}`, 'ä', 'a\n', '__proto__', '*'],
  },
  itemKey: {
    valid: ['a', 'emea', '4711', 'A_1', '0-a', `1${'b'.repeat(63)}`],
    invalid: ['', '-a', '_a', 'a.b', 'a b', `a${'b'.repeat(64)}`, 'ä', 'a\n', '__proto__', '*', '${var.a}'],
  },
  address: {
    valid: ['schedules.weekly-sales', 'dashboards.a', 'aiJobs.q3_summary', 'schedules.a.b', 'schedules.a.4711'],
    invalid: [
      ...['', 'schedules', 'schedules.', 'schedule.a', 'aijobs.a', 'schedules.1', 'schedules.a.', 'schedules.a._b'],
      ...['schedules.a.b.c', 'schedules.1.a', ' schedules.a', 'schedules.a\n', 'schedules/a', 'defaults.a'],
    ],
  },
  adoptableAddress: {
    valid: ['schedules.a', 'schedules.a.b'],
    invalid: ['dashboards.a', 'aiJobs.a', 'schedules.', 'a'],
  },
  oneSlackChannel: {
    valid: ['C0123456789', '#general', 'G1'],
    invalid: ['', ' ', ',', 'C1,C2', 'C1, C2', 'C1 C2', ' C1', 'C1 ', 'C1\n', 'C1,'],
  },
  slackUsers: {
    valid: ['U1', 'U1,U2', 'U1, U2', ' U1 , U2 ', 'U1,,U2', 'U1,', ',U1'],
    invalid: ['', ' ', ',', ' , ', 'U1 U2', 'U1,U2 U3'],
  },
  literalText: {
    valid: ['', 'production', '$', '$$', '$a{', 'a$ {', '{', '$}'],
    invalid: ['${x}', 'a${x}', '$$${x}', '$${x}', '${'],
  },
  withoutReferences: {
    valid: ['', '$', '$x', '$${x}', '$$${x}'],
    invalid: ['a${x}b', '$${a}${b}', '${', 'a\n${b}\nc'],
  },
  references: {
    valid: [
      ...[
        '',
        'a',
        '$',
        '$${',
        '$$${x}',
        '${var.a}',
        '${var. a b }',
        '${file.a/b c.md}',
        '${each.key}',
        '${audience.a-b}',
      ],
      ...['a ${env.A_1}${var.b} c', '\n${var.x}\n', '${file.$a}', '$${ ${var.x}', '$${${var.x}'],
    ],
    invalid: [
      ...[
        '${',
        '${var.a',
        '${}',
        '${a}',
        '${foo.bar}',
        '${Var.a}',
        '${ var.a }',
        '${var.}',
        '${var.a\n}',
        '$$${var.x} ${',
      ],
      ...['${env.1}', '${env.a-b}', '${each.a }', '${file. a}', '${var.${var.a}}', '${each.${b}', '${var.a} ${b}'],
    ],
  },
  holdingReferences: {
    valid: ['${var.a}', 'a ${env.A_1}${var.b} c', '$${ ${var.x}', '\n${var.x}\n'],
    invalid: ['', 'a', '$${var.a}', '${', '${foo.bar}', '${var.a} ${b}'],
  },
  zoneShape: {
    valid: [...timeZoneNames(), 'europe/london', 'gmt-0', ''],
    invalid: ['+02:00', '-5', 'UTC+1', 'utc-3', 'GMT+2', 'GMT-00', ' UTC', 'Europe/London ', '2', 'GMT+0 '],
  },
  // What else it matches: the scan from left to right below.
  interpolation: { valid: ['a${x}b', '$${a}${b}', '${', 'a\n${b}\nc'], invalid: ['', '$', '$x', '$${x}', '$$${x}'] },
  // What else it matches: test/cron/parse-cron.test.ts.
  cronShape: {
    valid: ['0 9 ? * MON *', '0/15 8-17 ? * MON-FRI *', '0 0 LW * ? *', '0 0 ? * fri#5 *', '0 0 1 2 ? 2000/2199'],
    invalid: ['', '* * * * *', ' 0 9 ? * MON *', '0 9 ? * MON *\n', '0,,1 9 ? * MON *', '?,1 9 * * ? *'],
  },
};

describe.each(Object.entries(tables))('%s', (name, { valid, invalid }) => {
  const source = sources[name as keyof typeof sources];

  it.each([...valid, ...invalid])(`the pattern ${name} matches what is valid, and nothing else: %j`, (text) => {
    expect(matches(source, text)).toBe(valid.includes(text));
  });

  it(`the pattern ${name} is anchored, looks at nothing behind it, and means the same with and without the flag u`, () => {
    expect(source.startsWith('^') && source.endsWith('$')).toBe(true);
    expect(source).not.toMatch(/\(\?<[=!]/);
    const random = fc.string({ unit: 'binary' });
    const longer = fc.tuple(fc.constantFrom(...valid), random).map(([text, more]) => text + more);
    fc.assert(fc.property(fc.oneof(random, longer), (text) => void matches(source, text)));
  });

  it(`the pattern ${name} answers quickly to hostile texts of 100 kB`, () => {
    // Whatever takes more than linear time takes minutes at this size; the limit is far from both.
    const pieces = new Set([...valid, ...invalid].flatMap((text) => [text, ...text, text.slice(0, 2), text.slice(-2)]));
    for (const piece of pieces) {
      if (piece === '' || piece.length > 60) continue;
      const long = piece.repeat(100_000 / piece.length);
      for (const text of [long, `${long}\n`, `${valid[0]}${long}`, `${long}${valid[0]}`, `${valid[0]}${long}\u0000`])
        new RegExp(source, 'u').test(text);
    }
  });
});

it.each([
  ['${var.ID}', true],
  ['987fcdeb-51a2-43d7-9b56-254415f67890', true],
  ['$${var.ID}', false],
  ['x987fcdeb-51a2-43d7-9b56-254415f67890', false],
])('a pattern, or a text that still has to be interpolated, matches %j: %s', (text, expected) => {
  expect(matches(interpolationOr(sources.uuid), text)).toBe(expected);
});

it('a text of at most so many characters may be interpolated, and its words say how many', () => {
  const { shape, words } = upTo(2_000, { words: 'A name.' });
  expect(words).toBe('A name. At most 2,000 characters.');
  const texts = ['a', ' ', 'two\nlines', 'ä'.repeat(2_000), '', 'a'.repeat(2_001)];
  expect(texts.map((text) => matches(shape.pattern, text))).toEqual([true, true, true, true, false, false]);
  expect(matches(upTo(2_000, { words: 'A name.' }, 0).shape.pattern, '')).toBe(true);
});

it('alternatives of a pattern stay separate from what has to be interpolated', () => {
  expect(['b', 'ab'].map((text) => matches(interpolationOr('^a$|^b$'), text))).toEqual([true, false]);
});

it('the interpolation pattern agrees with a scan from left to right, in which `$${` is one escape', () => {
  const holdsInterpolation = (text: string): boolean => {
    for (let index = 0; index < text.length; index += 1) {
      if (text.startsWith('$${', index)) index += 2;
      else if (text.startsWith('${', index)) return true;
    }
    return false;
  };
  const text = fc.string({ unit: fc.constantFrom('$', '{', '}', 'x', '\n') });
  fc.assert(
    fc.property(text, (value) => {
      expect(matches(sources.interpolation, value)).toBe(holdsInterpolation(value));
    }),
    { numRuns: runs(5000) },
  );
});
