// Sessions: resolve, list, clean up.
import assert from 'node:assert/strict';
import { id, newUlid } from '../lib/ids.mjs';
import { run } from '../lib/messages.mjs';

export async function sessions({ checks, second, settings }) {
  checks.group('sessions');
  const word = newUlid().toLowerCase();
  const key = `key-${word}`;
  const resolve = (more) => second.call('ResolveSession', { v: 1, ...more });
  let first;
  await checks.check('ResolveSession makes a session once', async () => {
    const made = await resolve({ session_key: key, session_label: `Label ${word}` });
    assert.equal(made.created, true);
    first = made.session;
    assert.equal(first.session_key, key);
    assert.equal(first.session_label, `Label ${word}`);
    assert.equal(first.principal, settings.principals.second);
    const again = await resolve({ session_key: key });
    assert.equal(again.created, false);
    assert.equal(again.session.session_id.ulid, first.session_id.ulid);
    const byId = await resolve({ session_id: first.session_id, require_existing: true });
    assert.equal(byId.session.session_key, key);
  });
  await checks.check('ResolveSession by device and channel is another session', async () => {
    const extra = { 'x-palyra-device-id': newUlid(), 'x-palyra-channel': 'node' };
    const there = await second.call('ResolveSession', { v: 1 }, { extra });
    const again = await second.call('ResolveSession', { v: 1 }, { extra });
    const here = await resolve({});
    assert.equal(there.session.device_id, extra['x-palyra-device-id']);
    assert.equal(there.session.channel, 'node');
    assert.equal(again.session.session_id.ulid, there.session.session_id.ulid);
    assert.notEqual(here.session.session_id.ulid, there.session.session_id.ulid);
  });
  await checks.check('ResolveSession begins a fresh one when asked', async () => {
    const fresh = await resolve({ session_key: key, reset_session: true });
    assert.equal(fresh.reset_applied, true);
    assert.equal(fresh.created, true);
    assert.equal(fresh.session.session_key, key);
    assert.notEqual(fresh.session.session_id.ulid, first.session_id.ulid);
  });
  await checks.check('ListSessions finds by text and goes page by page', async () => {
    const ids = [];
    for (let after = ''; ; ) {
      const page = await second.call('ListSessions', {
        v: 1, limit: 1, q: word.toUpperCase(), include_archived: true, after_session_key: after,
      });
      assert.ok(page.sessions.length <= 1);
      ids.push(...page.sessions.map((each) => each.session_id.ulid));
      after = page.next_after_session_key;
      if (!after) break;
    }
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 2, 'the archived and the fresh one');
    const live = await second.call('ListSessions', { v: 1, q: word });
    assert.equal(live.sessions.length, 1);
  });
  await checks.check('CleanupSession archives once and frees the key', async () => {
    const { sessionId } = await run(second, 'hello', { session_key: `${key}-b` });
    const request = { v: 1, session_key: `${key}-b` };
    const cleaned = await second.call('CleanupSession', request);
    assert.equal(cleaned.session.session_id.ulid, sessionId);
    assert.deepEqual([cleaned.cleaned, cleaned.newly_archived, cleaned.run_count], [true, true, 1]);
    assert.equal(cleaned.previous_session_key, `${key}-b`);
    assert.ok(cleaned.session.archived_at_unix_ms > 0);
    const again = await second.call('CleanupSession', { v: 1, session_id: id(sessionId) });
    assert.deepEqual([again.cleaned, again.newly_archived], [false, false]);
    const fresh = await resolve({ session_key: `${key}-b` });
    assert.equal(fresh.created, true);
  });
}
