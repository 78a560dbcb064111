// A person is asked: the question, both ways to answer it, what the answer covers, the export.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { id, newUlid } from '../lib/ids.mjs';
import { script, start } from '../lib/messages.mjs';
import { code, refuses } from '../lib/refusals.mjs';

const ASKING = 'node-asking';
const NOBODYS = '01M80N9YW6MMFJ2CHK42J0WEWK';
const ASK = script(
  [{ call: { tool: 'palyra.fs.list_dir', input: { path: '.' } } }],
  [{ say: 'Done.' }]);

const asks = (event) => event.body === 'tool_approval_request';
const answers = (event) => event.body === 'tool_approval_response';

async function asking(client) {
  const stream = client.runStream(start(ASK, { agent_id: ASKING }));
  const events = await stream.until('the question', asks);
  return { stream, question: events.at(-1).tool_approval_request };
}

/** Recomputes the chain of an export; docs/formats.md. */
function checksum(schema, before, seq, kind, recordSha256) {
  const hash = createHash('sha256').update('palyra.approvals.export.chain.v2');
  const lp = (text) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(Buffer.byteLength(text)));
    hash.update(length).update(text);
  };
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(seq));
  lp(schema);
  lp(before);
  hash.update(number);
  lp(kind);
  lp(recordSha256);
  return hash.digest('hex');
}

export async function approvals(stage) {
  const { checks, operator, second } = stage;
  checks.group('approvals');
  await operator.call('CreateAgent', {
    v: 1, agent_id: ASKING, display_name: 'Asks', test: true,
    default_tool_allowlist: ['palyra.fs.list_dir'],
  });
  let approvalId;
  let grantId;
  await checks.check('a question shows what exactly would happen, and waits', async () => {
    const { stream, question } = await asking(operator);
    approvalId = question.approval_id.ulid;
    assert.ok(question.prompt.title.length > 0 && question.prompt.options.length >= 2);
    assert.equal(question.call.tool, 'palyra.fs.list_dir');
    assert.match(question.call.binding_sha256, /^[0-9a-f]{64}$/);
    await stream.until('the wait', (event) =>
      event.body === 'status' && event.status.kind === 'STATUS_KIND_AWAITING_APPROVAL');
    const { approval } = await operator.call('GetApproval', { v: 1, approval_id: id(approvalId) });
    assert.equal(approval.state, 'pending');
    const { approvals: open } = await operator.call('ListApprovals', { v: 1, pending_only: true });
    assert.ok(open.some((each) => each.approval_id.ulid === approvalId));
    const decided = await operator.call('DecideApproval', {
      v: 1, approval_id: id(approvalId), approved: true,
      decision_scope: 'APPROVAL_DECISION_SCOPE_SESSION',
    });
    assert.equal(decided.approval.state, 'granted');
    grantId = decided.approval.grant_id.ulid;
    const told = (await stream.until('the outcome', answers)).at(-1).tool_approval_response;
    assert.deepEqual([told.approved, told.grant_id.ulid], [true, grantId]);
    stream.halfClose();
    await stream.rest();
  });
  await checks.check('a second answer is told of the first', () => refuses(
    () => operator.call('DecideApproval', { v: 1, approval_id: id(approvalId) }),
    code.FAILED_PRECONDITION, /granted by/));
  await checks.check('a grant is listed and taken back once', async () => {
    const { grants } = await operator.call('ListGrants', { v: 1 });
    assert.ok(grants.some((each) => each.grant_id.ulid === grantId && each.covers.length > 0));
    const { grant } = await operator.call('RevokeGrant', { v: 1, grant_id: id(grantId) });
    assert.equal(grant.state, 'revoked');
    await refuses(() => operator.call('RevokeGrant', { v: 1, grant_id: id(grantId) }),
      code.FAILED_PRECONDITION, /took it back/);
  });
  await checks.check('a no on the stream ends the wait', async () => {
    const { stream, question } = await asking(operator);
    const response = { approval_id: question.approval_id, approved: false, reason: 'not now' };
    stream.send({ v: 1, tool_approval_response: response });
    const told = (await stream.until('the outcome', answers)).at(-1).tool_approval_response;
    assert.deepEqual([told.approved, told.reason], [false, 'not now']);
    stream.halfClose();
    await stream.rest();
  });
  await checks.check('what is unknown or somebody else\'s is not there', async () => {
    for (const one of [approvalId, NOBODYS, newUlid()]) {
      await refuses(() => second.call('GetApproval', { v: 1, approval_id: id(one) }),
        code.NOT_FOUND, /approval/);
    }
    const { approvals: seen } = await second.call('ListApprovals', { v: 1 });
    assert.deepEqual(seen, []);
    await refuses(() => second.call('RevokeGrant', { v: 1, grant_id: id(grantId) }),
      code.NOT_FOUND, /grant/);
  });
  await checks.check('an export is chained as docs/formats.md says', async () => {
    const parts = await operator.list('ExportApprovals', { v: 1 });
    assert.ok(parts.at(-1).done && parts.every((part, i) => part.chunk_seq === i));
    const text = Buffer.concat(parts.map((part) => part.chunk)).toString('utf8');
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line));
    let before = '0'.repeat(64);
    for (const [i, line] of lines.slice(0, -1).entries()) {
      assert.equal(line.seq, i);
      before = checksum(line.schema, before, i, line.kind, line.recordSha256);
      assert.equal(line.checksum, before);
    }
    assert.deepEqual([lines.at(-1).count, lines.at(-1).checksum], [lines.length - 2, before]);
  });
}
