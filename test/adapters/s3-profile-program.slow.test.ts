// The program that an AWS profile names for its credentials.

import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chainIn, type Environment, file } from '../support/adapters/s3-credentials.ts';
import { failureOf } from '../support/adapters/s3-stage.ts';
import { makeFolder } from '../support/workspace.ts';

const document = {
  AccessKeyId: 'ASIA2',
  SecretAccessKey: 'secret2',
  Token: 'token2',
  Expiration: '2026-11-22T18:00:00Z',
};

describe('credentials of a profile', () => {
  const program = (output: string, code = 0) => {
    const path = file(`#!/bin/sh\nprintf '%s' '${output}'\nprintf '%s|' "$@" >&2\nexit ${code}\n`, 'helper with space');
    chmodSync(path, 0o755);
    return path;
  };
  const config = (text: string, more: Environment = {}) =>
    chainIn({ AWS_CONFIG_FILE: file(text), AWS_SHARED_CREDENTIALS_FILE: '/dev/null', ...more }).chain;

  test('the program of a profile gives credentials, and is run without a shell', async () => {
    const { Token, ...rest } = document;
    const output = JSON.stringify({ Version: 1, ...rest, SessionToken: Token });
    const marker = join(makeFolder().path, 'marker');
    const command = `"${program(output)}" --for 'a b' ; touch ${marker} $(touch ${marker})`;
    const chain = config(`[default]\nregion = x\n[profile ops]\ncredential_process = ${command}\n`, {
      AWS_PROFILE: 'ops',
    });
    expect((await chain.get()).sessionToken).toBe('token2');
    expect(existsSync(marker)).toBe(false);
  });

  test.each([
    ['{"Version":2,"AccessKeyId":"a","SecretAccessKey":"hidden"}', 0, 'printed something else than credentials'],
    ['hidden', 0, 'printed something else than credentials of version 1'],
    ['hidden', 3, 'failed: it ended with exit code 3'],
  ])('a program that prints %s and ends with %s is refused without what it printed', async (output, code, words) => {
    const failure = await failureOf(config(`[default]\ncredential_process = "${program(output, code)}"`).get());
    expect(failure).toContain(words);
    expect(failure).not.toContain('hidden');
  });

  test('the program of a profile sees no token of the service and no secret of the state', async () => {
    const path = file(
      '#!/bin/sh\nprintf \'{"Version":1,"AccessKeyId":"%s","SecretAccessKey":"%s"}\' "$PLAIN" "[$OMNI_API_TOKEN$ALMANAC_STATE_KEY]"\n',
      'seeing',
    );
    chmodSync(path, 0o755);
    const secrets = { OMNI_API_TOKEN: 'hidden', ALMANAC_STATE_KEY: 'hidden', PLAIN: 'kept' };
    const chain = config(`[default]\ncredential_process = "${path}"\n`, secrets);
    expect(await chain.get()).toEqual({ accessKeyId: 'kept', secretAccessKey: '[]' });
  });

  test('a program that does not exist is named by its profile', async () => {
    const failure = await failureOf(config('[default]\ncredential_process = /nowhere/helper').get());
    expect(failure).toContain('The credential_process of the AWS profile "default" failed: it cannot be run (ENOENT).');
  });
});
