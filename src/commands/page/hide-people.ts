// The page without persons: how many of which domain instead, and no address and no Slack id in any of its texts.

import type { PageModel, PageReport } from './page-model.ts';
import { mapTexts, maskingTexts } from './public-text.ts';
import { countedReceivers } from './recipient-kinds.ts';

export function maskRecipients(model: PageModel): PageModel {
  const slackIds = model.reports.flatMap(({ receivers }) =>
    receivers.flatMap(({ kind, recipient }) => (kind === 'slack' ? [recipient] : [])),
  );
  const mask = maskingTexts(slackIds);
  const reports = model.reports.map((report, index): PageReport => {
    const { subject, link, receivers } = report;
    const shown = mapTexts({ ...report, receivers: countedReceivers(receivers) }, mask);
    // An id is made of a key, which may have the shape of a Slack id.
    return {
      ...shown,
      id: `r${index + 1}`,
      link: whole(link, mask),
      subject: subject && { ...mapTexts(subject, mask), link: whole(subject.link, mask) },
    };
  });
  return { ...mapTexts(model, mask), reports, isMasked: true };
}

function whole(link: string | undefined, mask: (text: string) => string): string | undefined {
  if (link === undefined) return undefined;
  return mask(link) === link && mask(decodeURIComponent(link)) === decodeURIComponent(link) ? link : undefined;
}
