// The check `domain-of-everybody`: a domain that should be one company's but belongs to nobody. It looks at
// `safety.internalDomains` and receivers in the table of permissions. Reported are public suffixes, below which anybody
// registers a domain, and providers where anybody has a mailbox. Domains below which a provider gives each of its
// customers one, such as `onmicrosoft.com`, are in no list here.

import { freeMailDomains } from '../model/values/domains.ts';
import { parseUrl } from '../model/values/urls.ts';
import { quote } from '../model/values/words.ts';
import { type Finding, type FindingWords, type Place, placeOf } from '../model/workspace/diagnostic.ts';
import type { Permissions } from './rows/permissions.ts';

/** A domain that is written to mean one company. */
interface CompanyDomain {
  readonly domain: string;
  readonly place: Place;
  /** In the table: the number of further lines that name it. */
  readonly more?: number;
  readonly isInTable?: boolean;
}

/** Below these, ICANN's part of the list has no suffix: most companies need no list. A test compares it. */
export const plainSuffix = /^[^.]+(?:\.[^.]+)*\.(?:com|net|org)$/;

export async function domainsOfEverybody(
  { file = '', safety }: { readonly file?: string | undefined; readonly safety: Safety },
  permissions: Permissions | undefined,
): Promise<readonly Finding[]> {
  const named: readonly CompanyDomain[] = [
    ...safety.internalDomains.map((domain, index) => ({
      domain,
      place: placeOf({ file, document: 0, pointer: '' }, 'value', 'safety', 'internalDomains', index),
    })),
    ...(permissions?.domains ?? []).map((each) => ({ ...each, isInTable: true })),
  ];
  const findings: Finding[] = [];
  for (const each of named) {
    const domain = parseUrl(`https://${each.domain}`)?.hostname ?? each.domain;
    const why = freeMailDomains.has(domain)
      ? `Anybody can have a mailbox at ${quote(each.domain)}`
      : (await isPublicSuffix(domain))
        ? `${quote(each.domain)} is a public suffix, below which anybody can have a domain`
        : undefined;
    if (why !== undefined) findings.push({ ...words(why, each), place: each.place });
  }
  return findings;
}

interface Safety {
  readonly internalDomains: readonly string[];
}

async function isPublicSuffix(domain: string): Promise<boolean> {
  if (plainSuffix.test(domain)) return false;
  const { parse } = await import('tldts');
  const { publicSuffix, isIcann } = parse(domain, { allowPrivateDomains: false });
  return isIcann === true && publicSuffix === domain;
}

function words(why: string, { isInTable = false, more = 0 }: CompanyDomain): FindingWords {
  const code = 'domain-of-everybody';
  if (!isInTable)
    return {
      code,
      message: `${why}, and every address there counts as inside.`,
      hint: 'List the domains of your company, or turn the check off: `checks: { domain-of-everybody: off }`.',
    };
  const same = more === 0 ? '' : ` The same is true of ${more} other ${more === 1 ? 'line' : 'lines'}.`;
  return {
    code,
    message: `${why}, so the line does not say who may see the rows.${same}`,
    hint: 'Name addresses or the domain of a company. If everybody there may see them, write `yes` in a column `everybody`.',
  };
}
