// Where the objects of a state are: the address of the bucket, and the URL of each object. Refuses what would send a
// signed request to a host that nobody meant: bucket, prefix, region and endpoint come from a file that a pull request
// may change.

import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { S3Place } from '../../../model/workspace/state-place.ts';
import type { Environment } from '../host.ts';

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

/** Throws Failure usage. */
export function s3Address(place: S3Place, environment: Environment): S3Address {
  const { bucket, prefix } = place;
  checkBucket(bucket, place.endpoint === undefined);
  checkPrefix(prefix);
  checkKey(place.kmsKeyId);
  const region = regionOf(place, environment);
  const endpoint = endpointOf(place, region);
  // The certificate of AWS covers one label before its own name.
  const inPath = place.pathStyle || endpoint.loopback || (endpoint.isAws && bucket.includes('.'));
  const host = inPath ? endpoint.url.host : `${bucket}.${endpoint.url.host}`;
  const before = endpoint.url.pathname.replace(/\/+$/, '');
  return {
    bucket,
    prefix,
    region,
    origin: `${endpoint.url.protocol}//${host}`,
    host,
    loopback: endpoint.loopback,
    path: inPath ? `${before}/${encodeKey(bucket)}` : before,
    isAws: endpoint.isAws,
  };
}

/** The path of a request: of an object, or of the bucket itself for a query, whose undefined parameters are left out. */
export function requestPath(
  address: S3Address,
  key: string | undefined,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeWhole(value)}`,
  );
  const path = key === undefined ? address.path || '/' : `${address.path}/${encodeKey(key)}`;
  return pairs.length === 0 ? path : `${path}?${pairs.sort().join('&')}`;
}

/** As AWS counts a path, so that what is signed is what is sent. */
function encodeKey(key: string): string {
  return key.split('/').map(encodeWhole).join('/');
}

function encodeWhole(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function checkBucket(bucket: string, onAws: boolean): void {
  const form = onAws ? /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/ : /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
  if (form.test(bucket) && !bucket.includes('..')) return;
  throw usage(`The name of the bucket, ${JSON.stringify(bucket)}, is not a valid one.`, 'Correct `state.bucket`.');
}

function checkPrefix(prefix: string): void {
  const parts = prefix.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\p{C}\\]/u.test(prefix);
  // A key of S3 has 1,024 bytes.
  if (isPlain && Buffer.byteLength(prefix) <= 900) return;
  throw usage(
    `The prefix of the state, ${JSON.stringify(prefix)}, is not a valid one.`,
    'Set `state.prefix` to names that are separated by single slashes, such as almanac/production.',
  );
}

function checkKey(key: string | undefined): void {
  if (key === undefined || /^[A-Za-z0-9:/_-]{1,2048}$/.test(key)) return;
  throw usage(
    `The key of KMS, ${JSON.stringify(key)}, is not a valid one.`,
    'Set `state.kmsKeyId` to the id, the alias or the ARN of a key.',
  );
}

function regionOf({ region, endpoint }: S3Place, environment: Environment): string {
  // Most compatible servers have one region and accept this name.
  const fallback = endpoint === undefined ? undefined : 'us-east-1';
  const chosen = region || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || fallback;
  if (chosen === undefined) {
    throw usage(
      'The region of the bucket is unknown.',
      'Set `state.region`, or AWS_REGION. With --from, add `?region=REGION` to the place.',
    );
  }
  if (/^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/.test(chosen)) return chosen;
  throw usage(`${JSON.stringify(chosen)} is not the name of a region.`, 'Correct `state.region`, or AWS_REGION.');
}

interface Endpoint {
  readonly url: URL;
  readonly loopback: boolean;
  readonly isAws: boolean;
}

function endpointOf({ endpoint }: S3Place, region: string): Endpoint {
  if (endpoint === undefined) {
    return { url: new URL(`https://s3.${region}.${awsDomain(region)}`), loopback: false, isAws: true };
  }
  const url = parseUrl(endpoint);
  const hint = 'Set `state.endpoint` to an address such as https://s3.example.com.';
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usage('The endpoint of the state is not a URL.', hint);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw usage('The endpoint of the state holds a user name, a password, a query or a fragment.', hint);
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback)
    throw usage(`The endpoint ${url.origin} is not HTTPS: the state would travel unencrypted.`, hint);
  return { url, loopback, isAws: url.protocol === 'https:' && url.port === '' && isHostOfS3(url.hostname) };
}

export function awsDomain(region: string): string {
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
