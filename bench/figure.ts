// What one measurement gives: a row of the table.

/** Smaller is better, whatever the unit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `×` is a ratio of times: ours to those of `to`. */
  readonly unit: '×' | 'MB' | 'ms';
  readonly to?: string;
  /** Of a program of other people. */
  readonly toVersion?: string;
  /** At most this. */
  readonly target?: number;
  readonly milliseconds?: number;
  readonly toMilliseconds?: number;
  readonly megabytes?: number;
  /** What else was counted. */
  readonly note?: string;
}

/** What was not measured, and why. */
export interface LeftOut {
  readonly name: string;
  readonly leftOut: string;
}

export type Row = Figure | LeftOut;

/** Said instead of a figure that is a difference of times and lost in the noise: it meets no target. */
export const tooNoisy = 'not measurable, the noise is larger';

export function isFigure(row: Row): row is Figure {
  return 'value' in row;
}

/** With the digits that the table shows. Undefined without a target. */
export function isMet({ value, target }: Figure): boolean | undefined {
  return target === undefined ? undefined : Number(value.toFixed(2)) <= target;
}

/** What a figure is found by in another run. */
export function keyOf({ name, to }: Figure): string {
  return to === undefined ? name : `${name} / ${to}`;
}
