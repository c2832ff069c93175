// Receives the body of a request: JSON media type, at most one megabyte, valid UTF-8.

import type { IncomingMessage } from 'node:http';
import { Rejection } from './answer.ts';
import type { Step } from './exchange.ts';

const maxBytes = 1_000_000;

// Deeper bodies can be parsed, but overflow the stack when they are copied or printed later.
const maxDepth = 200;

export const receiveBody: Step = async (exchange) => {
  if (exchange.route?.operation.hasBody !== true) return undefined;
  const bytes = await readBytes(exchange.request);
  if (!isJsonMediaType(exchange.request.headers['content-type'])) {
    throw new Rejection(415, 'Content-Type must be application/json');
  }
  exchange.body = parseJson(bytes);
  return undefined;
};

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Reads an oversized body to its end, so that the client receives the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw new Rejection(413, `The request body is larger than ${maxBytes} bytes`);
  return Buffer.concat(chunks);
}

function isJsonMediaType(header: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/i.test(header?.split(';')[0]?.trim() ?? '');
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (depthOf(text) <= maxDepth) return JSON.parse(text);
  } catch {
    throw new Rejection(400, 'Bad Request: The request body is not valid JSON');
  }
  throw new Rejection(400, `Bad Request: The request body is nested more than ${maxDepth} deep`);
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString && character === '\\') index++;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '[' || character === '{')) deepest = Math.max(deepest, ++depth);
    else if (!inString && (character === ']' || character === '}')) depth--;
  }
  return deepest;
}
