// The XML of S3 is read strictly: what is not of its form is refused, and never half read.

import { expect, test } from 'vitest';
import { childText, readXml } from '../../src/adapters/state/s3/read-xml.ts';

test('elements, attributes, entities and empty elements are read', () => {
  const element = readXml(
    '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<A xmlns="http://a/" b=\'c\'>\n <Key>a&amp;b&lt;&gt;&quot;&apos;&#228;&#x1F4C5;</Key>\n <E/><F x="/>" />\n</A>\n',
  );
  expect(element?.name).toBe('A');
  expect(element?.children.map(({ name }) => name)).toEqual(['Key', 'E', 'F']);
  expect(childText(element, 'Key')).toBe('a&b<>"\'ä📅');
  expect(childText(element, 'E')).toBe('');
});

test('a text is kept with its spaces, and decoded once', () => {
  expect(childText(readXml('<A><K> &amp;amp; </K></A>'), 'K')).toBe(' &amp; ');
});

test('a child that occurs twice has no text', () => {
  expect(childText(readXml('<A><K>1</K><K>2</K></A>'), 'K')).toBeUndefined();
});

test.each([
  '',
  'text',
  '<A>',
  '<A></B>',
  '</A>',
  '<A/><B/>',
  '<A/>text',
  '<A><B>text</A></B>',
  '<A>text<B/></A>',
  '<A>&unknown;</A>',
  '<A>&</A>',
  '<A>&#0;</A>',
  '<A>&#xD800;</A>',
  '<A>&#x110000;</A>',
  '<!DOCTYPE A [<!ENTITY x "y">]><A>&x;</A>',
  '<A><!-- comment --></A>',
  '<A><![CDATA[x]]></A>',
  '<A><?php x ?></A>',
  '<A b=c/>',
  '<A b="<"/>',
  '<A></A/>',
  '<A'.repeat(3),
  '<A>'.repeat(40) + '</A>'.repeat(40),
])('%j is refused', (text) => {
  expect(readXml(text)).toBeUndefined();
});

test('a long and hostile text is refused in no time', () => {
  const started = performance.now();
  for (const text of [
    `<A${' a="b"'.repeat(50_000)}`,
    `<A${' '.repeat(100_000)}x`,
    '<'.repeat(100_000),
    '&'.repeat(100_000),
  ])
    expect(readXml(text)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(2000);
});
