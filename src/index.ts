// The library: what other programs may build on. Everything else may change from one version to the next.

export type { ValidateDocument } from './commands/validate/validate-document.ts';
export { canonicalCron } from './cron/canonical-cron.ts';
export { comingRuns } from './cron/coming-runs.ts';
export type { Cron, CronProblem } from './cron/cron.ts';
export { parseCron } from './cron/parse-cron.ts';
export { createEmulator, type Emulator, type EmulatorOptions } from './emulator/emulator.ts';
export { BadFault, type Fault, type FaultName, parseFault } from './emulator/faults.ts';
export type { ApplyDocument, ApplyResult } from './model/plan/apply-outcome.ts';
export type { Change, FieldDiff, PlanDocument } from './model/plan/plan.ts';
export type { State, StateResource } from './model/plan/state.ts';
export type { DocumentsDocument, ListedDocument } from './model/service/documents.ts';
export type { Diagnostic } from './model/workspace/diagnostic.ts';
export type { WebhookEvent } from './webhook/read-event.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  type WebhookVerdict,
} from './webhook/verify-webhook.ts';
