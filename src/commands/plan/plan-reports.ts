// A plan in any format, made from the one document. What a format needs is loaded when that format is asked for.

import type { PlanDocument } from '../../model/plan/plan.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { renderPlanText } from '../../render/plan/plan-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { plainTheme } from '../../render/text/theme.ts';
import { cronWords } from '../base/cron-words.ts';
import type { PlanReportFormat } from '../base/formats.ts';
import { planDiagnosticsText } from '../base/print-diagnostics.ts';

export interface ReportedPlan {
  readonly document: PlanDocument;
  /** Undefined for a saved plan, whose files may have changed since. */
  readonly source?: FindingSource;
  /** Epoch milliseconds. */
  readonly now: number;
}

const fileWidth = 80;

/** Ends with a newline. As text it begins with the diagnostics, and shows everything, as with -v. */
export async function renderPlan(format: PlanReportFormat, plan: ReportedPlan): Promise<string> {
  const { document, source, now } = plan;
  switch (format) {
    case 'json':
      return renderJson(document);
    case 'markdown':
      return (await import('../../render/plan/markdown/plan-markdown.ts')).renderPlanMarkdown(document, {
        cron: await cronWords(now, document),
      });
    case 'html':
      return (await import('../../render/plan/html/plan-html.ts')).renderPlanHtml(document, {
        cron: await cronWords(now, document),
        now,
      });
    case 'gitlab':
      return (await import('../../render/plan/plan-gitlab.ts')).renderGitlabWidget(document);
    case 'text': {
      const page = { theme: plainTheme, width: fileWidth };
      const said = planDiagnosticsText(document, 'plan', source, page);
      const text = renderPlanText(document, { ...page, showsAll: true, cron: await cronWords(now, document) });
      return `${said}${said === '' ? '' : '\n'}${text}`;
    }
  }
}
