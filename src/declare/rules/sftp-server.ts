// The address of an SFTP server as every program reads it. The service documents only that it holds no port and no user, so
// anything else that cannot be read is a warning; a plan then takes the whole text for the place.

import { sftpPlaceOf } from '../../model/fields/sftp-address.ts';
import { type Rule, textOf } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';

export const serverIsReadable: Rule = ({ value }) => {
  const address = textOf(value, 'address');
  if (textOf(value, 'destinationType') !== 'sftp' || address === undefined || sftpPlaceOf(address) !== undefined)
    return [];
  return [
    {
      code: 'odd-host',
      message: `${quote(address)} is not a host that every program reads alike, so nobody can say where the file goes.`,
      hint: 'Write a host name or an IP address such as `sftp.example.com`, or a URL such as `sftp://sftp.example.com/incoming`. Other letters are written in their `xn--` form.',
      pointer: '/address',
    },
  ];
};
