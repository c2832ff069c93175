// Where credentials for S3 come from, when they are renewed, and who gets them.

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { S3Place } from '../../src/model/workspace/state-place.ts';
import { credentialsFor, s3Address } from '../../src/state/s3/s3-client.ts';
import { placeOf } from '../support/state/place-of.ts';
import { entryOf, failureOf, s3Stage } from '../support/state/s3-stage.ts';

const place = placeOf({ backend: 's3', bucket: 'acme-state', prefix: 'almanac', region: 'eu-central-1' });
const packageOfAws = '@aws-sdk/credential-provider-node';
const getIn = (environment: Readonly<Record<string, string>>, changed: Partial<S3Place> = {}) =>
  credentialsFor(s3Address({ ...place, ...changed }, environment), environment);
const given = { accessKeyId: 'ASIA1', secretAccessKey: 'secret1', sessionToken: 'token1' };

/** As if the package of AWS were installed; what it was asked. */
function install(provide: (options?: object) => Promise<unknown>): readonly (object | undefined)[] {
  const asked: (object | undefined)[] = [];
  vi.doMock(packageOfAws, () => ({
    defaultProvider: () => (options?: object) => {
      asked.push(options);
      return provide(options);
    },
  }));
  return asked;
}

afterEach(() => {
  vi.doUnmock(packageOfAws);
});

describe('credentials of the environment', () => {
  test('keys in the environment come first', async () => {
    const asked = install(async () => given);
    const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
    expect(await getIn(keys)()).toEqual({ accessKeyId: 'AKIA', secretAccessKey: 'secret', sessionToken: 'token' });
    expect(asked).toEqual([]);
  });

  test('an empty variable is as good as none, and the refusal names the variables and the package', async () => {
    const environment = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' };
    const failure = await failureOf(getIn(environment)());
    expect(failure).toMatch(/^state-unreadable: There are no AWS credentials for the state\./);
    for (const words of [
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      'eval "$(aws configure export-credentials --format env)"',
      `npm install ${packageOfAws}`,
    ])
      expect(failure).toContain(words);
  });

  test.each([
    [{ AWS_ACCESS_KEY_ID: 'AKIA' }, 'AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not.'],
    [{ AWS_SECRET_ACCESS_KEY: 'x' }, 'AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not.'],
    [{ AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'line\nbreak' }, 'hold characters that they cannot hold'],
  ])('half a pair of keys, or a broken one, is refused and not shown: %j', async (environment, words) => {
    const failure = await failureOf(getIn(environment)());
    expect(failure).toContain(words);
    expect(failure).not.toContain('break:');
  });
});

describe('credentials of the package of AWS', () => {
  test('the package is asked each time, because it keeps and renews what it has', async () => {
    const asked = install(async () => given);
    const get = getIn({});
    expect([await get(), await get({ forceRefresh: true })]).toEqual([given, given]);
    expect(asked).toEqual([undefined, { forceRefresh: true }]);
  });

  test('what the package says of a failure is not shown, because it may hold anything', async () => {
    install(async () => {
      throw new Error('hunter2');
    });
    const failure = await failureOf(getIn({})());
    expect(failure).toContain(`The package ${packageOfAws} found no AWS credentials.`);
    expect(failure).not.toContain('hunter2');
  });
});

describe('a server that is not of AWS', () => {
  test('only keys of the environment go to a server that is not of AWS', async () => {
    const asked = install(async () => given);
    const { double, open } = await s3Stage();
    const log = await open({});
    expect(await failureOf(log.read(0))).toMatch(/There are no credentials for 127\.0\.0\.1:\d+ in the environment\./);
    expect([double.seen.length, asked.length]).toEqual([0, 0]);
  });

  test('a session token of the environment is a part of what is signed', async () => {
    const { open } = await s3Stage({ sessionToken: 'a/session+token==' });
    expect(await (await open()).append(1, entryOf())).toBe('written');
  });
});
