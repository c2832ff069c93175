// Whether everything is in place for an apply: the document that `doctor --format json` prints
// (schemas/doctor.schema.json).

/** In the order in which they are carried out and shown. */
export const checkNames = [
  'versions',
  'configuration',
  'base-url',
  'token',
  'rights',
  'clock',
  'state',
  'lock',
  'state-branch',
  'secrets',
  'git',
] as const;

export type CheckName = (typeof checkNames)[number];

/** The worst last. */
export const checkStatuses = ['skipped', 'ok', 'warning', 'failed'] as const;

export type CheckStatus = (typeof checkStatuses)[number];

export interface Check {
  readonly name: CheckName;
  readonly status: CheckStatus;
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
}

export interface DoctorDocument {
  readonly formatVersion: 1;
  /** No check failed. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}
