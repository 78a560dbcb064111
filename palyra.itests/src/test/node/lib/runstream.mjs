// One RunStream: what is not read is not asked for, so a reader that pauses holds back the sender.
import { PATIENCE_MILLIS, within } from './checks.mjs';

const TERMINAL = ['STATUS_KIND_DONE', 'STATUS_KIND_FAILED', 'STATUS_KIND_CANCELLED'];

/** Whether an event says that the run has ended. */
export const ends = (event) => event.body === 'status' && TERMINAL.includes(event.status.kind);

export class RunStream {
  #call;
  #events;
  #note;

  constructor(call, note) {
    this.#call = call;
    this.#note = note;
    this.#events = call[Symbol.asyncIterator]();
    call.on('error', () => {}); // the reader gets it
  }

  send(message) {
    this.#call.write(message);
    return this;
  }

  /** Says that nothing more will be sent. */
  halfClose() {
    this.#call.end();
    return this;
  }

  /** Goes away. */
  cancel() {
    this.#call.cancel();
  }

  /** Returns the next event, or undefined when the stream has ended with OK. */
  async next() {
    try {
      const { done, value } = await within(PATIENCE_MILLIS, 'an event', this.#events.next());
      if (done) {
        this.#note();
        return undefined;
      }
      return value;
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  /** Returns the events up to the first that fits; fails when the stream ends before. */
  async until(what, fits) {
    const events = [];
    for (;;) {
      const event = await this.next();
      if (!event) throw new Error(`the stream ended before ${what}; it sent ${brief(events)}`);
      events.push(event);
      if (fits(event)) return events;
    }
  }

  /** Returns all events up to the end with OK. */
  async rest() {
    const events = [];
    for (let event; (event = await this.next()); ) events.push(event);
    return events;
  }
}

function brief(events) {
  return events.map((event) => event.body + (event.status ? ` ${event.status.kind}` : '')).join(', ');
}
