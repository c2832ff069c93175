// The emulator without a socket: the real adapter hands each request to the listener of the emulator's server, in the process
// of the test. A connection would only take time.

import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import type { Emulator } from '../../../src/emulator/emulator.ts';
import type { Api } from '../../../src/omni/api.ts';
import { connectHttpApi, type HttpApiSettings } from '../../../src/omni/http-api.ts';

/** By an origin that there is not. */
const servers = new Map<string, Emulator['server']>();
let connections = 0;

/** What the adapter of a run connects to in place of the base URL of its settings. */
export async function connectInProcess(emulator: Emulator, settings: HttpApiSettings): Promise<Api> {
  connections += 1;
  const origin = `http://in-process-${connections}.test`;
  servers.set(origin, emulator.server);
  const api = await connectHttpApi({ ...settings, baseUrl: `${origin}/api`, allowHttp: true });
  const close = async () => {
    servers.delete(origin);
    await api.close();
  };
  return { ...api, close };
}

const { dispatch } = Agent.prototype;

Agent.prototype.dispatch = function dispatchInProcess(this: Agent, options, handler) {
  const server = servers.get(String(options.origin));
  if (server === undefined) return dispatch.call(this, options, handler);
  hand(server, options, handler);
  return true;
};

function hand(
  server: Emulator['server'],
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): void {
  let isOver = false;
  const controller = {
    ...{ aborted: false, paused: false, reason: null, rawHeaders: null, rawTrailers: null },
    abort: () => {
      isOver = true;
    },
    pause: () => undefined,
    resume: () => undefined,
  } as Dispatcher.DispatchController;
  handler.onRequestStart?.(controller, {});
  if (isOver) return;
  const { method, path: url, body, headers } = options;
  const sent = Object.entries(headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value]);
  const request = Object.assign(Readable.from(body ? [Buffer.from(body as string)] : []), {
    ...{ method, url, headers: { host: '127.0.0.1', ...Object.fromEntries(sent) }, complete: true },
  });
  server.emit('request', request, responseTo(handler, controller));
}

/** As much of a response as the emulator uses. */
function responseTo(handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController) {
  const headers: Record<string, string> = {};
  const response = {
    destroyed: false,
    setHeader: (name: string, value: unknown) => {
      headers[name] = String(value);
    },
    writeHead: (status: number, more: object) => {
      for (const [name, value] of Object.entries(more)) response.setHeader(name, value);
      handler.onResponseStart?.(controller, status, headers);
    },
    write: (bytes: Buffer, done: () => void) => {
      handler.onResponseData?.(controller, bytes);
      done();
    },
    end: (bytes: Buffer | string) => {
      handler.onResponseData?.(controller, Buffer.from(bytes));
      handler.onResponseEnd?.(controller, {});
    },
    destroy: () => {
      response.destroyed = true;
      const error = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
      handler.onResponseError?.(controller, error);
    },
  };
  return response;
}
