// What a reviewer must see first: a closed list of findings about a plan, each with how grave it looks. Found once by the
// planner, kept in the plan document, and shown first by every report.

/** In the order in which reports list them. */
export const dangerGravity = {
  deleted: 'grave',
  'outside-domain': 'grave',
  'outside-host': 'grave',
  'outside-owner': 'grave',
  'new-bucket': 'grave',
  'new-aws-account': 'grave',
  'secret-elsewhere': 'grave',
  blocked: 'caution',
  unresolved: 'caution',
  replaced: 'caution',
  orphaned: 'caution',
  forgotten: 'caution',
  orphans: 'caution',
  'password-removed': 'caution',
  'new-owner': 'caution',
  'outside-recipient': 'caution',
  'recipient-added': 'caution',
  'recipient-removed': 'caution',
  'inside-domain': 'caution',
  'inside-host': 'caution',
  'new-slack-channel': 'caution',
  paused: 'caution',
  resumed: 'caution',
  unread: 'caution',
} as const satisfies Readonly<Record<string, Gravity>>;

export type Gravity = 'grave' | 'caution';
export type DangerCode = keyof typeof dangerGravity;

export interface Danger {
  readonly code: DangerCode;
  readonly gravity: Gravity;
  /** `2 resources are deleted`. */
  readonly title: string;
  /** One for each distinct subject: equal ones are folded. None where the title says all. */
  readonly items: readonly DangerItem[];
}

export interface DangerItem {
  /** An address, a recipient, a domain, a variable. */
  readonly subject: string;
  /** Why, or which resources it concerns; names are in backticks. */
  readonly detail?: string;
}
