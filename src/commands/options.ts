// The options that every command has, and those that several share.

export interface GlobalOptions {
  readonly chdir?: string;
  readonly config?: string;
  readonly env?: string;
  readonly state?: string;
  /** False with --no-color. */
  readonly color: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export type TextOrJson = 'text' | 'json';

export interface PlanShape {
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  readonly allowEmpty?: boolean;
}
