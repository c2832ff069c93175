// Random YAML texts, right and wrong ones: documents in every style, loose fragments, and real texts with a few edits.

import fc from 'fast-check';

/** A value, or what stands for it, in a way of writing. */
type Written =
  | { readonly as: 'text'; readonly text: string; readonly comment: string }
  | { readonly as: 'block'; readonly header: string; readonly lines: readonly string[] }
  | { readonly as: 'flow'; readonly text: string }
  | { readonly as: 'list'; readonly anchor: string; readonly items: readonly Written[] }
  | { readonly as: 'map'; readonly anchor: string; readonly pairs: readonly (readonly [string, Written])[] };

const scalars = [
  ...['', '~', 'null', 'true', 'False', 'yes', 'on', '0', '-1', '1.5', '0.5', '12e10945x'],
  ...['1_000', '--', '-.', '+', '2026-01-01', '12:30', 'a', 'a b', 'a:b', 'a #b', 'a#b', '${env.X}', 'a\n  b'],
  ...["'a'", "'it''s'", "''", '"a"', '"\\u00e9\\n"', '"\\x24{env.X}"', '"a\\\n  b"', '0 9 ? * MON *', '&x 1', '*x'],
  ...['ü', '\u2028', '😀', '-a', '?a', ':a', 'a?', '${each.a}-b'],
];
const oddScalars = [
  ...[
    '017',
    '-0',
    '+1',
    '1.50',
    '.5',
    '5.',
    '1e3',
    '0x1F',
    '0o17',
    '09',
    '.inf',
    '-.INF',
    '.nan',
    '12e10945',
    '9007199254740993',
    '-',
    'a: b',
    '&x',
    '*y',
    '!!str 1',
    '"',
    "'a",
  ],
  ...['"\\U00110000"', '[', '{', '* * * * *', '@a', '`', '%a', '\u0000', '\ufeff', '- a', '? a', '|', '>', 'a\tb'],
];
const keys = 'a b c d e schedules dashboards audiences forEach << "<<" __proto__ x/y~z'.split(' ');
const oddKeys = [
  ...['<<', '$secret', "'q'", '"q\\n"', '1', 'true', '~', '', '[a]', '&k a', '*x', '? a', 'constructor', 'a b'],
];
/** The odd ones are rare, because most of them make a mistake of the whole document. */
const oneOf = (usual: readonly string[], odd: readonly string[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
const flows = [
  ...['[]', '{}', '[a, 1]', '[a, {b: c}]', '{a: 1, b}', '{a: [1, 2], "b": null}', '[a,\n  b]', '{<<: *x, a: 1}'],
];
const comments = ['', '', '', ' # note', '\n# a line of its own', '\n', ' '];
const anchors = ['', '', '', '', '&x', '&y'];

const scalar = fc
  .tuple(oneOf(scalars, oddScalars), fc.constantFrom(...comments))
  .map(([text, comment]): Written => ({ as: 'text', text, comment }));
const block = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-', '>+', '|+', '|2', '| # note'),
    fc.array(fc.constantFrom('a', ' b', '', '# c', 'd: e', '${env.X}'), { maxLength: 3 }),
  )
  .map(([header, lines]): Written => ({ as: 'block', header, lines }));
const merge: readonly [string, Written] = ['<<', { as: 'flow', text: '*x' }];

const flow = fc.constantFrom(...flows).map((text): Written => ({ as: 'flow', text }));

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: block },
    { weight: 1, arbitrary: flow },
    {
      weight: 2,
      arbitrary: fc.record({
        as: fc.constant('list' as const),
        anchor: fc.constantFrom(...anchors),
        items: fc.array(tie('value'), { maxLength: 3 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        as: fc.constant('map' as const),
        anchor: fc.constantFrom(...anchors),
        pairs: fc.uniqueArray(
          fc.oneof(
            { weight: 15, arbitrary: fc.tuple(oneOf(keys, oddKeys), tie('value')) },
            { weight: 1, arbitrary: fc.constant(merge) },
          ),
          { maxLength: 4, selector: ([key]) => key },
        ),
      }),
    },
  ),
}));

/** `indent`: of what stands on lines of its own. */
function textOf(written: Written, indent: string): string {
  const own = `\n${indent}`;
  switch (written.as) {
    case 'text':
      return ` ${written.text.replaceAll('\n', own)}${written.comment.replaceAll('\n', own)}`;
    case 'flow':
      return ` ${written.text.replaceAll('\n', own)}`;
    case 'block':
      return ` ${written.header}${written.lines.map((line) => own + line).join('')}`;
    case 'list':
      return ` ${written.anchor}${written.items.map((item) => `${own}-${textOf(item, `${indent}  `)}`).join('')}`;
    case 'map':
      return ` ${written.anchor}${written.pairs.map(([key, of]) => `${own}${key}:${textOf(of, `${indent}  `)}`).join('')}`;
  }
}

/** Before the first key of a map: with and without an anchor for the aliases below it. */
const heads = [
  ...['', 'top: &x {a: 1, top: 2}\n', 'top: &x\n  a: [b]\n<<: *x\n', '# top\n', '\n', '...\n', '%YAML 1.2\n---\n'],
];

function documentOf(head: string, of: Written, isFirst: boolean): string {
  const text = textOf(of, '');
  const isBare = of.as === 'map' && of.anchor === '' && of.pairs.length > 0;
  return isBare ? `${isFirst ? '' : '---\n'}${head}${text.slice(2)}\n` : `---${text}\n`;
}

const wholeText = fc
  .array(fc.tuple(fc.constantFrom(...heads), value), { minLength: 1, maxLength: 2 })
  .map((documents) => documents.map(([head, of], index) => documentOf(head, of, index === 0)).join(''));

const pieces = [
  ...[...scalars, ...oddScalars, ...keys, ...oddKeys, ...flows],
  ...[
    ':',
    ': ',
    ',',
    ']',
    '}',
    '\n',
    '\n  ',
    '\n    ',
    ' ',
    '\t',
    '- ',
    '? ',
    '\r\n',
    '\r',
    '---\n',
    '...\n',
    '#',
    ' #',
  ],
  ...['|\n', '>-\n', '|2\n', '&a ', '*a ', '<<: ', 'schedules:\n', 'forEach:\n', '!', '\\', '"', "'"],
];

const fragments = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));

interface Edit {
  readonly at: number;
  readonly cut: number;
  readonly piece: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.constantFrom(0, 0, 1, 2, 10),
  piece: fc.constantFrom('', ...pieces),
});

function edited(text: string, { at, cut, piece }: Edit): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + piece + text.slice(start + cut);
}

/** `real`: texts to make mistakes in. */
export function yamlTexts(real: readonly string[]): fc.Arbitrary<string> {
  const mutated = fc
    .tuple(fc.constantFrom(...real), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) => edits.reduce(edited, text));
  return fc.oneof(
    { weight: 4, arbitrary: wholeText },
    { weight: 3, arbitrary: fragments },
    { weight: 3, arbitrary: mutated },
  );
}
