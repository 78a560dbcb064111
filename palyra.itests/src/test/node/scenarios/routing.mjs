// Messages that come from a channel.
import assert from 'node:assert/strict';
import { newUlid } from '../lib/ids.mjs';
import { AGENT, envelope, script } from '../lib/messages.mjs';
import { PATIENCE_MILLIS } from '../lib/checks.mjs';
import { code, refuses } from '../lib/refusals.mjs';

const CANCELLED_WHEN_DONE = 'the test is over';

export async function routing({ checks, operator, speaker, second }) {
  checks.group('routing');
  const channel = `chan-${newUlid().toLowerCase()}`;
  const message = (text, more = {}) => ({
    v: 1,
    envelope: envelope(text, { origin: { type: 'ORIGIN_TYPE_CHANNEL', channel, sender_handle: 'ada' } }),
    adapter_message_id: newUlid(),
    ...more,
  });
  const route = (request, options) => operator.call('RouteMessage', request, options);
  await checks.check('what nobody bound is ignored, and the answer says how to bind', async () => {
    const ignored = await route(message('hello'));
    assert.equal(ignored.accepted, false);
    assert.match(ignored.decision_reason, /bind/i);
    assert.equal(ignored.run_id, null);
  });
  await checks.check('what is bound is answered, and once only', async () => {
    await operator.call('BindAgentForContext', { v: 1, agent_id: AGENT, channel });
    const request = message('hello there');
    const answer = await route(request);
    assert.deepEqual([answer.accepted, answer.queued_for_retry], [true, false]);
    assert.deepEqual(answer.outputs.map((each) => each.text), ['You said: hello there']);
    const again = await route({ ...request, retry_attempt: 1 });
    assert.equal(again.run_id.ulid, answer.run_id.ulid);
    assert.deepEqual(again.outputs, answer.outputs);
    const { run } = await operator.call('GetRun', { v: 1, run_id: answer.run_id });
    assert.deepEqual([run.agent_id, run.state], [AGENT, 'done']);
    assert.equal(run.session_id.ulid, answer.session_id.ulid);
  });
  await checks.check('at the deadline there is a promise, and later the answer', async () => {
    const request = message(script([{ stall: true }]), { session_label: 'slow' });
    let promise;
    for (let millis = 6_000; !promise && millis < PATIENCE_MILLIS; millis *= 2) {
      promise = await route(request, { millis }).catch((error) => {
        assert.equal(error.code, 4, error.message); // a machine so busy that even this was late
      });
    }
    assert.deepEqual([promise.accepted, promise.queued_for_retry], [true, true]);
    await operator.call('AbortRun', { v: 1, run_id: promise.run_id, reason: CANCELLED_WHEN_DONE });
    const later = await route(request);
    assert.deepEqual([later.accepted, later.queued_for_retry], [true, false]);
    assert.equal(later.run_id.ulid, promise.run_id.ulid);
    const { run } = await operator.call('GetRun', { v: 1, run_id: promise.run_id });
    assert.equal(run.state, 'cancelled');
  });
  await checks.check('unbound again it is ignored again', async () => {
    await operator.call('UnbindAgentForContext', { v: 1, channel });
    assert.equal((await route(message('hello'))).accepted, false);
  });
  await ruled({ checks, speaker, second });
}

/** A rule is for grpc:ruled: conf/palyra.channels.route~node.json. */
async function ruled({ checks, speaker, second }) {
  const message = (text, more = {}) => ({
    v: 1,
    envelope: envelope(text, {
      origin: {
        type: 'ORIGIN_TYPE_CHANNEL', channel: 'ruled', conversation_id: 'room', sender_handle: '42', sender_display: 'Ada',
      },
    }),
    adapter_message_id: newUlid(),
    ...more,
  });
  const route = (request) => speaker.call('RouteMessage', request);
  await checks.check('a rule answers what it names, once, for the conversation', async () => {
    const request = message('helper, hello');
    const answer = await route(request);
    assert.equal(answer.accepted, true, answer.decision_reason);
    assert.deepEqual(answer.outputs.map((each) => each.text), ['bot: You said: Ada: helper, hello']);
    assert.equal(answer.route_key, 'channel:grpc:ruled:conversation:room');
    assert.equal((await route(request)).run_id.ulid, answer.run_id.ulid);
  });
  await checks.check('a rule ignores the rest with its reason, and decides about broadcasts', async () => {
    for (const [request, reason] of [
      [message('just talking'), /^no_matching_mention_or_dm_policy/],
      [message('just talking', { is_direct_message: true }), /^direct_message_denied_by_policy/],
      [message('lunch', { request_broadcast: true }), /^broadcast_requires_mention_match/],
    ]) {
      const ignored = await route(request);
      assert.equal(ignored.accepted, false);
      assert.match(ignored.decision_reason, reason);
    }
    const answer = await route(message('helper, tell all', { request_broadcast: true }));
    assert.deepEqual([answer.accepted, answer.outputs[0]?.broadcast], [true, true], answer.decision_reason);
  });
  await checks.check('a credential that may not speak for others brings no message of others', async () => {
    await refuses(() => second.call('RouteMessage', message('helper')), code.PERMISSION_DENIED, /speak_for/);
  });
}
