// Sends one POST to a webhook: follows no redirect, and reads only the status of the answer.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { parsedUrl } from '../pipeline/parsed-url.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;

/** The status, or the reason why there is none. Never throws. */
export function post({ url, headers, body, signal }: Post): Promise<{ status: number | null; error?: string }> {
  return new Promise((resolve) => {
    const send = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
    const bytes = Buffer.from(body);
    const fail = (error: Error): void => resolve({ status: null, error: error.message || 'no connection' });
    try {
      const request = send(url, {
        method: 'POST',
        agent: false,
        signal,
        timeout: timeoutMs,
        headers: { 'User-Agent': 'almanac-emulator', ...headers, 'Content-Length': bytes.length },
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      request.on('error', fail);
      request.on('response', (response) => {
        response.resume();
        response.on('error', fail);
        resolve({ status: response.statusCode ?? null });
      });
      request.end(bytes);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Whether the URL points to this machine, however it is written. */
export function isLoopback(url: string): boolean {
  const hostname = parsedUrl(url)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
