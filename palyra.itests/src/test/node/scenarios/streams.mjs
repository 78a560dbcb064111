// RunStream, as long as the connection holds.
import assert from 'node:assert/strict';
import { id, newUlid } from '../lib/ids.mjs';
import { attach, envelope, names, run, said, script, slowWords, start, statuses } from '../lib/messages.mjs';
import { code, refuses } from '../lib/refusals.mjs';
import { contents } from '../lib/tape.mjs';
import { Transcript } from '../lib/transcript.mjs';
import { stalling } from './runs.mjs';

const ECHO = script(
  [{ think: 'a tool would help' }, { call: { tool: 'palyra.echo', input: { text: 'hi' } } }],
  [{ say: 'The tool said ' }, { lastToolOutput: true }]);

export async function streams(stage) {
  const { checks, second } = stage;
  checks.group('streams');
  await checks.check('starts a run and streams its answer', async () => {
    const first = start('hello there you');
    const events = await second.runStream(first).halfClose().rest();
    const { runId, sessionId } = names(events);
    assert.equal(runId, first.run_id.ulid, 'the run has the id that the client chose');
    assert.equal(said(events), 'You said: hello there you');
    assert.equal(events[0].status.kind, 'STATUS_KIND_ACCEPTED');
    assert.equal(events.at(-1).status.kind, 'STATUS_KIND_DONE');
    const tokens = events.filter((event) => event.body === 'model_token');
    assert.deepEqual(tokens.map((event) => event.model_token.is_final),
      tokens.map((_, i) => i === tokens.length - 1));
    assert.ok(events.every((event) => event.v === 1 && event.run_id.ulid === runId));
    events.reduce((transcript, event) => (transcript.take(event), transcript), new Transcript());
    const { session } = await second.call('ResolveSession', { v: 1, session_id: id(sessionId) });
    assert.equal(session.session_key, first.session_key);
    assert.equal(session.last_run_id.ulid, runId);
  });
  await checks.check('each record of the tape is one event, in order', async () => {
    const { runId, events } = await run(second, ECHO);
    const records = await second.list('ReadTape', { v: 1, run_id: id(runId) });
    const seqs = [...new Set(events.map((event) => event.seq).filter((seq) => seq > 0))];
    const told = records.filter((r) => !/^model_/.test(r.type)).map((r) => r.seq);
    assert.deepEqual(seqs, told);
    for (const event of events.filter((each) => each.body === 'journal_event')) {
      const record = records.find((each) => each.seq === event.seq);
      assert.equal(event.journal_event.record_type, record.type);
      assert.deepEqual(event.journal_event.payload_json, record.payload);
    }
  });
  await checks.check('a tool is proposed, decided, run and attested', async () => {
    const { events, runId } = await run(second, ECHO);
    const of = (body) => events.filter((event) => event.body === body).map((event) => event[body]);
    const [proposal] = of('tool_proposal');
    const [decision] = of('tool_decision');
    const [result] = of('tool_result');
    const [attestation] = of('tool_attestation');
    assert.equal(proposal.tool_name, 'palyra.echo');
    assert.deepEqual(JSON.parse(proposal.input_json.toString()), { text: 'hi' });
    assert.equal(decision.kind, 'DECISION_KIND_ALLOW');
    assert.deepEqual([result.success, result.outcome, result.error], [true, 'succeeded', '']);
    assert.match(attestation.execution_sha256, /^[0-9a-f]{64}$/);
    assert.match(attestation.sandbox_enforcement, /^none/);
    assert.equal(Buffer.from(attestation.signature, 'base64url').length, 64);
    for (const each of [decision, result, attestation]) {
      assert.equal(each.proposal_id.ulid, proposal.proposal_id.ulid);
    }
    assert.match(proposal.proposal_id.ulid, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    const order = events.map((event) => event.body).filter((body) => /^tool_/.test(body));
    assert.deepEqual(order, ['tool_proposal', 'tool_decision', 'tool_result', 'tool_attestation']);
    assert.equal(said(events), `The tool said ${result.output_json.toString()}`);
    const records = await second.list('ReadTape', { v: 1, run_id: id(runId) });
    const [stored] = contents(records, 'tool_attestation');
    assert.equal(attestation.execution_sha256, stored.executionSha256);
  });
  await checks.check('a denied tool is denied, and the reason is told', async () => {
    const denied = script([{ call: { tool: 'palyra.nothing', input: {} } }], [{ say: 'well' }]);
    const { events } = await run(second, denied);
    const { tool_decision: decision } = events.find((event) => event.body === 'tool_decision');
    assert.equal(decision.kind, 'DECISION_KIND_DENY');
    assert.ok(decision.reason.length > 10 && decision.reason_code.length > 3);
    assert.equal(events.some((event) => event.body === 'tool_attestation'), false);
  });
  await failures(stage);
  await messages(stage);
}

async function failures({ checks, second }) {
  await checks.check('a failed run says why', async () => {
    const { events } = await run(second, script([{ fail: { message: 'It is raining.' } }]));
    const { status } = events.at(-1);
    assert.deepEqual([status.kind, status.code], ['STATUS_KIND_FAILED', 'MODEL_FAILED']);
    assert.match(status.message, /It is raining/);
  });
  await checks.check('a retried attempt is announced, and its text is told once', async () => {
    const { events } = await run(second, script(
      [{ say: 'half' }, { delayMillis: 200 }, { fail: { retryable: true, times: 1 } }, { say: ' whole' }]));
    const transcript = new Transcript();
    events.forEach((event) => transcript.take(event));
    assert.equal(transcript.answers.get(1), 'half whole');
    const recorded = events.filter((event) => event.journal_event?.record_type === 'turn_restarted');
    assert.equal(recorded.length, 1);
    // A follower that came late has nothing of the first attempt and is told of nothing to drop.
    const begun = events.some((event) => event.model_token?.attempt === 1);
    const dropped = events.filter((event) => event.body === 'turn_restarted');
    assert.deepEqual(dropped.map((event) => event.turn_restarted.turn), begun ? [1] : []);
    assert.ok(dropped.every((event) => event.turn_restarted.reason.length > 3));
  });
}

async function messages({ checks, second, operator }) {
  await checks.check('cancel_run stops the run of the stream', async () => {
    const { stream, runId } = await stalling(second);
    const rest = await stream.send({ v: 1, cancel_run: true }).rest();
    assert.equal(rest.at(-1).status.kind, 'STATUS_KIND_CANCELLED');
    const { run: shown } = await second.call('GetRun', { v: 1, run_id: id(runId) });
    assert.equal(shown.state, 'cancelled');
  });
  await checks.check('half-closing is no cancellation', async () => {
    const { events } = await run(second, script([slowWords(20)]));
    assert.deepEqual(statuses(events).slice(-1), ['STATUS_KIND_DONE']);
  });
  await checks.check('going away is no cancellation', async () => {
    const { stream, runId } = await stalling(second);
    stream.cancel();
    await refuses(() => stream.rest(), code.CANCELLED, /cancel/i).catch(() => {});
    const { run: shown } = await second.call('GetRun', { v: 1, run_id: id(runId) });
    assert.equal(shown.state, 'in_progress');
    await second.call('AbortRun', { v: 1, run_id: id(runId) });
    const rest = await second.runStream(attach(runId)).halfClose().rest();
    assert.equal(rest.at(-1).status.kind, 'STATUS_KIND_CANCELLED');
  });
  await checks.check('the same envelope starts one run', async () => {
    const first = start('only once');
    const one = await second.runStream(first).halfClose().rest();
    const again = await second.runStream(first).halfClose().rest();
    assert.equal(names(again).runId, names(one).runId);
    assert.equal(said(again), 'You said: only once');
    const { sessionId } = names(one);
    const listed = await second.call('ListRuns', { v: 1, session_id: id(sessionId) });
    assert.equal(listed.runs.length, 1);
  });
  await checks.check('the answer to an unknown approval is refused and the stream goes on', async () => {
    const { stream } = await stalling(second);
    stream.send({
      v: 1,
      tool_approval_response: {
        approval_id: id(newUlid()), proposal_id: id(newUlid()), approved: true, reason: 'why not',
        decision_scope: 'APPROVAL_DECISION_SCOPE_ONCE',
      },
    });
    const [refused] = (await stream.until('the refusal', (event) => event.body === 'status'
      && event.status.kind === 'STATUS_KIND_UNSPECIFIED')).slice(-1);
    assert.equal(refused.status.code, 'NOT_FOUND', JSON.stringify(refused.status));
    assert.match(refused.status.message, /approval/i);
    const rest = await stream.send({ v: 1, cancel_run: true }).rest();
    assert.equal(rest.at(-1).status.kind, 'STATUS_KIND_CANCELLED');
  });
  await checks.check('a second input on a stream is refused and the stream goes on', async () => {
    const { stream } = await stalling(second);
    stream.send({ v: 1, input: envelope('one more') });
    const [refused] = (await stream.until('the refusal', (event) => event.body === 'status'
      && event.status.kind === 'STATUS_KIND_UNSPECIFIED')).slice(-1);
    assert.match(refused.status.message, /input/);
    const rest = await stream.send({ v: 1, cancel_run: true }).rest();
    assert.equal(rest.at(-1).status.kind, 'STATUS_KIND_CANCELLED');
  });
  await checks.check('an operator may follow the run of somebody else', async () => {
    const { runId } = await run(second, 'look at me');
    const seen = await operator.runStream(attach(runId)).halfClose().rest();
    assert.equal(said(seen), 'You said: look at me');
  });
}
