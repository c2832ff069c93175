// A page with --mask-recipients holds no address and no Slack id. Anybody may read such a page: wherever somebody wrote
// one, its bytes lack it. No page has an element that is not its own.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostileMarkup, hostileMarkupText } from '../support/report/hostile-markup.ts';
import { runs } from '../support/runs/runs.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const address = fc.constantFrom('ana.ruiz@acme.com', 'Bo+x@Partner.com', 'eva@xn--mnchen-3ya.de', 'o’neil@acme.com');
const slackId = fc.constantFrom('C0123456789', 'U0ABCDEF123', 'W012A3CDE', 'D024BE91L', 'GABC1DEF2');
const planted = fc.oneof(address, slackId);
/** A text that has them anywhere, glued to other letters too. */
const text = fc
  .array(fc.oneof(planted, hostileMarkupText, fc.constantFrom(' ', ',', 'x', '-', '_', '<', '"', '.')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join('').trim() || 'x');
const word = text.map((each) => each.replaceAll(/[\s,*]/g, '') || 'x');

const declaration = fc.record({
  name: text,
  note: text,
  owner: word,
  tag: word,
  filter: text,
  value: text,
  identifier: word,
});

type Written = typeof declaration extends fc.Arbitrary<infer T> ? T : never;

function filesOf({ name, note, owner, tag, filter, value, identifier }: Written) {
  const common = {
    name,
    identifier: identifier.replaceAll(/[/?#:]/g, '-'),
    schedule: '0 9 ? * MON *',
    timezone: 'Europe/London',
    format: 'csv',
    filterConfig: { [filter]: { values: [value] } },
    meta: { owner, tags: [tag], note },
    owner: 'ana.ruiz@acme.com',
  };
  const slack = { ...common, destinationType: 'slack', textBody: note };
  return {
    'almanac.yaml': {
      api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' },
      safety: { internalDomains: ['acme.com'] },
    },
    'schedules/C0123456789.yaml': {
      audiences: { U0ABCDEF123: { emails: ['ana.ruiz@acme.com', 'bo+x@partner.com'] } },
      schedules: {
        W012A3CDE: {
          ...common,
          destinationType: 'email',
          subject: name,
          recipients: ['${audience.U0ABCDEF123}', 'eva@acme.com'],
        },
        people: { ...slack, slackRecipientType: 'users', recipients: 'U0ABCDEF123, W012A3CDE' },
        channel: { ...slack, slackRecipientType: 'channel', recipients: 'C0123456789' },
      },
    },
  };
}

const addressed = /[^\s"'<>@]+@[^\s"'<>@]+/g;
const slackShaped = /(?<![A-Za-z0-9])[BCDGTUW](?=[A-Z]*[0-9])[A-Z0-9]{7,10}(?![A-Za-z0-9])/g;

it('a page that masks recipients has no text of the shape of an address and no Slack id, wherever one is written', async () => {
  let pages = 0;
  await fc.assert(
    fc.asyncProperty(declaration, async (written) => {
      const folder = makeFolder(filesOf(written));
      const { code, stdout } = await workspaceIn(folder, {}).run('page', '--mask-recipients', '--out', '-');
      folder.remove();
      // What is no valid declaration has no page.
      if (code !== 0) return;
      pages += 1;
      expect(stdout.match(addressed)).toBeNull();
      expect(stdout.match(slackShaped)).toBeNull();
      expect(stdout).not.toMatch(/ana\.ruiz|C0123456789|U0ABCDEF123|W012A3CDE|D024BE91L|GABC1DEF2/);
      expect(stdout).not.toContain('id="people"');
    }),
    { numRuns: runs(300) },
  );
  expect(pages).toBeGreaterThan(5);
});

it('a page that masks recipients counts them by domain', async () => {
  const files = filesOf({
    name: 'A',
    note: 'B',
    owner: 'c',
    tag: 'd',
    filter: 'e',
    value: 'f',
    identifier: '12db1a0a',
  });
  const { stdout } = await workspaceIn(makeFolder(files), {}).run('page', '--mask-recipients', '--out', '-');
  for (const words of ['1 person of acme.com', '1 person of partner.com', '2 people in Slack', '1 channel in Slack'])
    expect(stdout).toContain(words);
});

it('no text of a declaration makes an element or an attribute of the page', async () => {
  const tagsOf = async (hostile: string) => {
    const plain = hostile.replaceAll(/[\s,*]/g, '') || 'x';
    const written = {
      name: hostile,
      note: hostile,
      owner: plain,
      tag: plain,
      filter: hostile,
      value: hostile,
      identifier: 'x',
    };
    const files = filesOf(written);
    const { stdout } = await workspaceIn(makeFolder(files), {}).run('page', '--out', '-');
    return stdout.match(/<[a-z!/][^>]*>/gi)?.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
  };
  const harmless = await tagsOf('harmless');
  expect(harmless?.length).toBeGreaterThan(50);
  let pages = 0;
  for (const hostile of hostileMarkup) {
    const tags = await tagsOf(hostile);
    if (tags === undefined) continue;
    pages += 1;
    expect(new Set(tags), hostile).toEqual(new Set(harmless));
  }
  expect(pages).toBeGreaterThan(20);
});
