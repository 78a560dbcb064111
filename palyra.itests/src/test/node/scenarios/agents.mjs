// Agents and their bindings.
import assert from 'node:assert/strict';
import { newUlid } from '../lib/ids.mjs';

const named = (...names) => names.map((name) => `${name}-${newUlid().toLowerCase()}`);

export async function agents({ checks, operator, second }) {
  checks.group('agents');
  const [one, two] = named('one', 'two');
  const call = (method, more = {}) => operator.call(method, { v: 1, ...more });
  await checks.check('CreateAgent and GetAgent agree', async () => {
    const made = await call('CreateAgent', {
      agent_id: one,
      display_name: 'One',
      system_prompt: 'Be brief.',
      default_model_profile: 'deterministic',
      default_tool_allowlist: ['palyra.echo'],
    });
    const found = await second.call('GetAgent', { v: 1, agent_id: one });
    assert.deepEqual(found.agent, made.agent);
    assert.equal(found.agent.display_name, 'One');
    assert.equal(found.agent.system_prompt, 'Be brief.');
    assert.match(found.agent.system_prompt_sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(found.agent.default_tool_allowlist, ['palyra.echo']);
    assert.equal(found.is_default, false);
    assert.equal(made.default_changed, false);
  });
  await checks.check('ListAgents goes page by page', async () => {
    await call('CreateAgent', { agent_id: two });
    const ids = [];
    for (let after = ''; ; ) {
      const page = await call('ListAgents', { limit: 1, after_agent_id: after });
      ids.push(...page.agents.map((each) => each.agent_id));
      after = page.next_after_agent_id;
      if (!after) break;
    }
    assert.ok(ids.includes(one) && ids.includes(two) && ids.includes('default'), ids.join());
    assert.deepEqual(ids, [...new Set(ids)].sort());
    assert.equal((await call('ListAgents')).agents.length, ids.length);
  });
  await checks.check('SetDefaultAgent goes there and back', async () => {
    const there = await call('SetDefaultAgent', { agent_id: two });
    assert.deepEqual([there.previous_agent_id, there.default_agent_id], ['default', two]);
    assert.equal((await call('GetAgent', { agent_id: two })).is_default, true);
    const back = await call('SetDefaultAgent', { agent_id: 'default' });
    assert.deepEqual([back.previous_agent_id, back.default_agent_id], [two, 'default']);
  });
  await checks.check('CreateAgent makes a default when asked', async () => {
    const [three] = named('three');
    const made = await call('CreateAgent', { agent_id: three, set_default: true });
    assert.deepEqual([made.default_changed, made.default_agent_id], [true, three]);
    await call('SetDefaultAgent', { agent_id: 'default' });
    assert.equal((await call('DeleteAgent', { agent_id: three })).deleted, true);
  });
  await bindings({ checks, call, second, one });
  await checks.check('DeleteAgent takes its bindings along', async () => {
    const [channel] = named('channel');
    await call('BindAgentForContext', { agent_id: two, channel });
    const gone = await call('DeleteAgent', { agent_id: two });
    assert.deepEqual([gone.deleted, gone.deleted_agent_id], [true, two]);
    assert.equal(gone.removed_bindings_count, 1);
    assert.deepEqual([gone.previous_default_agent_id, gone.default_agent_id], ['default', 'default']);
    assert.equal((await call('ListAgentBindings', { channel })).bindings.length, 0);
  });
}

async function bindings({ checks, call, second, one }) {
  const [channel] = named('channel');
  await checks.check('BindAgentForContext, ListAgentBindings, ResolveAgentForContext', async () => {
    const made = await call('BindAgentForContext', { agent_id: one, channel });
    assert.equal(made.created, true);
    assert.deepEqual([made.binding.agent_id, made.binding.channel], [one, channel]);
    assert.equal((await call('BindAgentForContext', { agent_id: one, channel })).created, false);
    const list = await call('ListAgentBindings', { agent_id: one });
    assert.deepEqual(list.bindings.map((each) => each.channel), [channel]);
    assert.equal(list.bindings[0].principal, made.binding.principal);
    const found = await call('ResolveAgentForContext', { channel });
    assert.equal(found.agent.agent_id, one);
    assert.equal(found.source, 'AGENT_RESOLUTION_SOURCE_CONTEXT_BINDING');
  });
  await checks.check('a session that is bound comes before its principal and channel', async () => {
    const { session } = await call('ResolveSession', { session_key: channel });
    const place = { session_id: session.session_id };
    const preferred = await call('ResolveAgentForContext', {
      ...place, preferred_agent_id: one, persist_session_binding: true,
    });
    assert.deepEqual([preferred.agent.agent_id, preferred.binding_created], [one, true]);
    const found = await call('ResolveAgentForContext', place);
    assert.equal(found.source, 'AGENT_RESOLUTION_SOURCE_SESSION_BINDING');
    assert.deepEqual([found.agent.agent_id, found.is_default], [one, false]);
    const rebound = await call('BindAgentForContext', { agent_id: 'default', ...place });
    assert.equal(rebound.binding.session_id.ulid, session.session_id.ulid);
    assert.equal((await call('ResolveAgentForContext', place)).agent.agent_id, 'default');
  });
  await checks.check('UnbindAgentForContext removes once', async () => {
    const gone = await call('UnbindAgentForContext', { channel });
    assert.deepEqual([gone.removed, gone.removed_agent_id], [true, one]);
    assert.equal((await call('UnbindAgentForContext', { channel })).removed, false);
    const found = await second.call('ResolveAgentForContext', { v: 1, channel });
    assert.equal(found.source, 'AGENT_RESOLUTION_SOURCE_DEFAULT');
    assert.equal(found.is_default, true);
  });
}
