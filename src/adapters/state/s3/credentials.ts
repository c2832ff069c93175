// The credentials that requests to S3 are signed with, from where the tools of AWS look as well: the environment, an
// identity token, the container, a profile, and at last a package of AWS if it is installed. They are renewed before
// they expire.
//
// The secret key never leaves this process, but the key id, the session token and the requests do. A pull request may
// change the endpoint, so only keys that somebody put into the environment of this run go to a server other than AWS's.

import { Failure } from '../../../model/workspace/failure.ts';
import { fromContainer } from './container-credentials.ts';
import { validateCredentials } from './credential-document.compiled.js';
import {
  type CredentialSource,
  type Credentials,
  credentialsOf,
  noCredentials,
  type SourceContext,
} from './credential-sources.ts';
import { fromProfile } from './profile-credentials.ts';
import type { S3Address } from './s3-address.ts';
import { fromWebIdentity } from './web-identity.ts';

export interface CredentialChain {
  /** Throws Failure state-unreadable if there are none. */
  get(signal?: AbortSignal): Promise<Credentials>;
  /** The service says that these have expired. False if asking again would give the same. */
  forget(credentials: Credentials): boolean;
  /** Everything secret that was handed out so far. */
  secrets(): readonly string[];
}

/** So that none expires on its way, nor by a clock that is a little ahead. */
const renewAheadMs = 5 * 60_000;

const fromEnvironment: CredentialSource = async ({ environment }) => {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  if (!id && !secret) return undefined;
  if (!id || !secret) {
    const [there, lacking] = id
      ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
      : ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'];
    throw noCredentials(`${there} is set, but ${lacking} is not.`, 'Set both, or neither.');
  }
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: token || undefined };
};

const sources: readonly CredentialSource[] = [fromWebIdentity, fromContainer, fromProfile, fromPackage];

export function credentialChain(
  address: S3Address,
  context: Omit<SourceContext, 'region' | 'signal'>,
): CredentialChain {
  const { clock, environment } = context;
  const handedOut = new Set<string>();
  let current: Credentials | undefined;
  let asking: Promise<Credentials> | undefined;
  let isFixed = false;

  const ask = async (signal: AbortSignal | undefined): Promise<Credentials> => {
    const all: SourceContext = { environment, clock, region: address.region, signal };
    const fixed = await fromEnvironment(all);
    isFixed = fixed !== undefined;
    return checked(fixed ?? (address.isAws ? await firstOf(all) : refuseElsewhere(address)));
  };

  const renew = (signal: AbortSignal | undefined): Promise<Credentials> => {
    asking ??= ask(signal)
      .then((given) => {
        for (const secret of [given.secretAccessKey, given.sessionToken]) if (secret) handedOut.add(secret);
        current = given;
        return given;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };

  return {
    get: async (signal) => {
      if (current === undefined) return renew(signal);
      const { expiresAt = Number.POSITIVE_INFINITY } = current;
      const left = expiresAt - clock.now();
      if (left > renewAheadMs) return current;
      const old = current;
      return renew(signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        if (left > 0) return old;
        throw error;
      });
    },
    forget: (credentials) => {
      if (current === credentials) current = undefined;
      return !isFixed;
    },
    secrets: () => [...handedOut],
  };
}

async function firstOf(context: SourceContext): Promise<Credentials> {
  for (const source of sources) {
    const found = await source(context);
    if (found !== undefined) return found;
  }
  throw noCredentials(
    'There are no AWS credentials for the state.',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let the job assume a role (AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE). For single sign-on and the like, run `eval "$(aws configure export-credentials --format env)"` first, or install @aws-sdk/credential-provider-node.',
  );
}

function refuseElsewhere({ host }: S3Address): never {
  throw noCredentials(
    `There are no credentials for ${host} in the environment. Roles and profiles of AWS are not used for a server that is not AWS's.`,
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of that server.',
  );
}

/** What goes into a header must fit into one; an error of the HTTP library would show it. */
function checked(credentials: Credentials): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken = 'none' } = credentials;
  if ([accessKeyId, secretAccessKey, sessionToken].every((text) => /^[!-~]+$/.test(text))) return credentials;
  throw noCredentials(
    'The AWS credentials hold characters that they cannot hold, such as spaces or line breaks.',
    'Check where they come from, such as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.',
  );
}

/** Not a literal, so that the package is looked for only here and only when it is needed. */
const packageOfAws: string = '@aws-sdk/credential-provider-node';

async function fromPackage({ signal }: SourceContext): Promise<Credentials | undefined> {
  const loaded: unknown = await import(packageOfAws).catch(() => undefined);
  if (typeof loaded !== 'object' || loaded === null || !('defaultProvider' in loaded)) return undefined;
  const { defaultProvider } = loaded;
  if (typeof defaultProvider !== 'function') return undefined;
  try {
    const given: unknown = await defaultProvider()();
    signal?.throwIfAborted();
    return ofPackage(given);
  } catch (error) {
    if (error instanceof Failure) throw error;
    signal?.throwIfAborted();
    // Not its message: it is not ours, and may show anything.
    throw noCredentials(
      'The package @aws-sdk/credential-provider-node found no AWS credentials.',
      'Run `aws sts get-caller-identity` to see what is wrong.',
    );
  }
}

function ofPackage(given: unknown): Credentials | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const field = (name: string): unknown => Object.entries(given).find(([each]) => each === name)?.[1];
  const expiration = field('expiration');
  const document: unknown = {
    AccessKeyId: field('accessKeyId'),
    SecretAccessKey: field('secretAccessKey'),
    SessionToken: field('sessionToken'),
    Expiration: expiration instanceof Date ? expiration.toISOString() : undefined,
  };
  return validateCredentials(document) ? credentialsOf(document) : undefined;
}
