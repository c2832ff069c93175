// Stands between the program and an emulator, and keeps what was sent: what reaches the service is what counts, and not
// what a report says. A test may change what is answered, or answer itself.

import { type ScriptedServer, type SeenRequest, startServer } from '../state/scripted-server.ts';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface Passed {
  readonly status: number;
  readonly text: string;
  readonly date?: string;
}

/** Answers a request, most often with what `forward` brings; undefined: the connection ends. */
export type Pass = (request: SentRequest, forward: () => Promise<Passed>) => Promise<Passed | undefined>;

/** Its base URL ends in `/api`, as that of the service behind it. */
export interface Gateway extends Pick<ScriptedServer, 'baseUrl' | 'close'> {
  readonly sent: SentRequest[];
  pass: Pass;
}

/** `target`: the base URL of the emulator. */
export async function openGateway(target: string, pass: Pass = (_, forward) => forward()): Promise<Gateway> {
  const sent: SentRequest[] = [];
  const forward = async ({ method, url, headers: { authorization = '' }, body }: SeenRequest) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(new URL(url, target), { method, headers, body: body || undefined });
    return { status: answer.status, text: await answer.text() };
  };
  const { baseUrl, close } = await startServer([
    async (response, seen) => {
      const request = { method: seen.method, path: seen.url, body: seen.body };
      sent.push(request);
      const passed = await gateway.pass(request, () => forward(seen));
      if (passed === undefined) return response.destroy();
      const { status, text, date } = passed;
      return response.writeHead(status, { 'content-type': 'application/json', ...(date && { date }) }).end(text);
    },
  ]);
  const gateway: Gateway = { baseUrl, sent, pass, close };
  return gateway;
}
