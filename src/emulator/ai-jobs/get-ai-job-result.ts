// GET .../result: what a complete job did and found, available for fourteen days.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { chatUrl, findJob } from './find-job.ts';
import { rows } from './run-jobs.ts';

const keptMs = 14 * 86_400_000;

export function getAiJobResult(call: Call): Answer {
  const { store } = call;
  const job = findJob(call);
  if (job.status !== 'COMPLETE') throw new Rejection(404, `AI job ${job.id} has no result: it is ${job.status}`);
  const completedAt = job.completedAt ?? job.createdAt;
  if (Date.parse(completedAt) + keptMs <= store.now()) {
    throw new Rejection(404, `The result of AI job ${job.id} is no longer kept`);
  }
  const resultSummary = job.resultSummary ?? '';
  return {
    status: 200,
    body: {
      actions: [
        {
          type: 'generate_query',
          message: 'A query by region answers this.',
          timestamp: completedAt,
          result: {
            queryName: 'Sales by region',
            status: 'success',
            query: {},
            csvResult: ['Region,Sales', ...rows].join('\n'),
            csvResultWasTruncated: false,
            hasResults: true,
            totalRowCount: rows.length,
          },
        },
      ],
      message: resultSummary,
      resultSummary,
      topic: job.fields['topicName'] ?? 'order_items',
      omniChatUrl: chatUrl(job, store),
    },
  };
}
