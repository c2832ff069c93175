// What is measured, in the order of the table.

import type { Row } from './figure.ts';
import { measureApplies } from './groups/apply.ts';
import { measureLarge } from './groups/large.ts';
import { measureOneCore, measurePlans } from './groups/plan.ts';
import { measureSecrets } from './groups/secrets.ts';
import { measureApplyLimit, measureSharedStates } from './groups/shared-state.ts';
import { measureStart } from './groups/start.ts';
import { measureTerraform, measureTerraformCreates } from './groups/terraform.ts';
import { measureValidate } from './groups/validate.ts';
import type { Lab } from './lab.ts';

export interface Group {
  readonly name: string;
  readonly measure: (lab: Lab) => Promise<readonly Row[]>;
  /** Takes minutes, so it is only measured when it is named. */
  readonly slow?: string;
}

const octoDns: Row = { name: 'plan / octoDNS', leftOut: 'not measured, there is no tested setup' };

export const groups: readonly Group[] = [
  { name: 'start', measure: measureStart },
  { name: 'plan', measure: measurePlans },
  { name: 'one-core', measure: measureOneCore },
  { name: 'validate', measure: measureValidate },
  { name: 'terraform', measure: measureTerraform },
  { name: 'terraform-creates', measure: measureTerraformCreates, slow: 'takes three minutes' },
  { name: 'octodns', measure: async () => [octoDns] },
  { name: 'large', measure: measureLarge, slow: 'takes three minutes' },
  { name: 'secrets', measure: measureSecrets },
  { name: 'apply', measure: measureApplies },
  { name: 'apply-limit', measure: measureApplyLimit, slow: 'takes three minutes' },
  { name: 'shared-state', measure: measureSharedStates, slow: 'takes five minutes' },
];
