// What a diagnostic shows of source files contains no secret. Shown are two lines of the files and words about them.

import { describe, expect, it } from 'vitest';
import { shownSources } from '../../src/declare/load/shown-sources.ts';
import { Secret } from '../../src/model/values/secret.ts';
import type { Resource } from '../../src/model/workspace/resource.ts';
import { nothingDeclared } from '../../src/model/workspace/resource.ts';

const secret = 'hunter2-hunter2';
const shownIn = (text: string, secrets: readonly string[] = []) => {
  const attributes = { secrets: secrets.map((each) => Secret.literal(each)) };
  const resources = [{ attributes } as unknown as Resource];
  return shownSources({ desired: { ...nothingDeclared, resources }, fileNamed: (path) => ({ path, text }) });
};
const linesOf = (text: string, secrets: readonly string[] = []) => {
  const sources = shownIn(text, secrets);
  return text.split(/\r?\n/).map((_, index) => sources.linesAt('a.yaml', index + 1)?.lines.at(-1));
};

describe('a secret', () => {
  it.each([
    `passwordUnencrypted: ${secret}`,
    `  - passwordUnencrypted: "${secret}"`,
    `"passwordUnencrypted" : '${secret}'`,
    `a: { passwordUnencrypted: ${secret}, path: x }`,
    `passwordUnencrypted:\n  ${secret}`,
    `passwordUnencrypted: |\n  first line\n\n  ${secret}\npath: x`,
    `  webhookSigningSecret: >-\n      ${secret}\n  path: x`,
    `passwordUnencrypted: [\n  ${secret}]`,
    `passwordUnencrypted: x\${env.NAME}${secret}`,
    `url: https://ana:${secret}@example.com/`,
    `passwordUnencrypted: ${secret}\nname: the ${secret} again`,
    `token: omni_osk_${secret}`,
    `url: https://hooks.slack.com/services/T01/${secret} # for sales`,
    `url: "https://example.com/in?token=${secret}&x=1"`,
    `name: the ${secret}\npasswordUnencrypted: "${secret}"`,
  ])('a snippet masks a secret under its name: %j', (text) => expect(linesOf(text).join('\n')).not.toContain(secret));

  it('a snippet masks a known secret wherever it appears, on every line', () => {
    expect(linesOf(`x-pw: &pw ${secret}\nname: x ${secret} y`, [secret])).toEqual(['x-pw: &pw •••', 'name: x ••• y']);
    expect(linesOf('x-pw: |\n  first-part\n  second-part\n', ['first-part\nsecond-part\n'])).toEqual([
      'x-pw: |',
      '  •••',
      '  •••',
      '',
    ]);
  });

  it('a snippet masks a secret that contains another as a whole', () => {
    expect(linesOf('a: long-secret-text', ['secret', 'long-secret-text'])).toEqual(['a: •••']);
  });

  it('a snippet does not mask a secret of three letters, which would hide half of the file', () => {
    expect(linesOf('name: a very able man', ['abl'])).toEqual(['name: a very able man']);
  });
});

describe('what is not a secret', () => {
  it.each([
    'passwordUnencrypted: ${env.SFTP_PASSWORD}',
    'passwordUnencrypted:\npath: /in',
    'name: ana@example.com, see https://example.com/a@b',
    '# the password: none',
  ])('a snippet shows what is not a secret: %j', (text) => expect(linesOf(text).join('\n')).toBe(text));
});
