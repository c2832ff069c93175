// The page without persons: how many of which domain instead, and no address and no Slack id in any of its texts.

import { groupBy } from '../../model/values/group-by.ts';
import { countOf } from '../../model/values/words.ts';
import type { PageModel, PageReceiver, PageReport } from './page-model.ts';
import { mapTexts, maskingTexts, someone } from './public-text.ts';

export function maskRecipients(model: PageModel): PageModel {
  const slackIds = model.reports.flatMap(({ receivers }) =>
    receivers.flatMap(({ kind, recipient }) => (kind === 'slack' ? [recipient] : [])),
  );
  const mask = maskingTexts(slackIds);
  const reports = model.reports.map((report, index): PageReport => {
    const { subject, receivers } = report;
    const shown = mapTexts({ ...report, receivers: counted(receivers) }, mask);
    // An id is made of a key, which may have the shape of a Slack id.
    return {
      ...shown,
      id: `r${index + 1}`,
      subject: subject && { ...mapTexts(subject, mask), link: whole(subject.link, mask) },
    };
  });
  return { ...mapTexts(model, mask), reports, isMasked: true };
}

function whole(link: string | undefined, mask: (text: string) => string): string | undefined {
  if (link === undefined) return undefined;
  return mask(link) === link && mask(decodeURIComponent(link)) === decodeURIComponent(link) ? link : undefined;
}

/** `3 people of acme.com`. */
function counted(receivers: readonly PageReceiver[]): readonly PageReceiver[] {
  const same = groupBy(receivers, ({ kind, place, via }) => `${kind}\n${place}\n${via}`);
  return [...same.values()].map((each) => {
    const [first] = each as [PageReceiver];
    return { ...first, ...(namedBy[first.kind]?.(each) ?? {}) };
  });
}

type Counted = Pick<PageReceiver, 'recipient' | 'place'>;

/** Undefined for what is no person. */
const namedBy: Partial<Record<PageReceiver['kind'], (same: readonly PageReceiver[]) => Counted>> = {
  email: (same) => {
    const people = countOf(same.length, 'person', 'people');
    const [{ place }] = same as [PageReceiver];
    // A way behind a domain is named by a whole address.
    return place.includes('@') ? { recipient: people, place: someone } : { recipient: `${people} of ${place}`, place };
  },
  slack: (same) => {
    const people = same.filter(({ recipient }) => /^[UW]/.test(recipient)).length;
    const channels = same.length - people;
    const words = [
      ...(people > 0 ? [countOf(people, 'person', 'people')] : []),
      ...(channels > 0 ? [countOf(channels, 'channel')] : []),
    ];
    return { recipient: `${words.join(' and ')} in Slack`, place: 'Slack' };
  },
};
