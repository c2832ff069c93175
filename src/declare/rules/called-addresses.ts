// The addresses that the service itself calls. For an SFTP server it only documents that the address has no port and no
// user, so any other unreadable address is a warning; a plan then takes the whole text for the place.

import { urlFieldsOf } from '../../model/fields/fields.ts';
import { sftpPlaceOf } from '../../model/fields/sftp-address.ts';
import { fieldText, type Rule } from '../findings/rule.ts';
import { checkUrl } from '../formats/check-url.ts';
import { quote } from '../formats/quote.ts';

export const webAddresses: Rule = ({ kind, value }) => {
  return urlFieldsOf[kind].flatMap((field) => {
    const url = fieldText(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};

export const webhookIsSigned: Rule = ({ value }) =>
  fieldText(value, 'webhookUrl') !== undefined && value['webhookSigningSecret'] === undefined
    ? [
        {
          code: 'unsigned-webhook',
          message: 'Without a signature, the receiver cannot tell whether Omni sent an event.',
          hint: 'Add `webhookSigningSecret: ${env.NAME}`.',
          pointer: '/webhookUrl',
          at: 'key',
        },
      ]
    : [];

export const serverIsReadable: Rule = ({ value }) => {
  const address = fieldText(value, 'address');
  if (fieldText(value, 'destinationType') !== 'sftp' || address === undefined || sftpPlaceOf(address) !== undefined)
    return [];
  return [
    {
      code: 'odd-host',
      message: `${quote(address)} is not a host that every program reads alike, so it is not known where the file goes.`,
      hint: 'Write a host name or an IP address such as `sftp.example.com`, or a URL such as `sftp://sftp.example.com/incoming`. Other letters are written in their `xn--` form.',
      pointer: '/address',
    },
  ];
};
