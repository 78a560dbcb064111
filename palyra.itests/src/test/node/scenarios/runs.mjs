// Runs apart from their streams: show, list, stop, append an event.
import assert from 'node:assert/strict';
import { until } from '../lib/checks.mjs';
import { id, newUlid } from '../lib/ids.mjs';
import { names, run, script, start } from '../lib/messages.mjs';
import { contents } from '../lib/tape.mjs';

/** Starts a run that says something and then nothing more until it is stopped. */
export async function stalling(client, more = {}) {
  const stream = client.runStream(start(script([{ say: 'begun ' }, { stall: true }]), more));
  const events = await stream.until('the model spoke', (event) => event.body === 'model_token');
  return { stream, ...names(events) };
}

export const event = (runId, payload, more = {}) => ({
  v: 1,
  event: {
    v: 1,
    event_id: id(newUlid()),
    run_id: id(runId),
    kind: 'EVENT_KIND_MESSAGE_RECEIVED',
    actor: 'EVENT_ACTOR_USER',
    payload_json: Buffer.from(payload),
    ...more,
  },
});

export async function runs({ checks, second, settings }) {
  checks.group('runs');
  await checks.check('GetRun and ListRuns show a run', async () => {
    const { runId, sessionId } = await run(second, 'hello');
    const { run: shown } = await second.call('GetRun', { v: 1, run_id: id(runId) });
    assert.deepEqual(
      [shown.run_id.ulid, shown.session_id.ulid, shown.state, shown.principal, shown.origin_kind],
      [runId, sessionId, 'done', settings.principals.second, 'interactive']);
    const listed = await second.call('ListRuns', { v: 1, session_id: id(sessionId) });
    assert.deepEqual(listed.runs, [shown]);
    assert.equal(listed.next_before_run_id, null);
  });
  await checks.check('ListRuns goes page by page, newest first', async () => {
    const session_key = `pages-${newUlid()}`;
    const ids = [];
    for (let i = 0; i < 5; i++) {
      ids.unshift((await run(second, `message ${i}`, { session_key })).runId);
    }
    const { session } = await second.call('ResolveSession', { v: 1, session_key });
    const seen = [];
    for (let before = null; ; ) {
      const page = await second.call('ListRuns', {
        v: 1, session_id: session.session_id, limit: 2, before_run_id: before,
      });
      seen.push(...page.runs.map((each) => each.run_id.ulid));
      before = page.next_before_run_id;
      if (!before) break;
    }
    assert.deepEqual(seen, ids);
  });
  await checks.check('AbortRun stops a run, once', async () => {
    const { stream, runId } = await stalling(second);
    const request = { v: 1, run_id: id(runId), reason: 'enough' };
    const stopped = await second.call('AbortRun', request);
    assert.deepEqual([stopped.cancel_requested, stopped.run_id.ulid], [true, runId]);
    const rest = await stream.halfClose().rest();
    assert.equal(rest.at(-1).status.kind, 'STATUS_KIND_CANCELLED');
    assert.equal((await second.call('AbortRun', request)).cancel_requested, false);
    const { run: shown } = await second.call('GetRun', { v: 1, run_id: id(runId) });
    assert.equal(shown.state, 'cancelled');
  });
  await checks.check('AppendEvent puts an event on the tape of a run that goes, once', async () => {
    const { stream, runId } = await stalling(second);
    const request = event(runId, '{"b":1, "a":"ä"}', { event_kind: 'sensor.reading' });
    const first = await second.call('AppendEvent', request);
    assert.deepEqual([first.accepted, first.on_tape], [true, true]);
    assert.equal(first.event_id.ulid, request.event.event_id.ulid);
    assert.deepEqual(await second.call('AppendEvent', request), first);
    const seen = await stream.until('the event', (each) =>
      each.body === 'journal_event' && each.journal_event.record_type === 'external_event');
    assert.equal(seen.at(-1).seq, first.seq);
    assert.equal(seen.at(-1).journal_event.event_id.ulid, first.event_id.ulid);
    assert.equal(seen.at(-1).journal_event.event_kind, 'sensor.reading');
    await second.call('AbortRun', { v: 1, run_id: id(runId) });
    await stream.rest();
    const records = await second.list('ReadTape', { v: 1, run_id: id(runId) });
    const [appended, ...more] = contents(records, 'external_event');
    assert.equal(more.length, 0, 'it stands there once');
    assert.equal(appended.contentJson, '{"b":1, "a":"ä"}');
    assert.equal(appended.principal, settings.principals.second);
  });
  await checks.check('AppendEvent of a run that has ended does not change its tape', async () => {
    const { runId } = await run(second, 'over');
    const before = await second.list('ReadTape', { v: 1, run_id: id(runId) });
    const appended = await second.call('AppendEvent', event(runId, '[1]'));
    assert.deepEqual([appended.accepted, appended.on_tape], [true, false]);
    assert.deepEqual(await second.list('ReadTape', { v: 1, run_id: id(runId) }), before);
  });
  await checks.check('a run in the background is known as such', async () => {
    const { runId } = await run(second, 'quietly', { origin_kind: 'background' });
    await until('the run to be shown', async () => {
      const { run: shown } = await second.call('GetRun', { v: 1, run_id: id(runId) });
      return shown.origin_kind === 'background' && shown.state === 'done';
    });
  });
}
