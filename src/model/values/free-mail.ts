// Mail domains where anybody can have an address. Two people at such a domain have nothing to do with each other. The
// list is closed and holds the best known ones: whoever needs another one has a table of permissions.

export const freeMailDomains: ReadonlySet<string> = new Set([
  'aol.com',
  'fastmail.com',
  'gmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'me.com',
  'outlook.com',
  'proton.me',
  'web.de',
  'yahoo.com',
]);
