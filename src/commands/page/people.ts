// What each receives: a person, a channel, a server or a bucket, through each list or group, and who is outside.

import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { PageReceiver, PageReport } from './page-model.ts';

export interface PageRecipient extends Pick<PageReceiver, 'recipient' | 'kind' | 'isOutside'> {
  /** What comes to it directly is first. */
  readonly ways: readonly { readonly via: string; readonly reports: readonly PageReport[] }[];
  readonly count: number;
}

/** By name. */
export function recipientsIn(reports: readonly PageReport[]): readonly PageRecipient[] {
  const received = reports.flatMap((report) => report.receivers.map((receiver) => ({ report, receiver })));
  const byName = groupBy(received, ({ receiver: { kind, recipient } }) => `${recipient}\n${kind}`);
  return [...byName.values()]
    .map((same): PageRecipient => {
      const [first] = same as [(typeof same)[number]];
      const { recipient, kind, isOutside } = first.receiver;
      const ways = [...groupBy(same, ({ receiver }) => receiver.via)]
        .sort(([a], [b]) => byCodeUnit(a, b))
        .map(([via, each]) => ({ via, reports: each.map(({ report }) => report) }));
      return { recipient, kind, isOutside, ways, count: same.length };
    })
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient));
}

export interface OutsidePlace {
  /** A domain or a host. */
  readonly name: string;
  readonly reports: readonly { readonly report: PageReport; readonly receivers: readonly PageReceiver[] }[];
}

/** By domain. */
export function outsideIn(reports: readonly PageReport[]): readonly OutsidePlace[] {
  const all = reports.flatMap((report) =>
    report.receivers.filter(({ isOutside }) => isOutside).map((receiver) => ({ report, receiver })),
  );
  return [...groupBy(all, ({ receiver }) => receiver.place)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, same]) => ({
      name,
      reports: [...groupBy(same, ({ report }) => report)].map(([report, each]) => ({
        report,
        receivers: each.map(({ receiver }) => receiver),
      })),
    }));
}
