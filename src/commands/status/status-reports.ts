// The status in any format, made from the one document.

import type { StatusDocument } from '../../model/deliveries/status-document.ts';
import { renderStatusJunit } from '../../render/status/status-junit.ts';
import { renderStatusMarkdown } from '../../render/status/status-markdown.ts';
import { renderStatusText } from '../../render/status/status-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { plainTheme } from '../../render/text/theme.ts';
import type { StatusFormat } from '../base/formats.ts';
import type { Run } from '../base/run.ts';
import type { StatusOptions } from './command.ts';

/** For a file or a program. Each ends with a newline. */
export const renderStatus: Readonly<Record<StatusFormat, (document: StatusDocument) => string>> = {
  text: (document) => renderStatusText(document, { theme: plainTheme, width: 80 }),
  json: renderJson,
  markdown: renderStatusMarkdown,
  junit: renderStatusJunit,
};

export function printStatus(run: Run, options: StatusOptions, document: StatusDocument): void {
  const { format } = options;
  if (format === 'text') run.stdout.write(renderStatusText(document, run.page()));
  else run.stdout.data(renderStatus[format](document));
}
