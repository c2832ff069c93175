// What an unexpected answer of S3 means for users: the permission that lacks, the bucket that does not exist, the wrong
// region or clock. None of them ever means that there is no state.

import type { Failure } from '../../../model/workspace/failure.ts';
import type { Answer, NoAnswer } from '../../http/exchange.ts';
import { inaccessible } from '../place-failures.ts';
import { errorField, type S3Client } from './s3-client.ts';

export type Operation = 'get' | 'put';

export function s3Failure(client: S3Client, name: string, answer: Answer | NoAnswer, operation: Operation): Failure {
  const access = operation === 'get' ? 'read' : 'write';
  if (answer.type === 'none') {
    const hint = `Check that ${client.address.host} can be reached from here, and run again.`;
    return inaccessible(access, name, client.clean(answer.why), hint);
  }
  const code = client.clean(errorField(answer, 'Code') ?? '');
  const words = client.clean(errorField(answer, 'Message') ?? '').replace(/[.\s]+$/, '');
  const said = [`${answer.status}${code === '' ? '' : ` ${code}`}`, words].filter((text) => text !== '').join(': ');
  return inaccessible(access, name, `the server answered ${said}`, hintFor(client, answer, code, operation));
}

function hintFor(client: S3Client, answer: Answer, code: string, operation: Operation): string {
  const { bucket, host, isAws, region } = client.address;
  const there = answer.headers['x-amz-bucket-region'];
  if (code === 'NoSuchBucket') return `Create the bucket ${bucket}, or correct \`state.bucket\`.`;
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: the service does not know this pair.';
  if (/^Expired|^InvalidToken$|^TokenRefreshRequired$/.test(code))
    return 'The credentials have expired. Get new ones, and run again.';
  if (code === 'RequestTimeTooSkewed') return 'Set the clock of this machine.';
  if (answer.status === 301 || answer.status === 307 || code === 'AuthorizationHeaderMalformed') {
    const found = there === undefined ? '' : ` It is in ${client.clean(there)}.`;
    return `The bucket is not in the region ${region}.${found} Set \`state.region\`.`;
  }
  if (answer.status === 401 || answer.status === 403)
    return `The credentials need ${permission(client.address, operation)}.`;
  if (answer.status === 404) return `Check \`state.bucket\` and \`state.endpoint\`: ${host} does not know them.`;
  if (answer.status >= 500 || answer.status === 429) return 'The service is not available now. Run again later.';
  return isAws
    ? 'Check the bucket and its policy.'
    : `Check that ${host} is a server for S3: \`almanac state check\` tells what it lacks.`;
}

/** In the words of AWS, which compatible servers use as well. */
function permission({ bucket, prefix }: S3Client['address'], operation: Operation): string {
  const objects = `arn:aws:s3:::${bucket}/${prefix}/*`;
  if (operation === 'put') return `s3:PutObject on ${objects}, and those of the key that encrypts the bucket, if any`;
  // Who may not list is told 403 for an object that does not exist.
  return `s3:GetObject on ${objects}, and s3:ListBucket on arn:aws:s3:::${bucket} for the prefix ${prefix}/*`;
}
