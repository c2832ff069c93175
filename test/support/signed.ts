// A webhook request as the service signs it.

import { createHmac } from 'node:crypto';

export const webhookSecret = 'whsec_of-the-tests';

export interface SignOptions {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly secret?: string;
  readonly encoding?: 'hex' | 'base64' | 'base64url';
  readonly scheme?: string;
}

export function signed(
  body: string | Uint8Array,
  { at, secret = webhookSecret, encoding = 'hex', scheme = 'sha256=' }: SignOptions,
) {
  const timestamp = String(Math.floor(at / 1000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest(encoding);
  return { 'X-Omni-Signature-Timestamp': timestamp, 'X-Omni-Signature': `${scheme}${digest}` };
}

export function eventBody(changes: object = {}): string {
  return JSON.stringify({
    event_id: 'evt_7_COMPLETE_1772323210',
    jobId: '7',
    status: 'COMPLETE',
    result_summary: 'Up by 4 %.',
    metadata: { a: [1] },
    completed_at: '2026-03-01T00:00:10.000Z',
    ...changes,
  });
}
