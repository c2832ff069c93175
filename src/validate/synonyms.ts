// Words of other tools, and of people, for fields. Each has one meaning here, so the error names the field.

const byField: Readonly<Record<string, readonly string[]>> = {
  identifier: ['dashboard', 'dashboardId', 'dashboardIdentifier', 'documentId'],
  name: ['title', 'label'],
  schedule: ['cron', 'crontab', 'cronExpression', 'when', 'every'],
  timezone: ['tz', 'zone'],
  format: ['fileType', 'output'],
  destinationType: ['destination', 'deliverTo', 'via'],
  recipients: ['to', 'emails', 'email', 'addresses', 'channel', 'slackChannel', 'users'],
  textBody: ['body', 'message', 'text'],
  url: ['webhook', 'webhookUrl', 'endpoint'],
  address: ['host', 'hostname', 'server'],
  username: ['user', 'login'],
  path: ['folder', 'directory'],
  passwordUnencrypted: ['password'],
  bucketName: ['bucket', 's3Bucket'],
  roleArn: ['role', 'arn', 'iamRole'],
  keyPrefix: ['prefix'],
  filterConfig: ['filters', 'filterValues'],
  maxRowLimit: ['limit', 'rowLimit', 'maxRows'],
  paperOrientation: ['orientation'],
  paperFormat: ['paper', 'paperSize', 'pageSize'],
  prompt: ['question', 'query'],
};

/** The field that people call so, of those that are possible. */
export function calledSo(word: string, names: readonly string[]): string | undefined {
  const plain = word.replaceAll(/[-_]/g, '').toLowerCase();
  return names.find((name) =>
    (Object.hasOwn(byField, name) ? byField[name] : [])?.some((synonym) => synonym.toLowerCase() === plain),
  );
}
