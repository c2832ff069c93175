// The reports of each receiver: a person, channel, server or bucket. Shows the list or group of each, and who is
// outside.

import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { PageReceiver, PageReport } from './page-model.ts';

export interface PageRecipient extends Pick<PageReceiver, 'recipient' | 'kind' | 'isOutside'> {
  /** Direct deliveries come first. */
  readonly ways: readonly { readonly via: string; readonly reports: readonly PageReport[] }[];
  /** Each once. */
  readonly reports: readonly PageReport[];
}

/** Sorted by name. */
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
      return { recipient, kind, isOutside, ways, reports: [...new Set(same.map(({ report }) => report))] };
    })
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient));
}

export interface OutsidePlace {
  /** A domain or a host. */
  readonly name: string;
  /** The reports for the same receivers through the same list. */
  readonly ways: readonly {
    readonly via: string;
    readonly recipients: readonly string[];
    readonly reports: readonly PageReport[];
  }[];
  /** Each once. */
  readonly reports: readonly PageReport[];
}

/** Sorted by domain. */
export function outsideIn(reports: readonly PageReport[]): readonly OutsidePlace[] {
  const going = reports.flatMap((report) => {
    const outside = report.receivers.filter(({ isOutside }) => isOutside);
    const ways = groupBy(outside, ({ place, via }) => `${place}\n${via}`);
    return [...ways.values()].map((same) => {
      const [{ place, via }] = same as [PageReceiver];
      return { report, place, via, recipients: same.map(({ recipient }) => recipient) };
    });
  });
  return [...groupBy(going, ({ place }) => place)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, ofPlace]) => ({
      name,
      ways: [...groupBy(ofPlace, ({ via, recipients }) => JSON.stringify([via, recipients]))]
        .sort(([a], [b]) => byCodeUnit(a, b))
        .map(([, same]) => {
          const [{ via, recipients }] = same as [(typeof same)[number]];
          return { via, recipients, reports: same.map(({ report }) => report) };
        }),
      reports: [...new Set(ofPlace.map(({ report }) => report))],
    }));
}
