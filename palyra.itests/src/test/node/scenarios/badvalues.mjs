// Requests of the right form that cannot be done: unknown, foreign, forbidden, out of range.
import assert from 'node:assert/strict';
import { id, newUlid } from '../lib/ids.mjs';
import { AGENT, attach, run, start } from '../lib/messages.mjs';
import { code, refuses } from '../lib/refusals.mjs';
import { changed, make, requests } from '../lib/requests.mjs';
import { changesNothing } from './badform.mjs';

const { INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, ALREADY_EXISTS } = code;
const NOBODYS = '01M80N9YW6MMFJ2CHK42J0WEWK';
const LONG = 'x'.repeat(300);
const FILE = [{ kind: 'ATTACHMENT_KIND_FILE', filename: 'a.txt' }];

/** Returns [method, what is wrong, path, value, code, fragment]; the rest of the request is valid. */
function table() {
  const nowhere = id(NOBODYS);
  return [
    ['RunStream', 'neither input nor run', 'only', { v: 1 }, INVALID_ARGUMENT, /input|run_id/],
    ['RunStream', 'unknown session', 'session_id', nowhere, NOT_FOUND, /session/],
    ['RunStream', 'unknown agent', 'agent_id', 'nobody', NOT_FOUND, /agent.*nobody/i],
    ['RunStream', 'unknown run', 'only', attach(NOBODYS), NOT_FOUND, /run/],
    ['RunStream', 'unknown origin run', 'origin_run_id', nowhere, NOT_FOUND, /run/],
    ['RunStream', 'a session that must exist and does not', 'only',
      start('x', { require_existing: true }), NOT_FOUND, /session/],
    ['RunStream', 'parameter_delta_json', 'parameter_delta_json', Buffer.from('{}'),
      INVALID_ARGUMENT, /parameter_delta_json.*not supported/],
    ['RunStream', 'queued_input_id', 'queued_input_id', nowhere,
      INVALID_ARGUMENT, /queued_input_id.*not supported/],
    ['RunStream', 'an attachment', 'input.content.attachments', FILE,
      INVALID_ARGUMENT, /attachments/],
    ['RunStream', 'an unknown kind of origin', 'origin_kind', 'whim', INVALID_ARGUMENT, /origin/],
    ['RunStream', 'no text', 'input.content.text', '', INVALID_ARGUMENT, /text/],
    ['RunStream', 'too much text', 'input.content.text', 'x'.repeat(262_145),
      INVALID_ARGUMENT, /262.?144/],
    ['RunStream', 'more than it meant to send', 'input.max_payload_bytes', 2,
      INVALID_ARGUMENT, /max_payload_bytes/],
    ['RunStream', 'a session key that is too long', 'only',
      start('x', { session_key: LONG }), INVALID_ARGUMENT, /session_key.*256/],
    ['RunStream', 'an unknown origin type', 'input.origin.type', 99, INVALID_ARGUMENT, /origin/],
    ['AppendEvent', 'unknown run', 'event.run_id', nowhere, NOT_FOUND, /run/],
    ['AppendEvent', 'the gateway as actor', 'event.actor', 'EVENT_ACTOR_AGENT',
      PERMISSION_DENIED, /actor/],
    ['AppendEvent', 'the system as actor', 'event.actor', 'EVENT_ACTOR_SYSTEM',
      PERMISSION_DENIED, /actor/],
    ['AppendEvent', 'an unknown actor', 'event.actor', 99, INVALID_ARGUMENT, /actor is 99/],
    ['AppendEvent', 'an unknown kind', 'event.kind', 99, INVALID_ARGUMENT, /kind is 99/],
    ['AppendEvent', 'no word as kind', 'event.event_kind', 'No Word!', INVALID_ARGUMENT, /kind/],
    ['AppendEvent', 'no JSON', 'event.payload_json', Buffer.from('{bad'), INVALID_ARGUMENT, /JSON/],
    ['AppendEvent', 'JSON with a key twice', 'event.payload_json', Buffer.from('{"a":1,"a":2}'),
      INVALID_ARGUMENT, /JSON|twice|duplicate/i],
    ['AppendEvent', 'too much JSON', 'event.payload_json', Buffer.from(`"${'x'.repeat(65_536)}"`),
      INVALID_ARGUMENT, /65.?536/],
    ['AppendEvent', 'JSON that is no UTF-8', 'event.payload_json', Buffer.from([0x22, 0xc3, 0x22]),
      INVALID_ARGUMENT, /UTF-8/],
    ['AppendEvent', 'a hash', 'event.hash', 'ab', INVALID_ARGUMENT, /hash.*gateway only/],
    ['AppendEvent', 'another session', 'event.session_id', nowhere, INVALID_ARGUMENT, /session_id/],
    ['GetApproval', 'an unknown question', 'reason', undefined, NOT_FOUND, /approval/],
    ['DecideApproval', 'an unknown question', 'reason', 'no', NOT_FOUND, /approval/],
    ['DecideApproval', 'a reason that is too long', 'reason', LONG.repeat(4), INVALID_ARGUMENT, /reason/],
    ['DecideApproval', 'an unknown scope', 'decision_scope', 99, INVALID_ARGUMENT, /decision_scope is 99/],
    ['DecideApproval', 'an unknown shape', 'shape', 99, INVALID_ARGUMENT, /shape is 99/],
    ['DecideApproval', 'a time without its scope', 'decision_scope_ttl_ms', 5,
      INVALID_ARGUMENT, /TIMEBOXED/],
    ['RevokeGrant', 'an unknown grant', 'reason', 'no', NOT_FOUND, /grant/],
    ['ListApprovals', 'too large a page', 'limit', 501, INVALID_ARGUMENT, /limit is 501.*500/],
    ['ListApprovals', 'an unknown decision', 'decision', 99, INVALID_ARGUMENT, /decision is 99/],
    ['ListApprovals', 'no cursor', 'after_approval_ulid', 'what', INVALID_ARGUMENT, /after_approval_ulid/],
    ['ExportApprovals', 'too many', 'limit', 5_001, INVALID_ARGUMENT, /limit is 5001.*5000/],
    ['ExportApprovals', 'an unknown form', 'format', 99, INVALID_ARGUMENT, /format is 99/],
    ['ListGrants', 'too large a page', 'limit', 501, INVALID_ARGUMENT, /limit is 501.*500/],
    ['ExplainCall', 'no call id', 'call_id', 'what', INVALID_ARGUMENT, /call_id/],
    ['AbortRun', 'unknown run', 'run_id', nowhere, NOT_FOUND, /run/],
    ['AbortRun', 'a reason that is too long', 'reason', 'x'.repeat(1_001), INVALID_ARGUMENT, /reason/],
    ['ListSessions', 'too large a page', 'limit', 501, INVALID_ARGUMENT, /limit is 501.*500/],
    ['ListSessions', 'no cursor', 'after_session_key', 'what', INVALID_ARGUMENT, /after_session_key/],
    ['ListSessions', 'too long a text', 'q', LONG, INVALID_ARGUMENT, /q has 300/],
    ['ResolveSession', 'unknown session', 'session_id', nowhere, NOT_FOUND, /session/],
    ['ResolveSession', 'a key that must exist', 'only',
      { v: 1, session_key: newUlid(), require_existing: true }, NOT_FOUND, /session/],
    ['ResolveSession', 'too long a key', 'only', { v: 1, session_key: LONG },
      INVALID_ARGUMENT, /session_key/],
    ['ResolveSession', 'too long a label', 'only', { v: 1, session_key: 'k', session_label: LONG },
      INVALID_ARGUMENT, /label/],
    ['CleanupSession', 'unknown session', 'session_id', nowhere, NOT_FOUND, /session/],
    ['CleanupSession', 'unknown key', 'only', { v: 1, session_key: newUlid() }, NOT_FOUND, /session/],
    ['CleanupSession', 'id and key', 'session_key', 'k', INVALID_ARGUMENT, /both/],
    ['RouteMessage', 'an attachment', 'envelope.content.attachments', FILE,
      INVALID_ARGUMENT, /attachments/],
    ['RouteMessage', 'no channel', 'envelope.origin', undefined, INVALID_ARGUMENT, /channel/],
    ['RouteMessage', 'too much text', 'envelope.content.text', 'x'.repeat(262_145),
      INVALID_ARGUMENT, /262.?144/],
    ['RouteMessage', 'too long an id', 'adapter_message_id', LONG,
      INVALID_ARGUMENT, /adapter_message_id/],
    ['ListAgents', 'too large a page', 'limit', 501, INVALID_ARGUMENT, /limit is 501/],
    ['GetAgent', 'unknown agent', 'agent_id', 'nobody', NOT_FOUND, /agent.*nobody/],
    ['CreateAgent', 'no id of an agent', 'agent_id', 'Bad Id', INVALID_ARGUMENT, /agent/],
    ['CreateAgent', 'an agent that exists', 'agent_id', AGENT, ALREADY_EXISTS, /node-test/],
    ['CreateAgent', 'no tool', 'default_tool_allowlist', ['No Tool!'], INVALID_ARGUMENT, /tool/i],
    ['CreateAgent', 'no model profile', 'default_model_profile', 'x/', INVALID_ARGUMENT,
      /default_model_profile/],
    ['CreateAgent', 'too long a prompt', 'system_prompt', 'x'.repeat(65_537),
      INVALID_ARGUMENT, /prompt/],
    ...['agent_dir', 'execution_backend_preference'].map((path) =>
      ['CreateAgent', path, path, 'x', INVALID_ARGUMENT, new RegExp(`${path}.*not supported`)]),
    ...['workspace_roots', 'default_skill_allowlist'].map((path) =>
      ['CreateAgent', path, path, ['x'], INVALID_ARGUMENT, new RegExp(`${path}.*not supported`)]),
    ['CreateAgent', 'allow_absolute_paths', 'allow_absolute_paths', true,
      INVALID_ARGUMENT, /allow_absolute_paths.*not supported/],
    ['DeleteAgent', 'unknown agent', 'agent_id', 'nobody', NOT_FOUND, /agent/],
    ['DeleteAgent', 'the default agent', 'agent_id', 'default', code.FAILED_PRECONDITION, /default/],
    ['SetDefaultAgent', 'unknown agent', 'agent_id', 'nobody', NOT_FOUND, /agent/],
    ['ListAgentBindings', 'too large a page', 'limit', 501, INVALID_ARGUMENT, /limit is 501/],
    ['ListAgentBindings', 'unknown session', 'session_id', nowhere, NOT_FOUND, /session/],
    ['ListAgentBindings', 'no principal', 'principal', 'no body', INVALID_ARGUMENT, /principal/],
    ['BindAgentForContext', 'unknown agent', 'agent_id', 'nobody', NOT_FOUND, /agent/],
    ['BindAgentForContext', 'unknown session', 'session_id', nowhere, NOT_FOUND, /session/],
    ['BindAgentForContext', 'no principal', 'only', { v: 1, agent_id: AGENT, principal: 'no body' },
      INVALID_ARGUMENT, /principal/],
    ['BindAgentForContext', 'too long a channel', 'only',
      { v: 1, agent_id: AGENT, channel: 'c'.repeat(65) }, INVALID_ARGUMENT, /channel/],
    ['UnbindAgentForContext', 'a session', 'session_id', nowhere, INVALID_ARGUMENT, /session_id/],
    ['UnbindAgentForContext', 'no principal', 'principal', 'no body', INVALID_ARGUMENT, /principal/],
    ['ResolveAgentForContext', 'unknown session', 'session_id', nowhere, NOT_FOUND, /session/],
    ['ResolveAgentForContext', 'no session to bind', 'only', { v: 1, persist_session_binding: true },
      INVALID_ARGUMENT, /session_id/],
    ['ResolveAgentForContext', 'unknown preferred agent', 'only',
      { v: 1, channel: 'never', preferred_agent_id: 'nobody' }, NOT_FOUND, /agent/],
    ['GetRun', 'unknown run', 'run_id', nowhere, NOT_FOUND, /run/],
    ['ListRuns', 'too large a page', 'limit', 501, INVALID_ARGUMENT, /limit is 501/],
    ['ReadTape', 'unknown run', 'run_id', nowhere, NOT_FOUND, /run/],
    ['VerifyRun', 'unknown run', 'run_id', nowhere, NOT_FOUND, /run/],
    ['VerifyRun', 'a range from its end', 'only',
      { v: 1, run_id: 'own', from_seq: 9, to_seq: 2 }, INVALID_ARGUMENT, /seq/],
  ];
}

export async function badValues(stage) {
  const { checks, operator } = stage;
  checks.group('bad values');
  const own = await run(operator, 'mine');
  const valid = requests(own);
  await changesNothing({ checks, everything: () => stage.everything() }, async () => {
    for (const [method, name, path, value, expected, fragment] of table()) {
      const request = path === 'only' ? value : changed(valid[method].valid, path, value);
      if (request.run_id === 'own') request.run_id = id(own.runId);
      await checks.check(`${method} with ${name}`, () =>
        refuses(() => make(operator, method, request), expected, fragment));
    }
  });
  await withinStreams(stage);
}

/** What a client may send wrongly once its stream has begun. */
async function withinStreams({ checks, operator }) {
  for (const [name, message, fragment] of [
    ['a later message of another version', { v: 2, cancel_run: true }, /v is 2/],
    ['a later message that says nothing', { v: 1 }, /./],
    ['an answer to no approval', { v: 1, tool_approval_response: { approved: true } }, /approval_id/],
    ['an answer to an approval that is no ULID',
      { v: 1, tool_approval_response: { approval_id: id('x'), approved: true } }, /approval_id/],
  ]) {
    await checks.check(`RunStream with ${name}`, async () => {
      const stream = operator.runStream(start(`#!palyra-script\n{"turns":[[{"stall":true}]]}`));
      const [first] = await stream.until('it began', (event) => event.seq > 0);
      stream.send(message);
      await refuses(() => stream.rest(), INVALID_ARGUMENT, fragment);
      const { run: shown } = await operator.call('GetRun', { v: 1, run_id: first.run_id });
      assert.equal(shown.state, 'in_progress', 'the run goes on');
      await operator.call('AbortRun', { v: 1, run_id: first.run_id });
    });
  }
}

/** What belongs to somebody else is not there; what is for operators is refused. */
export async function foreign(stage) {
  const { checks, operator, second, viewer } = stage;
  checks.group('foreign');
  const theirs = await run(operator, 'secret');
  const table = requests(theirs);
  const mutating = ['CreateAgent', 'DeleteAgent', 'SetDefaultAgent'];
  const unseen = ['RunStream', 'AppendEvent', 'AbortRun', 'ResolveSession', 'CleanupSession',
    'ListAgentBindings', 'BindAgentForContext', 'ResolveAgentForContext', 'GetRun', 'ReadTape',
    'VerifyRun', 'ExplainCall'];
  await changesNothing({ checks, everything: () => stage.everything() }, async () => {
    for (const method of unseen) {
      await checks.check(`${method} of what belongs to somebody else`, () =>
        refuses(() => make(second, method, table[method].valid), NOT_FOUND, /run|session/));
    }
    await checks.check('RunStream that attaches to the run of somebody else', () =>
      refuses(() => make(second, 'RunStream', attach(theirs.runId)), NOT_FOUND, /run/));
    await checks.check('RunStream with the run id of somebody else', () => refuses(
      () => make(second, 'RunStream', { ...start('mine now'), run_id: id(theirs.runId) }),
      ALREADY_EXISTS, /run/));
    for (const method of mutating) {
      await checks.check(`${method} by somebody who is no operator`, () =>
        refuses(() => make(second, method, table[method].valid), PERMISSION_DENIED, /agent\./));
    }
    for (const [method, more] of [
      ['BindAgentForContext', { agent_id: AGENT, channel: 'c' }],
      ['BindAgentForContext', { agent_id: AGENT, principal: 'user:other' }],
      ['UnbindAgentForContext', { channel: 'c' }],
      ['UnbindAgentForContext', { principal: 'user:other' }],
      ['ListAgentBindings', { principal: 'user:other' }],
      ['ResolveAgentForContext', { principal: 'user:other' }],
    ]) {
      await checks.check(`${method} ${JSON.stringify(more)} by somebody who is no operator`, () =>
        refuses(() => second.call(method, { v: 1, ...more }), PERMISSION_DENIED, /agent\.|session\./));
    }
    for (const [method, request] of [
      ['RunStream', start('hello', { agent_id: '' })],
      ['ResolveSession', { v: 1, session_key: 'k' }],
    ]) {
      await checks.check(`${method} by somebody who may only read`, () =>
        refuses(() => make(viewer, method, request), PERMISSION_DENIED, /viewer|may/));
    }
  });
  await checks.check('lists show nothing that belongs to somebody else', async () => {
    const { sessions } = await viewer.call('ListSessions', { v: 1, include_archived: true });
    const { runs } = await viewer.call('ListRuns', { v: 1 });
    const theirRuns = await viewer.call('ListRuns', { v: 1, session_id: id(theirs.sessionId) })
      .then((page) => page.runs, (error) => (assert.equal(error.code, NOT_FOUND), []));
    assert.deepEqual([sessions, runs, theirRuns], [[], [], []]);
  });
  await speaking(stage);
}

async function speaking({ checks, speaker, second, settings }) {
  const extra = { 'x-palyra-principal': 'user:carol' };
  await checks.check('who may speak for others starts runs that are theirs', async () => {
    const events = await make(speaker, 'RunStream', start('for carol', { agent_id: '' }), { extra });
    const { run: shown } = await speaker.call('GetRun', { v: 1, run_id: events[0].run_id }, { extra });
    assert.equal(shown.principal, 'user:carol');
    await refuses(() => speaker.call('GetRun', { v: 1, run_id: events[0].run_id }), NOT_FOUND, /run/);
  });
  await checks.check('to name oneself needs no right', async () => {
    const self = { 'x-palyra-principal': settings.principals.second };
    assert.equal((await second.call('ListRuns', { v: 1 }, { extra: self })).v, 1);
  });
  await checks.check('nobody speaks for the gateway', () => refuses(
    () => speaker.call('ListRuns', { v: 1 }, { extra: { 'x-palyra-principal': 'system' } }),
    INVALID_ARGUMENT, /system/));
}
