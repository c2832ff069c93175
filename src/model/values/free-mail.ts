// Mail domains where anybody has an address, so two people there have nothing to do with each other. A closed list of the best
// known ones: whoever needs another one has a table of permissions.

export const freeMailDomains: ReadonlySet<string> = new Set([
  'aol.com',
  'gmail.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'outlook.com',
  'proton.me',
  'web.de',
  'yahoo.com',
]);
