// Where the credentials for a state in S3 come from, when they are renewed, and to whom they are given.

import { describe, expect, onTestFinished, test } from 'vitest';
import { wordsOf } from '../../src/adapters/state/s3/profile-credentials.ts';
import { aws, chainIn, type Environment, file } from '../support/adapters/s3-credentials.ts';
import { failureOf, s3Stage } from '../support/adapters/s3-stage.ts';
import { type Act, answer, hang, reset, startServer } from '../support/adapters/scripted-server.ts';

async function serve(...acts: readonly Act[]) {
  const server = await startServer(acts);
  onTestFinished(() => server.close());
  return { seen: server.seen, url: `http://127.0.0.1:${server.port}` };
}

const stsAnswer = (token: string, expiration: string): Act =>
  answer(
    200,
    `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
  <SubjectFromWebIdentityToken>repo:acme</SubjectFromWebIdentityToken>
  <Credentials><AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s3/cret+</SecretAccessKey><SessionToken>${token}</SessionToken><Expiration>${expiration}</Expiration></Credentials>
</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    { 'content-type': 'text/xml' },
  );
const document = {
  AccessKeyId: 'ASIA2',
  SecretAccessKey: 'secret2',
  Token: 'token2',
  Expiration: '2026-11-22T18:00:00Z',
};

describe('credentials of the environment', () => {
  test('keys in the environment come first', async () => {
    const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
    const { chain } = chainIn({ ...keys, AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:1/' });
    expect(await chain.get()).toEqual({ accessKeyId: 'AKIA', secretAccessKey: 'secret', sessionToken: 'token' });
    expect(chain.secrets()).toEqual(['secret', 'token']);
  });

  test('an empty variable is as good as none', async () => {
    const { chain } = chainIn({ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' });
    expect(await failureOf(chain.get())).toMatch(/^state-unreadable: There are no AWS credentials for the state\./);
  });

  test('a hint says how to get credentials from everywhere else', async () => {
    expect(await failureOf(chainIn({}).chain.get())).toContain(
      'eval "$(aws configure export-credentials --format env)"',
    );
  });

  test.each([
    [{ AWS_ACCESS_KEY_ID: 'AKIA' }, 'AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not.'],
    [{ AWS_SECRET_ACCESS_KEY: 'x' }, 'AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not.'],
    [{ AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'line\nbreak' }, 'hold characters that they cannot hold'],
  ])('half a pair of keys, or a broken one, is refused and not shown: %j', async (environment, words) => {
    const failure = await failureOf(chainIn(environment).chain.get());
    expect(failure).toContain(words);
    expect(failure).not.toContain('break:');
  });
});

describe('credentials for an identity token', () => {
  const setUp = async (...acts: readonly Act[]) => {
    const sts = await serve(...acts);
    const environment = {
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/almanac',
      AWS_WEB_IDENTITY_TOKEN_FILE: file('eyJ.the-token\n'),
      AWS_ENDPOINT_URL_STS: sts.url,
    };
    return { sts, ...chainIn(environment) };
  };

  test('an identity token is exchanged in one unsigned call, and what comes back is kept until it nearly expires', async () => {
    const { sts, chain, clock } = await setUp(
      stsAnswer('one', '2026-11-22T13:00:00Z'),
      stsAnswer('two', '2026-11-22T14:00:00Z'),
    );
    const [first, again] = await Promise.all([chain.get(), chain.get()]);
    expect(first).toEqual({
      accessKeyId: 'ASIA1',
      secretAccessKey: 's3/cret+',
      sessionToken: 'one',
      expiresAt: Date.parse('2026-11-22T13:00:00Z'),
    });
    expect(again).toEqual(first);
    await clock.sleep(54 * 60_000);
    expect((await chain.get()).sessionToken).toBe('one');
    await clock.sleep(2 * 60_000);
    expect((await chain.get()).sessionToken).toBe('two');
    expect(sts.seen).toHaveLength(2);
    const [call] = sts.seen;
    expect(call?.method).toBe('POST');
    expect(call?.url).toBe('/');
    expect(call?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/almanac',
      RoleSessionName: 'almanac',
      WebIdentityToken: 'eyJ.the-token',
    });
  });

  test('credentials that cannot be renewed are used to their end', async () => {
    const { chain, clock } = await setUp(stsAnswer('one', '2026-11-22T13:00:00Z'), answer(403, '<ErrorResponse/>'));
    await chain.get();
    await clock.sleep(57 * 60_000);
    expect((await chain.get()).sessionToken).toBe('one');
    await clock.sleep(4 * 60_000);
    expect(await failureOf(chain.get())).toMatch(/^state-unreadable: STS at 127.* gave no credentials .*: 403\./);
  });

  test('a call of STS is repeated when STS is busy or does not answer', async () => {
    const { chain, sts } = await setUp(answer(503, ''), reset, stsAnswer('one', '2026-11-22T13:00:00Z'));
    expect((await chain.get()).sessionToken).toBe('one');
    expect(sts.seen).toHaveLength(3);
  });

  test('a refusal of STS is shown by its code only, because its message may hold the token', async () => {
    const refusal =
      '<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>eyJ.the-token</Message></Error></ErrorResponse>';
    const { chain, sts } = await setUp(answer(400, refusal));
    const failure = await failureOf(chain.get());
    expect(failure).toContain('400 InvalidIdentityToken');
    expect(failure).not.toContain('eyJ');
    expect(sts.seen).toHaveLength(1);
  });

  test('an answer that is not from STS gives no credentials', async () => {
    const { chain } = await setUp(answer(200, '<html><body>Sign in</body></html>'));
    expect(await failureOf(chain.get())).toContain('STS answered with something else than credentials.');
  });

  test('an identity token is not sent over plain HTTP', async () => {
    const AWS_WEB_IDENTITY_TOKEN_FILE = file('eyJ');
    const AWS_ENDPOINT_URL_STS = 'http://sts.example.com';
    const { chain } = chainIn({ AWS_ROLE_ARN: 'arn', AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ENDPOINT_URL_STS });
    expect(await failureOf(chain.get())).toMatch(/^usage: AWS_ENDPOINT_URL_STS is not an HTTPS URL/);
  });

  test('an interrupted wait for STS ends', async () => {
    const { chain } = await setUp(hang);
    const interruption = new AbortController();
    const asking = failureOf(chain.get(interruption.signal));
    interruption.abort(new Error('interrupted'));
    expect(await asking).toContain('interrupted');
  });
});

describe('credentials of a container', () => {
  test('the endpoint of a container is asked with the token of its file', async () => {
    const agent = await serve(answer(500), answer(200, document));
    const { chain } = chainIn({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${agent.url}/v1/credentials?pod=1`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file('pod token\n'),
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'older',
      HTTP_PROXY: 'http://127.0.0.1:1',
    });
    expect(await chain.get()).toEqual({
      accessKeyId: 'ASIA2',
      secretAccessKey: 'secret2',
      sessionToken: 'token2',
      expiresAt: Date.parse('2026-11-22T18:00:00Z'),
    });
    expect(agent.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/v1/credentials?pod=1', 'pod token'],
      ['/v1/credentials?pod=1', 'pod token'],
    ]);
  });

  test.each(['http://example.com/', 'http://169.254.169.254/', 'http://127.0.0.1.example.com/', 'file:///etc/passwd'])(
    'the token of a container is not sent to %s',
    async (uri) => {
      const environment = {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: uri,
        AWS_CONTAINER_AUTHORIZATION_TOKEN: 'secret-token',
      };
      const failure = await failureOf(chainIn(environment).chain.get());
      expect(failure).toContain('neither an HTTPS URL nor an address of the container agent');
      expect(failure).not.toContain('secret-token');
    },
  );

  test('an answer of the container without keys is refused', async () => {
    const agent = await serve(answer(200, { AccessKeyId: 'ASIA', SecretAccessKey: '' }));
    const { chain } = chainIn({ AWS_CONTAINER_CREDENTIALS_FULL_URI: agent.url });
    expect(await failureOf(chain.get())).toContain('answered with something else than credentials');
  });
});

describe('credentials of a profile', () => {
  const config = (text: string, more: Environment = {}) =>
    chainIn({ AWS_CONFIG_FILE: file(text), AWS_SHARED_CREDENTIALS_FILE: '/dev/null', ...more }).chain;

  test('keys of the credentials file come before those of the config file', async () => {
    const AWS_SHARED_CREDENTIALS_FILE = file(
      '# keys\n[other]\naws_access_key_id=no\n[default]\naws_access_key_id = AKIA3 ; mine\naws_secret_access_key = a/b#c+d=\n',
    );
    const chain = config('[default]\naws_access_key_id=older\ns3 =\n  aws_access_key_id = nested\n', {
      AWS_SHARED_CREDENTIALS_FILE,
    });
    expect(await chain.get()).toEqual({ accessKeyId: 'AKIA3', secretAccessKey: 'a/b#c+d=' });
  });

  test('a profile that assumes a role is left to the tools of AWS', async () => {
    const chain = config('[default]\naws_access_key_id=A\naws_secret_access_key=b\nrole_arn=arn:aws:iam::1:role/x\n');
    expect(await failureOf(chain.get())).toContain('There are no AWS credentials for the state.');
  });

  test.each([
    ['a b', ['a', 'b']],
    ['  "a b"  c ', ['a b', 'c']],
    [`a'b c'"d e"`, ['ab cd e']],
    [`'' ""`, ['', '']],
    [String.raw`a\ b "c\"d" 'e\f'`, ['a b', 'c"d', String.raw`e\f`]],
    ['$(x) `y` | z', ['$(x)', '`y`', '|', 'z']],
    ['"open', undefined],
    ["it's", undefined],
  ])('the command %j has the words %j', (command, words) => {
    expect(wordsOf(command)).toEqual(words);
  });
});

describe('a server that is not of AWS', () => {
  const elsewhere = { ...aws, isAws: false, host: 'minio.example.com' };

  test('only keys of the environment go to a server that is not of AWS', async () => {
    const agent = await serve(answer(200, document));
    const AWS_SHARED_CREDENTIALS_FILE = file('[default]\naws_access_key_id=A\naws_secret_access_key=b\n');
    const { chain } = chainIn(
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: agent.url, AWS_SHARED_CREDENTIALS_FILE },
      elsewhere,
    );
    const failure = await failureOf(chain.get());
    expect(failure).toContain('There are no credentials for minio.example.com in the environment.');
    expect(agent.seen).toEqual([]);
    const keys = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' };
    expect(await chainIn(keys, elsewhere).chain.get()).toMatchObject({ accessKeyId: 'A', sessionToken: 'c' });
  });

  test('a session token of the environment is a part of what is signed', async () => {
    const { double, open } = await s3Stage({ sessionToken: 'the/token+' });
    expect(await (await open()).read(0)).toEqual([]);
    expect(double.seen[0]?.headers['x-amz-security-token']).toBe('the/token+');
    const { AWS_SESSION_TOKEN: _, ...without } = double.keys as Environment;
    expect(await failureOf((await open(without)).read(0))).toContain('InvalidToken');
  });
});
