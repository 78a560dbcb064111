// What needs no credential: health and reflection.
import assert from 'node:assert/strict';
import { code, refuses } from '../lib/refusals.mjs';

const SERVICE = 'palyra.gateway.v1.GatewayService';
const REFLECTION = 'grpc.reflection.v1.ServerReflection';

export async function health({ checks, gateway }) {
  checks.group('health');
  const anybody = gateway.connect();
  const standard = gateway.connect({ service: 'health' });
  await checks.check('GetHealth needs no credential', async () => {
    const answer = await anybody.call('GetHealth', { v: 1 });
    assert.equal(answer.v, 1);
    assert.equal(answer.status, 'ok');
    assert.match(answer.version, /^\d+\.\d+\.\d+/);
    assert.ok(answer.service.length > 0 && answer.uptime_seconds >= 0);
  });
  for (const service of ['', SERVICE]) {
    await checks.check(`grpc.health.v1 says that '${service}' is serving`, async () => {
      assert.equal((await standard.call('Check', { service })).status, 'SERVING');
    });
  }
  await checks.check('grpc.health.v1 does not know a service that is not here', () =>
    refuses(() => standard.call('Check', { service: 'palyra.Nothing' }), code.NOT_FOUND, /nothing|unknown/i));
  anybody.close();
  standard.close();
}

export async function reflection({ checks, gateway }) {
  checks.group('reflection');
  const client = gateway.connect({ service: 'reflection' });
  const ask = async (question) => {
    const call = client.stub.ServerReflectionInfo(client.metadata(), client.constructor.deadline());
    call.on('error', () => {});
    call.write(question);
    for await (const answer of call) {
      call.end();
      return answer;
    }
    throw new Error('reflection says nothing');
  };
  await checks.check('lists the services', async () => {
    const answer = await ask({ list_services: '*' });
    const names = answer.list_services_response.service.map((each) => each.name);
    for (const name of [SERVICE, 'grpc.health.v1.Health', REFLECTION]) {
      assert.ok(names.includes(name), `${name} is missing in ${names}`);
    }
  });
  await checks.check('describes every method of the .proto file', async () => {
    const answer = await ask({ file_containing_symbol: SERVICE });
    const files = answer.file_descriptor_response.file_descriptor_proto;
    const text = Buffer.concat(files).toString('latin1');
    for (const method of Object.keys(gateway.service)) {
      assert.ok(text.includes(method), `${method} is missing`);
    }
  });
  await checks.check('says that it does not know a symbol', async () => {
    const answer = await ask({ file_containing_symbol: 'palyra.Nothing' });
    assert.equal(answer.error_response.error_code, code.NOT_FOUND);
  });
  client.close();
}
