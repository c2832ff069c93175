// The health of a schedule's deliveries.

/** The gravest first: in this order they are listed. */
export const healths = [
  'failed',
  'missed',
  'stopped',
  'unknown',
  'fine',
  'paused',
  'condition-unmet',
  'never-ran',
] as const;

export type Health = (typeof healths)[number];

export function needsAttention(health: Health): boolean {
  return health === 'failed' || health === 'missed' || health === 'stopped';
}
