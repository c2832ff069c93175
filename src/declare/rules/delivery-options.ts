// Options of a schedule that have no effect, that the service reportedly rejects, or that this workspace cannot apply.

import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import type { Operations } from '../../model/workspace/config.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';

export const deliveryOptionsFit: Rule = ({ kind, value }, { operations }) => {
  if (kind !== 'schedule' || !isJsonObject(value)) return [];
  const findings: RuleFinding[] = [];
  if (value['maxRowLimit'] !== undefined && value['overrideRowLimit'] !== true) {
    findings.push({
      code: 'row-limit-without-override',
      message: 'maxRowLimit is used only together with overrideRowLimit true, so it has no effect here.',
      hint: 'Add `overrideRowLimit: true`, or remove maxRowLimit.',
      pointer: '/maxRowLimit',
      at: 'key',
    });
  }
  if (value['paperFormat'] === 'fit_page' && value['singleColumnLayout'] === true) {
    findings.push({
      code: 'fit-page-single-column',
      message:
        'According to its documentation, Omni rejects paperFormat fit_page together with singleColumnLayout true.',
      hint: 'Choose a paper size, or remove singleColumnLayout.',
      pointer: '/singleColumnLayout',
      at: 'key',
    });
  }
  if (value['testNow'] === true) {
    findings.push({
      code: 'one-off-schedule',
      message: 'With testNow true, applying sends one delivery and creates no recurring schedule.',
      hint: 'Remove testNow for a recurring schedule.',
      pointer: '/testNow',
      at: 'key',
    });
  }
  if (value['paused'] !== undefined && operations === 'core') {
    findings.push({
      code: 'paused-needs-full',
      message: 'This workspace uses operations core, which cannot pause a schedule.',
      hint: 'Set `api: { operations: full }` in almanac.yaml, or remove paused.',
      pointer: '/paused',
      at: 'key',
    });
  }
  return [...findings, ...ownerFindings(value, operations)];
};

function ownerFindings({ owner, userId }: JsonObject, operations: Operations): readonly RuleFinding[] {
  if (owner === undefined) return [];
  const findings: RuleFinding[] = [];
  if (operations === 'core') {
    findings.push({
      code: 'owner-needs-full',
      message: 'This workspace uses operations core, which cannot transfer a schedule.',
      hint: 'Set `api: { operations: full }` in almanac.yaml, or remove owner.',
      pointer: '/owner',
      at: 'key',
    });
  }
  // An address and an id may name the same person, and nobody can tell without asking Omni.
  if (userId !== undefined && String(owner).toLowerCase() !== String(userId).toLowerCase()) {
    findings.push({
      code: 'owner-conflict',
      message: 'owner and userId do not name the same user in the same way.',
      hint: 'Remove userId: a new schedule is created for its owner.',
      pointer: '/userId',
      at: 'key',
    });
  }
  return findings;
}
