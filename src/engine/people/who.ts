// Everybody who receives something, with each delivery and the place that names them. Reads what was loaded and a state;
// sends nothing.

import type { Delivery, DeliveryVia, Recipient } from '../../model/people/who-document.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import { wildcard } from '../../model/values/wildcard.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { domainOf } from '../../plan/dangers/destinations.ts';
import { insideTest } from '../../plan/dangers/inside-test.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';
import { invalidWorkspace } from '../load/invalid-workspace.ts';
import type { Loaded } from '../load/load.ts';
import type { ValuePlace } from '../sources/value-place.ts';
import { type ValueSources, valueSources } from '../sources/value-source.ts';
import { viaReader } from '../sources/via-reader.ts';
import { distinctReceivers, type Receiver } from './recipients.ts';

export interface WhoRequest {
  readonly loaded: Loaded;
  /** Undefined where nothing was applied. */
  readonly state: State | undefined;
  /** With `*` for any characters; everybody if empty. */
  readonly patterns: readonly string[];
  /** Leaves out those of `safety.internalDomains`. */
  readonly external: boolean;
}

export interface WhoReceives {
  readonly recipients: readonly Recipient[];
  /** Patterns that nobody matches, each with what was probably meant. */
  readonly unmatched: readonly { readonly pattern: string; readonly hint?: string }[];
}

/** Throws Failure invalid-workspace, and usage where no domain is internal. */
export function whoReceives(request: WhoRequest): WhoReceives {
  const { loaded, patterns } = request;
  const { config, desired, findings, audiences, fileNamed } = loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors.', findings, loaded);
  const isOutside = request.external ? outsideTest(config.safety.internalDomains) : () => true;
  const matchers = patterns.map((pattern) => wildcard(pattern, { ignoresCase: true }));
  const isAsked = ({ recipient }: Receiver) => matchers.length === 0 || matchers.some((matches) => matches(recipient));
  const received = desired.resources.flatMap((resource) =>
    distinctReceivers(resource).map((receiver) => ({ resource, receiver })),
  );
  const sources = valueSources({ resources: desired.resources, audiences, config, fileNamed });
  const wanted = received.filter(({ receiver }) => isAsked(receiver) && isOutside(receiver));
  const placeOf = placeReader(sources);
  const placed = wanted.map((each) => ({ ...each, place: placeOf(each.resource, each.receiver) }));
  const known = [...new Set(received.map(({ receiver }) => receiver.recipient))];
  return {
    recipients: gathered(placed, sources, request),
    unmatched: patterns.flatMap((pattern, index) =>
      known.some((name) => matchers[index]?.(name)) ? [] : [{ pattern, ...hintFor(pattern, known) }],
    ),
  };
}

/** Throws Failure usage: without a list, everybody would be outside. */
function outsideTest(internalDomains: readonly string[]): (receiver: Receiver) => boolean {
  if (internalDomains.length === 0)
    throw new Failure('usage', '--external needs to know who belongs to you: no domain is listed as internal.', {
      hint: 'List your domains in almanac.yaml: `safety: { internalDomains: [example.com] }`.',
    });
  const isInside = insideTest(internalDomains);
  return ({ kind, recipient }) => {
    // A Slack workspace and a bucket have no domain.
    if (kind === 'slack' || kind === 's3') return false;
    return !isInside(kind === 'email' ? (domainOf(recipient) ?? recipient) : recipient);
  };
}

interface Received {
  readonly resource: Resource;
  readonly receiver: Receiver;
}

interface Placed extends Received {
  readonly place: ValuePlace;
}

/** The first place where several give the same: the one that is read first. */
function placeReader(sources: ValueSources): (resource: Resource, receiver: Receiver) => ValuePlace {
  let last: { readonly resource: Resource; readonly byPath: ReadonlyMap<Pointer, ValuePlace> } | undefined;
  return (resource, { field, path }) => {
    if (last?.resource !== resource) {
      const traces = sources.tracesOf(resource, field).toReversed();
      last = { resource, byPath: new Map(traces.map((trace) => [trace.path, trace.place])) };
    }
    return last.byPath.get(path) ?? last.byPath.get('') ?? { kind: 'resource', origin: resource.origin };
  };
}

function gathered(
  placed: readonly Placed[],
  sources: ValueSources,
  { loaded, state }: WhoRequest,
): readonly Recipient[] {
  const viaOf = viaReader(sources, loaded.fileNamed);
  const former = new Map<Address, Address>(loaded.desired.moves.map(({ from, to }) => [to, from]));
  const idOf = (address: Address): string | undefined =>
    (state?.resources[address] ?? state?.resources[former.get(address) ?? ''])?.id;
  const found = new Map<string, Receiver & { readonly deliveries: Delivery[] }>();
  // In the order of files, so that each is opened once.
  const inOrder = placed.toSorted((a, b) => byCodeUnit(fileOf(a.place), fileOf(b.place)));
  for (const { resource, receiver, place } of inOrder) {
    const key = JSON.stringify([receiver.recipient, receiver.kind]);
    const entry = found.get(key) ?? { ...receiver, deliveries: [] };
    found.set(key, entry);
    const { kind, file, line, name } = viaOf(place);
    const via: DeliveryVia = { kind: isCell(place) ? 'row' : kind, ...(name === undefined ? {} : { name }) };
    const at = { via, file, ...(line === undefined ? {} : { line }) };
    entry.deliveries.push({ ...aboutResource(resource, idOf(resource.address)), ...at });
  }
  return [...found.values()]
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient) || byCodeUnit(a.kind, b.kind))
    .map(({ recipient, kind, deliveries }) => ({
      recipient,
      kind,
      deliveries: deliveries.sort(
        (a, b) => byCodeUnit(a.address, b.address) || byCodeUnit(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0),
      ),
    }));
}

function fileOf(place: ValuePlace): string {
  return place.kind === 'text-file' ? place.path : place.origin.file;
}

function isCell(place: ValuePlace): boolean {
  return place.kind === 'item' && place.part === 'cell';
}

/** The part of a delivery that says what is delivered, and not why. */
export function aboutResource(
  { address, attributes, sink }: Resource,
  id: string | undefined,
): Omit<Delivery, 'via' | 'file' | 'line'> {
  const texts = ['name', 'identifier', 'format', 'schedule', 'timezone'].flatMap((field) => {
    const value = attributes[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return {
    address,
    ...(id === undefined ? {} : { id }),
    ...Object.fromEntries(texts),
    paused: attributes['paused'] === true,
    managed: true,
    ...(sink === undefined ? {} : { sink: sink.environment }),
  };
}

function hintFor(pattern: string, known: readonly string[]): { readonly hint?: string } {
  const domain = pattern.replace(/^@/, '').toLowerCase();
  const isDomain = known.some((name) => name.endsWith(`@${domain}`));
  const hint = isDomain ? `For everybody in that domain: '*@${domain}'.` : didYouMean(pattern, known);
  return hint === undefined ? {} : { hint };
}
