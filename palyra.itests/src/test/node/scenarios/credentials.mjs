// Who does not come with a credential that counts is refused, whatever they ask.
import assert from 'node:assert/strict';
import { id, newUlid } from '../lib/ids.mjs';
import { run } from '../lib/messages.mjs';
import { code, refuses, refusesCredential } from '../lib/refusals.mjs';
import { make, requests } from '../lib/requests.mjs';
import { stalling } from './runs.mjs';
import { changesNothing } from './badform.mjs';

const HINT = /token|credential|authorization|sign/i;

export async function credentials(stage) {
  const { checks, gateway, operator, director, settings } = stage;
  checks.group('credentials');
  const table = requests(await run(operator, 'mine'));
  delete table.GetHealth; // needs none
  const everyRpc = async (name, client) => {
    for (const [method, { valid }] of Object.entries(table)) {
      await checks.check(`${method} with ${name}`, () =>
        refusesCredential(() => make(client, method, valid), HINT));
    }
  };
  const everything = () => stage.everything();
  const leaver = gateway.connect({ token: settings.tokens.leaver });
  const { stream } = await stalling(leaver);
  await checks.check('the token counts before it is revoked', async () => {
    assert.equal((await leaver.call('ListRuns', { v: 1 })).runs.length, 1);
  });
  await director('revoke leaver');
  await checks.check('revoking a token ends its streams', () => refuses(
    () => stream.rest(), code.UNAUTHENTICATED, HINT));
  await checks.check('and leaves its run alone, for an operator to stop', async () => {
    const { runs } = await operator.call('ListRuns', { v: 1, limit: 500 });
    const [going] = runs.filter((each) => each.principal === settings.principals.leaver);
    assert.equal(going.state, 'in_progress');
    const stopped = await operator.call('AbortRun', { v: 1, run_id: going.run_id });
    assert.equal(stopped.cancel_requested, true);
    await make(operator, 'RunStream', { v: 1, run_id: going.run_id });
  });
  await changesNothing({ checks, everything }, async () => {
    await everyRpc('a token that was revoked while it was connected', leaver);
    const nobody = gateway.connect();
    await everyRpc('no token', nobody);
    nobody.close();
    const guesser = gateway.connect({ token: `palyra_${newUlid()}_${'A'.repeat(43)}` });
    await everyRpc('a token that nobody made', guesser);
    guesser.close();
    await garbage(stage);
  });
  await checks.check('those with a good token were not shut out by the bad ones', async () => {
    assert.equal((await operator.call('GetRun', { v: 1, run_id: table.GetRun.valid.run_id })).v, 1);
  });
  leaver.close();
}

async function garbage({ checks, gateway, settings }) {
  const { second } = settings.tokens;
  const changed = second.slice(0, -1) + (second.endsWith('A') ? 'B' : 'A');
  for (const value of ['', 'Bearer', 'Bearer ', 'Bearer garbage', `Basic ${btoa('user:password')}`,
    second, `Bearer ${changed}`, `Bearer ${second} ${second}`, `Bearer ${'x'.repeat(5_000)}`]) {
    await checks.check(`authorization '${value.replace(second, 'TOKEN').slice(0, 60)}'`, async () => {
      const client = gateway.connect();
      await refusesCredential(
        () => client.call('GetRun', { v: 1, run_id: id(newUlid()) }, { extra: { authorization: value } }),
        HINT);
      client.close();
    });
  }
}
