// What happened can be proved by somebody who has the records and docs/formats.md.
import assert from 'node:assert/strict';
import { id } from '../lib/ids.mjs';
import { run, script } from '../lib/messages.mjs';
import { attested, content, contents, fault, genesis } from '../lib/tape.mjs';

const READ = script(
  [{ call: { tool: 'palyra.echo', input: { text: 'prove ïŧ 🦉' } } }],
  [{ say: 'Done. ' }, { lastToolOutput: true }]);

export async function tape({ checks, second, operator }) {
  checks.group('tape');
  const { runId } = await run(second, READ);
  const request = { v: 1, run_id: id(runId) };
  let records;
  let start;
  await checks.check('ReadTape gives the chain from its genesis to its head', async () => {
    const { run: shown } = await second.call('GetRun', request);
    records = await second.list('ReadTape', request);
    start = genesis(runId, shown.session_id.ulid, shown.principal);
    assert.equal(fault(records, start), '');
    assert.equal(records.length, shown.head_seq);
    assert.equal(content(records.at(-1)).state, 'SUCCEEDED');
    assert.ok(records.every((record) => record.stream_id === runId && !record.withheld));
  });
  await checks.check('a chain with one bit changed does not verify', async () => {
    assert.notEqual(fault(records, genesis(runId, runId, 'user:nobody')), '');
    for (const name of ['payload', 'salt', 'commitment', 'prev_hash', 'hash']) {
      const changed = Buffer.from(records[3][name]);
      changed[changed.length - 1] ^= 1;
      const forged = records.map((each, i) => (i === 3 ? { ...each, [name]: changed } : each));
      assert.match(fault(forged, start), /record [45]/, name);
    }
    assert.notEqual(fault([...records.slice(0, 2), ...records.slice(3)], start), '');
  });
  await checks.check('the attestation of the tool follows from the records', async () => {
    const [attestation] = contents(records, 'tool_attestation');
    assert.equal(attested(records, attestation), attestation.executionSha256);
    assert.notEqual(attested(records, { ...attestation, executedAtMillis: 1 }),
      attestation.executionSha256);
  });
  await checks.check('ReadTape begins and stops where it is told', async () => {
    const part = await second.list('ReadTape', { ...request, after_seq: 2, limit: 3 });
    assert.deepEqual(part, records.slice(2, 5));
    assert.deepEqual(await second.list('ReadTape', { ...request, after_seq: records.length }), []);
  });
  await checks.check('ExplainCall gives the records of one call and no others', async () => {
    const [{ callId }] = contents(records, 'tool_call_proposal');
    const explained = await second.list('ExplainCall', { v: 1, call_id: callId });
    assert.deepEqual(explained, records.filter((each) => content(each).callId === callId));
    assert.equal(explained.at(-1).type, 'tool_attestation');
  });
  await checks.check('VerifyRun agrees', async () => {
    const whole = await operator.call('VerifyRun', request);
    assert.deepEqual([whole.intact, whole.records, whole.withheld, whole.seals, whole.fault_kind],
      [true, records.length, 0, 1, '']);
    const own = await second.call('VerifyRun', { ...request, from_seq: 2, to_seq: 4 });
    assert.deepEqual([own.intact, own.records], [true, 3]);
  });
}
