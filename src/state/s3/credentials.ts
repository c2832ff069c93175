// The credentials that requests to S3 are signed with: from the environment, where every CI action of AWS puts them, or else
// from the package of AWS that knows every other way, if it is installed. That package renews what expires.
//
// The secret key never leaves this process, but the key id, the session token and the requests do. A pull request may
// change the endpoint, so only keys that somebody put into the environment of this run go to a server other than AWS's.

import { Failure } from '../../model/workspace/failure.ts';
import type { Environment } from '../file/host.ts';
import type { S3Address } from './s3-address.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Throws Failure state-unreadable if there are none. */
export type GetCredentials = (options?: {
  /** The service says that the last ones have expired. */
  readonly forceRefresh: boolean;
}) => Promise<Credentials>;

/** Not a literal, so that the package is looked for only here and only when it is needed. */
const packageOfAws: string = '@aws-sdk/credential-provider-node';

export function credentialsFor({ host, isAws }: S3Address, environment: Environment): GetCredentials {
  let provide: GetCredentials | undefined;
  return async (options) => {
    const fixed = inEnvironment(environment);
    if (fixed !== undefined) return checked(fixed);
    if (!isAws) {
      throw noCredentials(
        `There are no credentials for ${host} in the environment. Roles and profiles of AWS are not used for a server that is not AWS's.`,
        'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of that server.',
      );
    }
    provide ??= await providerOfAws();
    // Not its message: it is not ours, and may show anything.
    const given = await provide(options).catch(() => {
      throw noCredentials(
        `The package ${packageOfAws} found no AWS credentials.`,
        'Run `aws sts get-caller-identity` to see what is wrong.',
      );
    });
    return checked(given);
  };
}

function inEnvironment(environment: Environment): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  if (id && secret) return { accessKeyId: id, secretAccessKey: secret, sessionToken: token || undefined };
  if (!id && !secret) return undefined;
  const [there, lacking] = id
    ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    : ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'];
  throw noCredentials(`${there} is set, but ${lacking} is not.`, 'Set both, or neither.');
}

async function providerOfAws(): Promise<GetCredentials> {
  const loaded = await import(packageOfAws).catch(() => undefined);
  if (typeof loaded?.defaultProvider === 'function') return loaded.defaultProvider();
  throw noCredentials(
    'There are no AWS credentials for the state.',
    `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, for example with \`eval "$(aws configure export-credentials --format env)"\`, or in a job with aws-actions/configure-aws-credentials. For roles, containers and profiles, run \`npm install ${packageOfAws}\`.`,
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

/** `what` is a whole sentence, without anything secret. */
function noCredentials(what: string, hint: string): Failure {
  return new Failure('state-unreadable', what, { hint });
}
