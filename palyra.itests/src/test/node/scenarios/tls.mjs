// Only with TLS: who is let in by certificate.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import grpc from '@grpc/grpc-js';
import { code, refuses, refusesCredential } from '../lib/refusals.mjs';

export async function tls({ checks, gateway, operator, settings }) {
  checks.group('tls');
  const ask = (client) => client.call('ListRuns', { v: 1 });
  const tried = async (name, options, outcome) => {
    await checks.check(name, async () => {
      const client = gateway.connect(options);
      try {
        await outcome(() => ask(client));
      } finally {
        client.close();
      }
    });
  };
  await checks.check('a certificate is a credential', async () => {
    const { session } = await operator.call('ResolveSession', { v: 1, session_key: 'by certificate' });
    assert.equal(session.principal, settings.principals.certificate);
  });
  await checks.check('with certificate and token, the token says who it is', async () => {
    const both = gateway.connect({ identity: 'operator', token: settings.tokens.second });
    const { session } = await both.call('ResolveSession', { v: 1, session_key: 'by both' });
    assert.equal(session.principal, settings.principals.second);
    both.close();
  });
  await tried('a bad token is not made good by a certificate',
    { identity: 'operator', token: 'garbage' }, (call) => refusesCredential(call, /token|credential/i));
  await tried('a certificate that nobody named is refused', { identity: 'unnamed' },
    (call) => refusesCredential(call, /certificate/));
  await tried('no certificate and no token is refused', {},
    (call) => refusesCredential(call, /token|certificate|credential/i));
  await tried('a certificate of another authority is not let in', { identity: 'stranger' },
    (call) => refuses(call, code.UNAVAILABLE, /./));
  await tried('who speaks no TLS is not let in',
    { token: settings.tokens.second, channel: grpc.credentials.createInsecure() },
    (call) => refuses(call, code.UNAVAILABLE, /./));
  await tried('the client does not trust a gateway of another authority',
    {
      token: settings.tokens.second,
      channel: grpc.credentials.createSsl(readFileSync(settings.tls.otherCa)),
    },
    (call) => refuses(call, code.UNAVAILABLE, /certificate|issuer|self/i));
}
