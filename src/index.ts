// The library: what other programs may build on. Everything else may change from one version to the next.

export { canonicalCron } from './cron/canonical-cron.ts';
export { comingRuns } from './cron/coming-runs.ts';
export type { Cron, CronProblem } from './cron/cron.ts';
export { parseCron } from './cron/parse-cron.ts';
export { createEmulator, type Emulator, type EmulatorOptions } from './emulator/emulator.ts';
export { BadFault, type Fault, type FaultName } from './emulator/faults/fault.ts';
export { parseFault } from './emulator/faults/parse-fault.ts';
export type { ApplyDocument, ApplyResult } from './model/apply-outcome.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export type { DocumentsDocument, ListedDocument } from './model/documents.ts';
export type { Change, FieldDiff, PlanDocument } from './model/plan.ts';
export type { State, StateResource } from './model/state.ts';
export type { ValidateDocument } from './model/validate-document.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  type WebhookVerdict,
} from './webhook/verify-webhook.ts';
export type { WebhookEvent } from './webhook/webhook-event.ts';
