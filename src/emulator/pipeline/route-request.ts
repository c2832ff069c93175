// Finds the operation for a method and a path. A known path with another method is 405; anything else is 404.

import { Rejection } from './answer.ts';
import type { Operation, Step } from './exchange.ts';

export const basePath = '/api';

export function routeBy(operations: readonly Operation[]): Step {
  return (exchange) => {
    const matches = operations.flatMap((operation) => {
      const params = matchPath(basePath + operation.path, exchange.path);
      return params === undefined ? [] : [{ operation, params }];
    });
    if (matches.length === 0) throw new Rejection(404, `There is no operation at ${exchange.path}`);
    const route = matches.find(({ operation }) => operation.method === exchange.method);
    if (route === undefined) {
      const allowed = matches.map(({ operation }) => operation.method).join(', ');
      throw new Rejection(405, 'Invalid request method', { Allow: allowed });
    }
    exchange.route = route;
    return undefined;
  };
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split('/');
  const segments = path.split('/');
  if (expected.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = decodeSegment(segments[index] ?? '');
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined && segment) params[name] = segment;
    else if (segment !== part) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
