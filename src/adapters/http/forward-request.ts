// Forwards a received request with the same bytes and headers, except the headers that belong to a connection.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ForwardRequest } from '../../ports/webhook-receiver.ts';

const timeoutMs = 10_000;

const ofTheConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'expect', 'host', 'content-length'],
]);

export const forwardRequest: ForwardRequest = (url, { headers, body }) =>
  new Promise((resolve) => {
    const send = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
    const kept = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofTheConnection.has(name) ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    );
    const fail = (error: Error): void => resolve({ problem: error.message || 'no connection' });
    const request = send(url, {
      method: 'POST',
      agent: false,
      timeout: timeoutMs,
      headers: { ...Object.fromEntries(kept), 'content-length': body.byteLength },
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    request.on('error', fail);
    request.on('response', (response) => {
      response.on('error', fail);
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    request.end(body);
  });
