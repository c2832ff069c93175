// A server for S3 on loopback: one bucket, the objects in it, and faults. It signs each request that it gets as it must have
// been signed. It answers conditional writes atomically, unless a test asks for a server that does not.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { listenOnLoopback } from './loopback.ts';

export type S3Fault =
  /** The request is carried out, and the connection breaks instead of an answer. */
  | 'lose-answer'
  /** The connection breaks, and nothing is carried out. */
  | 'lose-request'
  /** Carried out, and never answered. */
  | 'hang'
  /** An error of that status and code; nothing is carried out. */
  | { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> };

export interface SeenS3Request {
  readonly method: string;
  readonly key: string;
  readonly headers: IncomingMessage['headers'];
}

export interface S3DoubleOptions {
  readonly bucket?: string;
  /** `racing`: looks first and writes a moment later. `ignoring`: overwrites. `unknown`: answers 501. */
  readonly condition?: 'atomic' | 'racing' | 'ignoring' | 'unknown';
  readonly sessionToken?: string;
  /** Milliseconds by which its clock is ahead. */
  readonly ahead?: number;
  readonly server?: string;
  /** Gives metadata of users back; true if undefined. */
  readonly keepsMetadata?: boolean;
  /** What a body may have, as with a proxy in between; any size if undefined. */
  readonly mostBytes?: number;
}

export interface S3Double {
  readonly endpoint: string;
  readonly bucket: string;
  /** For signing, as environment variables. */
  readonly keys: {
    readonly AWS_ACCESS_KEY_ID: string;
    readonly AWS_SECRET_ACCESS_KEY: string;
    readonly AWS_SESSION_TOKEN?: string;
  };
  /** By key; a test may change them. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> }>;
  readonly seen: readonly SeenS3Request[];
  /** The next requests that match suffer these faults, one each. */
  fail(faults: readonly S3Fault[], matches?: (request: SeenS3Request) => boolean): void;
  /** All requests that match are denied from now on. */
  deny(matches: (request: SeenS3Request) => boolean): void;
  /** The bucket is gone. */
  removeBucket(): void;
  close(): Promise<void>;
}

const longestAge = 15 * 60_000;

export async function startS3Double(options: S3DoubleOptions = {}): Promise<S3Double> {
  const { bucket = 'acme-state', condition = 'atomic', ahead = 0 } = options;
  const keys = {
    AWS_ACCESS_KEY_ID: 'AKIADOUBLE',
    AWS_SECRET_ACCESS_KEY: 'the+secret/of=the-double',
    AWS_SESSION_TOKEN: options.sessionToken,
  };
  const objects: S3Double['objects'] = new Map();
  const seen: SeenS3Request[] = [];
  const denied: ((request: SeenS3Request) => boolean)[] = [];
  const faults: { readonly fault: S3Fault; readonly matches: (request: SeenS3Request) => boolean }[] = [];
  let bucketExists = true;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void serve(request, response, Buffer.concat(chunks)).catch(() => response.destroy()));
  });

  async function serve(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    const [, name = '', ...rest] = path.split('/').map(decodeURIComponent);
    const one = {
      method: request.method ?? '',
      key: rest.join('/'),
      headers: request.headers,
    };
    seen.push(one);
    const index = faults.findIndex(({ matches }) => matches(one));
    const fault = index === -1 ? undefined : faults.splice(index, 1)[0]?.fault;
    if (fault === 'lose-request') return void response.socket?.resetAndDestroy();
    const send = (status: number, text: string | Buffer, headers: Readonly<Record<string, string>> = {}): void => {
      if (fault === 'hang') return;
      if (fault === 'lose-answer') return void response.socket?.resetAndDestroy();
      response.writeHead(status, {
        ...headers,
        server: options.server ?? 'AlmanacDouble',
        date: new Date(Date.now() + ahead).toUTCString(),
      });
      response.end(text);
    };
    const refuse = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): void =>
      send(status, errorXml(code, `The double says ${code}`), { 'content-type': 'application/xml', ...headers });

    if (typeof fault === 'object') return refuse(fault.status, fault.code, fault.headers);
    const wrong = await signatureFault(request, body, keys, Date.now() + ahead);
    if (wrong !== undefined) return refuse(403, wrong);
    if (denied.some((matches) => matches(one))) return refuse(403, 'AccessDenied');
    if (!bucketExists || name !== bucket) return refuse(404, 'NoSuchBucket');
    if (one.method === 'GET') {
      const found = objects.get(one.key);
      return found === undefined ? refuse(404, 'NoSuchKey') : send(200, found.bytes, found.headers);
    }
    if (one.method === 'DELETE') {
      objects.delete(one.key);
      return send(204, '');
    }
    if (body.length > (options.mostBytes ?? Number.POSITIVE_INFINITY)) return send(413, '<h1>Too large</h1>');
    if (one.method !== 'PUT') return refuse(405, 'MethodNotAllowed');
    if (request.headers['content-md5'] !== createHash('md5').update(body).digest('base64'))
      return refuse(400, 'BadDigest');
    const isConditional = request.headers['if-none-match'] === '*';
    if (isConditional && condition === 'unknown') return refuse(501, 'NotImplemented');
    if (isConditional && condition !== 'ignoring') {
      if (objects.has(one.key)) return refuse(412, 'PreconditionFailed');
      if (condition === 'racing') await sleep(5);
    }
    const kept = Object.entries(request.headers).filter(([header]) =>
      (options.keepsMetadata === false ? /^content-type$/ : /^(x-amz-meta-|content-type$)/).test(header),
    );
    objects.set(one.key, {
      bytes: body,
      headers: Object.fromEntries(kept.map(([header, value]) => [header, String(value)])),
    });
    send(200, '', { etag: `"${createHash('md5').update(body).digest('hex')}"` });
  }

  const { port, close } = await listenOnLoopback(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    keys,
    objects,
    seen,
    fail: (given, matches = () => true) => {
      faults.push(...given.map((fault) => ({ fault, matches })));
    },
    deny: (matches) => {
      denied.push(matches);
    },
    removeBucket: () => {
      bucketExists = false;
    },
    close,
  };
}

function errorXml(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message><RequestId>1</RequestId></Error>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The error code for a request that is not signed as AWS Signature Version 4 demands; undefined if it is. */
async function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  keys: S3Double['keys'],
  now: number,
): Promise<string | undefined> {
  const { headers, method = '', url = '' } = request;
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = '', region = '', names = ''] = form.exec(headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== keys.AWS_ACCESS_KEY_ID) return 'InvalidAccessKeyId';
  if (headers['x-amz-security-token'] !== keys.AWS_SESSION_TOKEN) return 'InvalidToken';
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at - now) < longestAge) || !time.startsWith(day)) return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  const mustBe = [
    'host',
    ...Object.keys(headers).filter((name) => name.startsWith('x-amz-') || name === 'if-none-match'),
  ];
  if (mustBe.some((name) => !signed.includes(name))) return 'AccessDenied';
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
    return 'XAmzContentSHA256Mismatch';
  const given = Object.entries(headers).filter(([name]) => signed.includes(name) && name !== 'x-amz-date');
  const signer = new AwsV4Signer({
    method,
    url: `http://${headers.host}${url}`,
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    service: 's3',
    region,
    datetime: time,
    accessKeyId: id,
    secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
    sessionToken: keys.AWS_SESSION_TOKEN,
  });
  const { headers: expected } = await signer.sign();
  return expected.get('authorization') === headers.authorization ? undefined : 'SignatureDoesNotMatch';
}
