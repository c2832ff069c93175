// The check `domain-of-everybody`: which domains belong to no company, and where they are named.

import { createRequire } from 'node:module';
import { parse } from 'tldts';
import { expect, test } from 'vitest';
import { plainSuffix } from '../../src/declare/domains-of-everybody.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';

async function found(config: object, table?: string, checks: object = {}) {
  const files = { 'almanac.yaml': JSON.stringify({ ...config, checks }), ...(table && { 'tenants.csv': table }) };
  const findings = await diagnosticsOf({ ...files, 'schedules/a.yaml': '{}\n' });
  return findings.filter(({ code }) => code === 'domain-of-everybody');
}

const domains: readonly (readonly [kind: string, domain: string, belongsToEverybody: boolean])[] = [
  ['a suffix of two parts', 'co.uk', true],
  ['a suffix of two parts in another country', 'com.br', true],
  ['a suffix for one purpose', 'gov.uk', true],
  ['a suffix of a region', 'kobe.jp', true],
  ['a suffix by a rule with a star', 'shop.ck', true],
  ['the exception to such a rule', 'www.ck', false],
  ['a suffix in letters of another script', '公司.cn', true],
  ['the same in ASCII', 'xn--55qx5d.cn', true],
  ['a domain below a suffix', 'acme.co.uk', false],
  ['a free provider', 'gmail.com', true],
  ['a free provider in capitals', 'GMail.com', true],
  ['a free provider of one country', 'web.de', true],
  ['a domain below a free provider', 'mail.gmail.com', false],
  ['the address of one tenant', 'acme.onmicrosoft.com', false],
  ['a suffix that no registry of ICANN has', 'github.io', false],
  ['a domain below .com', 'acme.com', false],
  ['a domain of a country', 'acme.de', false],
  ['a name that no registry has', 'acme.internal', false],
];

test.each(domains)('%s among the internal domains: %s belongs to everybody: %s', async (_, domain, isEverybodys) => {
  const findings = await found({ safety: { internalDomains: ['example.com', domain] } });
  expect(findings.map(({ severity, path }) => [severity, path])).toEqual(
    isEverybodys ? [['warning', '/safety/internalDomains/1']] : [],
  );
});

const judged = {
  safety: { internalDomains: ['example.com'], rows: { filters: ['customer'], allow: 'tenants.csv' } },
};

test.each(domains)('%s as a receiver of the table: %s belongs to everybody: %s', async (_, domain, isEverybodys) => {
  const lines = ['shows,receiver,everybody', `A,${domain},`, 'B,cfo@gmail.com,', `C,${domain}.,`, `D,${domain},yes`];
  const findings = await found(judged, `${lines.join('\n')}\n`);
  expect(findings.map(({ file, line }) => [file, line])).toEqual(isEverybodys ? [['tenants.csv', 2]] : []);
  expect(findings[0]?.message ?? 'of 1 other line').toContain('of 1 other line');
});

test.each(['cfo@co.uk', 'Board', 'C024BE91L', 'hooks.co.uk/north', 'north@files.co.uk', 'exports'])(
  'a receiver that is no whole domain is not judged: %s',
  async (receiver) => {
    expect(await found(judged, `shows,receiver\nA,${receiver}\n`)).toEqual([]);
  },
);

test('the check can be an error, and can be off', async () => {
  const config = { safety: { internalDomains: ['co.uk'] } };
  const severities = async (severity: string) =>
    (await found(config, undefined, { 'domain-of-everybody': severity })).map((each) => each.severity);
  expect(await severities('error')).toEqual(['error']);
  expect(await severities('off')).toEqual([]);
});

test('a table with such a domain is judged all the same, and another text than yes is an error', async () => {
  const files = (everybody: string) => ({
    'almanac.yaml': JSON.stringify(judged),
    'tenants.csv': `shows,receiver,everybody\nA,gmail.com,${everybody}\n`,
    'schedules/a.yaml': JSON.stringify({
      schedules: {
        a: {
          identifier: '12db1a0a',
          name: 'A',
          schedule: '0 9 ? * MON *',
          timezone: 'UTC',
          format: 'pdf',
          destinationType: 'email',
          recipients: ['cfo@gmail.com'],
          subject: 'A',
          filterConfig: { customer: { kind: 'EQUALS', type: 'string', values: ['B'] } },
        },
      },
    }),
  });
  const codesOf = async (everybody: string) => (await diagnosticsOf(files(everybody))).map(({ code }) => code);
  expect(await codesOf('')).toEqual(['rows-of-others', 'domain-of-everybody']);
  expect(await codesOf('yes')).toEqual(['rows-of-others']);
  expect(await codesOf('no')).toEqual(['rows-table']);
});

test('below .com, .net and .org the list of ICANN has no suffix, so it need not be read for these', () => {
  const { labelText, edgeLength } = createRequire(import.meta.url)('tldts/dist/cjs/src/data/trie.js') as {
    readonly labelText: string;
    readonly edgeLength: ArrayLike<number>;
  };
  let rest = labelText;
  const labels = Array.from(edgeLength, (length) => {
    const label = rest.slice(0, length);
    rest = rest.slice(length);
    return label;
  });
  expect(rest).toBe('');
  expect(labels).toContain('yokohama');
  const suffixes = labels.flatMap((label) =>
    ['com', 'net', 'org'].flatMap((top) => {
      expect(plainSuffix.test(`${label}.${top}`)).toBe(true);
      const { publicSuffix } = parse(`${label}.${top}`, { allowPrivateDomains: false, validateHostname: false });
      return publicSuffix === top ? [] : (publicSuffix ?? []);
    }),
  );
  expect(suffixes).toEqual([]);
});
