// What a follower of a run has, kept over lost connections. Throws at the first gap or repeat.
import assert from 'node:assert/strict';

export class Transcript {
  seq = 0;
  turn = 0;
  attempt = 0;
  texts = { answer: '', thought: '' };
  /** Whole answers by turn. */
  answers = new Map();
  /** Restarts that were announced, each with the position that was reached before. */
  restarts = [];

  take(event) {
    if (event.seq !== 0) {
      assert.ok(event.seq > this.seq, `seq ${event.seq} came after ${this.seq}`);
      this.seq = event.seq;
    }
    if (event.body === 'model_token') this.#token(event.model_token);
    if (event.body === 'turn_restarted') this.#restart(event.turn_restarted);
  }

  #token(token) {
    if (token.turn !== this.turn || token.attempt !== this.attempt) {
      assert.ok(
        token.turn > this.turn || (token.turn === this.turn && token.attempt > this.attempt),
        `turn ${token.turn} attempt ${token.attempt} came after ${this.turn} ${this.attempt}`,
      );
      this.turn = token.turn;
      this.attempt = token.attempt;
      this.texts = { answer: '', thought: '' };
    }
    const kind = token.thought ? 'thought' : 'answer';
    assert.equal(token.offset, this.texts[kind].length, `a ${kind} with a gap or a repeat`);
    this.texts[kind] += token.token;
    this.answers.set(this.turn, this.texts.answer);
  }

  #restart(restarted) {
    this.restarts.push({ ...restarted, position: this.position() });
    this.answers.delete(restarted.turn);
    // What comes may be the same attempt, told again.
    this.turn = restarted.turn - 1;
    this.attempt = 0;
    this.texts = { answer: '', thought: '' };
  }

  /** The fields of a message that attaches where this ends. */
  position() {
    const position = { attach_after_seq: this.seq };
    if (this.turn > 0 && this.attempt > 0) {
      position.attach_text = {
        turn: this.turn,
        attempt: this.attempt,
        answer_length: this.texts.answer.length,
        thought_length: this.texts.thought.length,
      };
    }
    return position;
  }
}
