// The forms that fields of several kinds share.

import type { Shape } from './field.ts';
import * as patterns from './patterns.ts';

export const uuid = {
  type: 'string',
  pattern: patterns.uuid,
  patternWords: 'A UUID, such as `987fcdeb-51a2-43d7-9b56-254415f67890`.',
  code: 'invalid-uuid',
} as const satisfies Shape;

export const webAddress = {
  type: 'string',
  pattern: patterns.urlShape,
  patternWords: 'An absolute URL that begins with `http://` or `https://` and names a host.',
  code: 'invalid-url',
  explained: true,
} as const satisfies Shape;

export const dashboardIdentifier = {
  type: 'string',
  minLength: 1,
  pattern: patterns.identifierShape,
  patternWords: 'Only the identifier, such as `12db1a0a`: the last part of the URL, not the whole URL.',
  code: 'identifier-is-url',
  explained: true,
} as const satisfies Shape;

export const emailAddress = {
  type: 'string',
  pattern: patterns.emailShape,
  patternWords: 'An e-mail address, such as `ana@example.com`.',
  code: 'invalid-email',
  explained: true,
} as const satisfies Shape;
