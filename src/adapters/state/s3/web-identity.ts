// Credentials for the token of an identity provider, as CI services and Kubernetes hand it out: one unsigned call of STS.

import { readFile } from 'node:fs/promises';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { isLoopback } from '../../../model/workspace/base-url-fault.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { cleanText } from '../../http/service-text.ts';
import { askEndpoint } from '../ask-endpoint.ts';
import { type Answer, type NoAnswer, textOf } from '../exchange.ts';
import type { Environment } from '../host.ts';
import { type CredentialSource, type Credentials, credentialsOf, noCredentials } from './credential-sources.ts';
import { child, childText, readXml, type XmlElement } from './read-xml.ts';
import { awsDomain } from './s3-address.ts';

const timeoutMs = 10_000;

export const fromWebIdentity: CredentialSource = async ({ environment, clock, region, signal }) => {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = environment;
  if (!file || !role) return undefined;
  const token = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (token === '') {
    throw noCredentials(
      'The file that AWS_WEB_IDENTITY_TOKEN_FILE names cannot be read, or is empty.',
      'Let the job ask for an ID token and write it to that file.',
    );
  }
  const url = stsUrl(region, environment);
  const answer = await askEndpoint(
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] || 'almanac',
        WebIdentityToken: token,
      }).toString(),
    },
    { environment, timeoutMs, signal, again: { clock, mayPass } },
  );
  if (answer.type === 'answer' && answer.status === 200) return readAnswer(documentOf(answer));
  const why = answer.type === 'none' ? answer.why : `${answer.status} ${codeIn(answer)}`.trimEnd();
  throw noCredentials(
    `STS at ${url.host} gave no credentials for the role in AWS_ROLE_ARN: ${why}.`,
    'Check the trust policy of the role: its identity provider, its audience and its subject. An ID token is short-lived.',
  );
};

function mayPass(answer: Answer | NoAnswer): boolean {
  return answer.type === 'none' || answer.status >= 500 || codeIn(answer) === 'IDPCommunicationError';
}

function documentOf(answer: Answer): XmlElement | undefined {
  return readXml(textOf(answer));
}

/** Without the message of STS: it may repeat the token. */
function codeIn(answer: Answer): string {
  return cleanText(childText(child(documentOf(answer), 'Error'), 'Code') ?? '').slice(0, 60);
}

function readAnswer(document: XmlElement | undefined): Credentials {
  const given = child(child(document, 'AssumeRoleWithWebIdentityResult'), 'Credentials');
  const [id, secret, token, expiration] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'].map((name) =>
    childText(given, name),
  );
  if (!id || !secret || !token || !expiration) {
    throw noCredentials('STS answered with something else than credentials.', 'Check the proxy in HTTPS_PROXY.');
  }
  return credentialsOf({ AccessKeyId: id, SecretAccessKey: secret, SessionToken: token, Expiration: expiration });
}

/** That of the region: the global one is not reachable from everywhere. */
function stsUrl(region: string, environment: Environment): URL {
  const chosen = environment['AWS_ENDPOINT_URL_STS'];
  if (!chosen) return new URL(`https://sts.${region}.${awsDomain(region)}/`);
  const url = parseUrl(chosen);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new Failure('usage', 'AWS_ENDPOINT_URL_STS is not an HTTPS URL: the ID token would travel unencrypted.', {
    hint: 'Unset it, or set it to an address that begins with https://.',
  });
}
