// Where the objects of a state are: the address of the bucket, and the path of each object. Bucket, prefix and endpoint were
// checked when almanac.yaml was read.

import { isLoopback } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { S3Place } from '../../model/workspace/state-place.ts';
import type { Environment } from '../file/host.ts';

export interface S3Address {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly origin: string;
  readonly host: string;
  readonly loopback: boolean;
  /** Before each key, without a slash at its end. */
  readonly path: string;
  /** Whether the host is one of S3 itself, of AWS. */
  readonly isAws: boolean;
}

/** Throws Failure usage for a region that is not known, or that the environment names and is none. */
export function s3Address({ bucket, prefix, ...place }: S3Place, environment: Environment): S3Address {
  const region = regionOf(place, environment);
  const url = new URL(place.endpoint ?? `https://s3.${region}.${awsDomain(region)}`);
  // The certificate of AWS covers one label before its own name.
  const inPath = place.endpoint !== undefined || bucket.includes('.');
  const host = inPath ? url.host : `${bucket}.${url.host}`;
  const before = url.pathname.replace(/\/+$/, '');
  return {
    bucket,
    prefix,
    region,
    origin: `${url.protocol}//${host}`,
    host,
    loopback: isLoopback(url.hostname),
    path: inPath ? `${before}/${bucket}` : before,
    isAws: place.endpoint === undefined || (url.protocol === 'https:' && url.port === '' && isHostOfS3(url.hostname)),
  };
}

/** As AWS counts the path of an object, so that what is signed is what is sent. */
export function requestPath({ path }: S3Address, key: string): string {
  const encoded = encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${path}/${encoded}`;
}

function regionOf({ region, endpoint }: Pick<S3Place, 'region' | 'endpoint'>, environment: Environment): string {
  // Most compatible servers have one region and accept this name.
  const fallback = endpoint === undefined ? undefined : 'us-east-1';
  const chosen = region || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || fallback;
  if (chosen === undefined) throw usage('The region of the bucket is unknown.', 'Set `state.region`, or AWS_REGION.');
  if (/^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/.test(chosen)) return chosen;
  throw usage(`${JSON.stringify(chosen)} is not the name of a region.`, 'Correct `state.region`, or AWS_REGION.');
}

function awsDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** The hosts of S3 itself. Other hosts below amazonaws.com, such as load balancers, run what anybody puts there. */
function isHostOfS3(host: string): boolean {
  return (
    /^s3(?:-fips)?(?:\.dualstack)?(?:\.[a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/.test(host) ||
    /^bucket\.vpce-[a-z0-9-]+\.s3\.[a-z0-9-]+\.vpce\.amazonaws\.com(?:\.cn)?$/.test(host)
  );
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
