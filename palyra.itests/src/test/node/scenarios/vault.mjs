// Secrets: kept, read, listed and forgotten by whom they belong to, and by nobody else.
import assert from 'node:assert/strict';
import { code, refuses } from '../lib/refusals.mjs';

const VALUE = Buffer.from('node keeps a value \u00fc of its own');

export async function vault(stage) {
  const { checks, operator, second } = stage;
  checks.group('vault');
  const name = { v: 1, scope: 'global', key: 'node_token' };
  await checks.check('a secret is kept and read', async () => {
    const { secret } = await operator.call('PutSecret', { ...name, value: VALUE });
    assert.deepEqual([secret.scope, secret.key, secret.value_bytes, secret.version],
      ['global', 'node_token', VALUE.length, 1]);
    const { value } = await operator.call('GetSecret', name);
    assert.deepEqual(value, VALUE);
  });
  await checks.check('it is listed without its value', async () => {
    const { secrets } = await operator.call('ListSecrets', { v: 1, scope: 'global' });
    assert.ok(secrets.some((each) => each.key === 'node_token'));
    assert.ok(!JSON.stringify(secrets).includes('of its own'));
  });
  await checks.check('a version that is not there is not replaced', () => refuses(
    () => operator.call('PutSecret', { ...name, value: VALUE, expected_version: 7 }),
    code.FAILED_PRECONDITION, /version 1/));
  await checks.check('what belongs to nobody is for operators', async () => {
    await refuses(() => second.call('GetSecret', name), code.PERMISSION_DENIED, /vault\.get/);
    await refuses(() => second.call('PutSecret', { ...name, value: VALUE }),
      code.PERMISSION_DENIED, /vault\.put/);
    await refuses(() => second.call('DeleteSecret', name), code.PERMISSION_DENIED, /vault\.delete/);
    await refuses(() => second.call('ListSecrets', { v: 1 }), code.PERMISSION_DENIED, /vault\.list/);
  });
  await checks.check('it is forgotten', async () => {
    assert.equal((await operator.call('DeleteSecret', name)).deleted, true);
    assert.equal((await operator.call('DeleteSecret', name)).deleted, false);
    await refuses(() => operator.call('GetSecret', name), code.NOT_FOUND, /node_token/);
  });
}
