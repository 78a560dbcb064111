// RunStream over connections that are lost, and readers that are slow.
import assert from 'node:assert/strict';
import { id } from '../lib/ids.mjs';
import { attach, said, script, slowWords, start } from '../lib/messages.mjs';
import { Proxy } from '../lib/proxy.mjs';
import { code } from '../lib/refusals.mjs';
import { ends } from '../lib/runstream.mjs';
import { contents } from '../lib/tape.mjs';
import { Transcript } from '../lib/transcript.mjs';

const WORDS = 120;
const TURNS = script(
  [{ think: 'let me think about that ', chunkMillis: 5 }, slowWords(WORDS),
    { call: { tool: 'palyra.echo', input: { text: 'ünï' } } }],
  [slowWords(WORDS)]);

/**
 * Reads a run over connections that are cut after some events each; returns what was received.
 *
 * cut: how many events the n-th connection lives; from: position to attach with
 */
async function readWithCuts(stage, first, cut, from) {
  const transcript = new Transcript();
  const runId = first.run_id.ulid;
  let last;
  for (let n = 0; !last; n++) {
    const proxy = await Proxy.open(stage.settings.target);
    const client = stage.gateway.connect({
      token: stage.settings.tokens.second, target: proxy.target,
    });
    const opening = n === 0 ? first : attach(runId, from(transcript));
    const stream = client.runStream(opening);
    try {
      for (let left = cut(n); left > 0 && !last; left--) {
        const event = await stream.next();
        assert.ok(event, 'the stream ended without a last status');
        transcript.take(event);
        if (ends(event)) last = event;
      }
      if (!last) proxy.cut();
    } finally {
      stream.cancel();
      client.close();
      proxy.close();
    }
  }
  return { transcript, last };
}

/** A turn of which nothing was received yet may be announced as restarted: nothing is dropped. */
const costly = ({ turn, position }) => position.attach_text?.turn === turn;

async function finalTexts(client, runId) {
  const records = await client.list('ReadTape', { v: 1, run_id: id(runId) });
  return contents(records, 'turn_finished').map((turn) => [turn.turn, turn.text]);
}

export async function attaching(stage) {
  const { checks, second, gateway, settings } = stage;
  checks.group('attach');
  for (let round = 1; round <= 3; round++) {
    await checks.check(`cut again and again and attached by position, nothing is missing (${round})`, async () => {
      const cuts = [];
      const first = start(TURNS);
      const { transcript } = await readWithCuts(stage, first, (n) => {
        cuts.push(n < 8 ? 1 + Math.floor(Math.random() * 30) : Infinity);
        return cuts.at(-1);
      }, (seen) => seen.position());
      assert.ok(cuts.length >= 4, `cut after ${cuts}`);
      assert.deepEqual([...transcript.answers], await finalTexts(second, first.run_id.ulid));
      assert.deepEqual(transcript.restarts.filter(costly), [], 'told again in spite of the position');
    });
  }
  await checks.check('attached without a text position, the turn is told from its beginning', async () => {
    const first = start(TURNS);
    const cuts = [60, 50, Infinity];
    const { transcript } = await readWithCuts(stage, first, (n) => cuts[n],
      (seen) => ({ attach_after_seq: seen.seq }));
    assert.deepEqual([...transcript.answers], await finalTexts(second, first.run_id.ulid));
    assert.ok(transcript.restarts.length >= 1, 'a cut in mid-turn was not announced as a restart');
  });
  await checks.check('a lost connection ends the stream with UNAVAILABLE and the run goes on', async () => {
    const proxy = await Proxy.open(settings.target);
    const client = gateway.connect({ token: settings.tokens.second, target: proxy.target });
    const first = start(script([slowWords(40)]));
    const stream = client.runStream(first);
    await stream.until('the model spoke', (event) => event.body === 'model_token');
    proxy.cut();
    const error = await stream.rest().then(() => undefined, (e) => e);
    assert.equal(error?.code, code.UNAVAILABLE, String(error));
    client.close();
    proxy.close();
    const events = await second.runStream(attach(first.run_id.ulid)).halfClose().rest();
    assert.deepEqual([[1, said(events)]], await finalTexts(second, first.run_id.ulid));
  });
  await checks.check('attaching to a run that has ended tells it all and ends', async () => {
    const first = start('the end');
    const live = await second.runStream(first).halfClose().rest();
    const later = await second.runStream(attach(first.run_id.ulid)).halfClose().rest();
    const told = (events) => events.filter((event) => event.seq > 0).map((event) => event.seq);
    assert.deepEqual(told(later), [...new Set(told(live))]);
    assert.equal(said(later), said(live));
    const nothing = await second
      .runStream(attach(first.run_id.ulid, { attach_after_seq: told(live).at(-1) }))
      .halfClose().rest();
    assert.deepEqual(told(nothing), []);
  });
  await slowReaders(stage);
}

async function slowReaders({ checks, second }) {
  await checks.check('a slow reader holds up nobody, and gets all of it', async () => {
    const long = { repeat: { count: 30_000, say: 'abcdefgh ' } };
    const first = start(script([long]));
    const slow = second.runStream(first).halfClose();
    const transcript = new Transcript();
    for (let i = 0; i < 10; i++) transcript.take(await slow.next());
    for (let i = 0; i < 5; i++) {
      const other = await second.runStream(start(`quick ${i}`)).halfClose().rest();
      assert.equal(said(other), `You said: quick ${i}`);
    }
    const unread = await second.runStream(attach(first.run_id.ulid)).halfClose().rest();
    assert.equal(said(unread).length, long.repeat.count * long.repeat.say.length);
    for (let event; (event = await slow.next()); ) transcript.take(event);
    assert.deepEqual([...transcript.answers], await finalTexts(second, first.run_id.ulid));
  });
}
