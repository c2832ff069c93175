// The document of `doctor --format json` (schemas/doctor.schema.json): whether everything is ready for an apply.

import { described, flag, formatVersion, listOf, oneOf, record, type TypeOf, text } from '../../model/values/schema.ts';

/** In the order in which they are carried out and shown. */
export const checkNames = [
  'versions',
  'configuration',
  'base-url',
  'token',
  'rights',
  'permissions',
  'clock',
  'state',
  'lock',
  'state-branch',
  'secrets',
  'git',
] as const;

export type CheckName = (typeof checkNames)[number];

/** The worst is last. */
export const checkStatuses = ['skipped', 'ok', 'warning', 'failed'] as const;

export type CheckStatus = (typeof checkStatuses)[number];

const checkSchema = record({
  name: oneOf(...checkNames),
  status: oneOf(...checkStatuses),
  message: text,
  'hint?': described(text, 'What to do.'),
});
export type Check = TypeOf<typeof checkSchema>;

export const doctorSchema = record({
  formatVersion,
  ok: described(flag, 'No check failed.'),
  checks: described(listOf(checkSchema), 'Every check, always in the same order.'),
});
export type DoctorDocument = TypeOf<typeof doctorSchema>;
