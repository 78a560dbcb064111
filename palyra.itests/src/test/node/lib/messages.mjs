// Messages that several scenarios send.
import { id, newUlid } from './ids.mjs';

/** The test agent that the scenarios make: it takes scripts. */
export const AGENT = 'node-test';

/** Returns a message in which the model is told what to do, turn by turn. */
export const script = (...turns) => `#!palyra-script\n${JSON.stringify({ turns })}`;

/** Says that many words, slowly enough to be interrupted. */
export const slowWords = (count, chunkMillis = 20) => ({
  say: Array.from({ length: count }, (_, i) => `word${i}ä `).join(''),
  chunkMillis,
});

/** Returns an envelope around a text. */
export const envelope = (text, more = {}) => ({
  v: 1,
  envelope_id: id(newUlid()),
  timestamp_unix_ms: Date.now(),
  origin: { type: 'ORIGIN_TYPE_SYSTEM' },
  content: { text },
  ...more,
});

/** Returns the first message of a stream that starts a run in a session of its own. */
export const start = (text, more = {}) => ({
  v: 1,
  run_id: id(newUlid()),
  session_key: `node-${newUlid()}`,
  agent_id: AGENT,
  input: envelope(text),
  ...more,
});

/** Returns the first message of a stream that follows a run. */
export const attach = (runId, position = {}) => ({ v: 1, run_id: id(runId), ...position });

/** Starts a run and reads it to its end; returns its events. */
export async function run(client, text, more = {}) {
  const stream = client.runStream(start(text, more)).halfClose();
  const events = await stream.rest();
  return { events, ...names(events) };
}

/** Returns the ids of the run and of its session. */
export const names = (events) => ({
  runId: events.find((event) => event.run_id).run_id.ulid,
  sessionId: events.find((event) => event.session_id).session_id.ulid,
});

/** Returns the text that the tokens among events make, thoughts left out. */
export const said = (events) =>
  events.filter((event) => event.body === 'model_token' && !event.model_token.thought)
    .map((event) => event.model_token.token).join('');

/** Returns the kinds of the status events. */
export const statuses = (events) =>
  events.filter((event) => event.body === 'status').map((event) => event.status.kind);
