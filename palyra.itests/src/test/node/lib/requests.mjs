// A request for each rpc that would be accepted as it stands, and what is wrong when it is changed.
import { AGENT, envelope, start } from './messages.mjs';
import { id, newUlid } from './ids.mjs';

/**
 * Returns by method: `valid`, a request; `ids`, its fields that take a ULID; `needs`, its fields that
 * must be there; `messages`, its parts that have a version of their own.
 *
 * with: `runId` and `sessionId` that belong to the caller
 */
export function requests({ runId, sessionId }) {
  const run_id = id(runId);
  const session_id = id(sessionId);
  const agent_id = AGENT;
  const nowhere = id('01M80N9YW6MMFJ2CHK42J0WEWK');
  return {
    GetHealth: { valid: { v: 1 } },
    RunStream: {
      valid: { ...start('never'), session_key: '', session_id },
      ids: ['run_id', 'session_id', 'input.envelope_id', 'origin_run_id'],
      needs: ['input.envelope_id', 'input.content'],
      messages: ['input'],
    },
    AppendEvent: {
      valid: {
        v: 1,
        event: {
          v: 1, event_id: id(newUlid()), run_id, session_id, kind: 'EVENT_KIND_MESSAGE_RECEIVED',
          actor: 'EVENT_ACTOR_USER', payload_json: Buffer.from('{}'),
        },
      },
      ids: ['event.event_id', 'event.run_id', 'event.session_id'],
      needs: ['event', 'event.run_id', 'event.kind', 'event.payload_json'],
      messages: ['event'],
    },
    AbortRun: { valid: { v: 1, run_id }, ids: ['run_id'], needs: ['run_id'] },
    ListSessions: { valid: { v: 1, limit: 1 } },
    ResolveSession: { valid: { v: 1, session_id }, ids: ['session_id'] },
    CleanupSession: { valid: { v: 1, session_id }, ids: ['session_id'], needs: ['session_id'] },
    RouteMessage: {
      valid: {
        v: 1,
        envelope: envelope('never', { origin: { type: 'ORIGIN_TYPE_CHANNEL', channel: 'nobodys' } }),
      },
      ids: ['envelope.envelope_id'],
      needs: ['envelope', 'envelope.content', 'envelope.envelope_id'],
      messages: ['envelope'],
    },
    ListAgents: { valid: { v: 1, limit: 1 } },
    GetAgent: { valid: { v: 1, agent_id }, needs: ['agent_id'] },
    CreateAgent: { valid: { v: 1, agent_id: 'never' }, needs: ['agent_id'] },
    DeleteAgent: { valid: { v: 1, agent_id }, needs: ['agent_id'] },
    SetDefaultAgent: { valid: { v: 1, agent_id }, needs: ['agent_id'] },
    ListAgentBindings: { valid: { v: 1, session_id }, ids: ['session_id'] },
    BindAgentForContext: {
      valid: { v: 1, agent_id, session_id }, ids: ['session_id'], needs: ['agent_id'],
    },
    UnbindAgentForContext: { valid: { v: 1, channel: 'never' } },
    ResolveAgentForContext: { valid: { v: 1, session_id }, ids: ['session_id'] },
    GetRun: { valid: { v: 1, run_id }, ids: ['run_id'], needs: ['run_id'] },
    ListRuns: { valid: { v: 1 }, ids: ['session_id', 'before_run_id'] },
    ReadTape: { valid: { v: 1, run_id }, ids: ['run_id'], needs: ['run_id'] },
    VerifyRun: { valid: { v: 1, run_id }, ids: ['run_id'], needs: ['run_id'] },
    ListApprovals: { valid: { v: 1, limit: 1 }, ids: ['run_id', 'session_id'] },
    GetApproval: {
      valid: { v: 1, approval_id: nowhere }, ids: ['approval_id'], needs: ['approval_id'],
    },
    ExportApprovals: { valid: { v: 1, limit: 1 } },
    DecideApproval: {
      valid: { v: 1, approval_id: nowhere }, ids: ['approval_id'], needs: ['approval_id'],
    },
    ListGrants: { valid: { v: 1, limit: 1 }, ids: ['session_id', 'after_grant_id'] },
    RevokeGrant: { valid: { v: 1, grant_id: nowhere }, ids: ['grant_id'], needs: ['grant_id'] },
    PutSecret: {
      valid: { v: 1, scope: 'global', key: 'never', value: Buffer.from('never kept') },
      needs: ['scope', 'key', 'value'],
    },
    GetSecret: { valid: { v: 1, scope: 'global', key: 'never' }, needs: ['scope', 'key'] },
    DeleteSecret: { valid: { v: 1, scope: 'global', key: 'never' }, needs: ['scope', 'key'] },
    ListSecrets: { valid: { v: 1, scope: 'global' } },
    ExplainCall: { valid: { v: 1, call_id: `${runId}.1.0` }, needs: ['call_id'] },
  };
}

/** Returns a copy of a request with one field changed; `undefined` takes it out. */
export function changed(request, path, value) {
  const [first, ...rest] = path.split('.');
  const copy = { ...request };
  const next = rest.length === 0 ? value : changed(copy[first] ?? {}, rest.join('.'), value);
  if (next === undefined) delete copy[first];
  else copy[first] = next;
  return copy;
}

/** Returns how a field is called at the end of its path. */
export const lastName = (path) => path.split('.').at(-1);

/** Returns what a refusal says when a field is missing: its name, or what belongs there. */
export const missing = (path) =>
  path === 'event.payload_json' ? /JSON/ : new RegExp(lastName(path));

/** Makes a call of whatever form the method has; a stream is read to its end. */
export async function make(client, method, request, options) {
  if (method === 'RunStream') return client.runStream(request, options).halfClose().rest();
  if (['ReadTape', 'ExplainCall', 'ExportApprovals'].includes(method)) return client.list(method, request, options);
  return client.call(method, request, options);
}
