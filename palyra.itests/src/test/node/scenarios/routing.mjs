// Messages that come from a channel.
import assert from 'node:assert/strict';
import { newUlid } from '../lib/ids.mjs';
import { AGENT, envelope, script } from '../lib/messages.mjs';
import { PATIENCE_MILLIS } from '../lib/checks.mjs';

const CANCELLED_WHEN_DONE = 'the test is over';

export async function routing({ checks, operator }) {
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
}
