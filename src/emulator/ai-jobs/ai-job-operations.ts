// The operations on an AI job that exists. The one that creates it belongs to the documented minimum.

import type { Operation } from '../pipeline/exchange.ts';
import { cancelAiJob } from './cancel-ai-job.ts';
import { getAiJob } from './get-ai-job.ts';
import { getAiJobResult } from './get-ai-job-result.ts';

const job = '/v1/ai/jobs/{jobId}';

export const aiJobOperations: readonly Operation[] = [
  { method: 'GET', path: job, hasBody: false, answer: getAiJob },
  { method: 'GET', path: `${job}/result`, hasBody: false, answer: getAiJobResult },
  { method: 'POST', path: `${job}/cancel`, hasBody: false, answer: cancelAiJob },
];
