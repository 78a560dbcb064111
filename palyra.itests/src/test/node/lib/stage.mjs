// Who plays in the scenarios, and what can be seen of the gateway's state.
import { Gateway } from './gateway.mjs';
import { AGENT } from './messages.mjs';

export class Stage {
  constructor(settings, checks, director) {
    this.settings = settings;
    this.checks = checks;
    /** Asks the test around this process to do something to the gateway. */
    this.director = director;
    this.gateway = new Gateway(settings);
    /** Speaks with a certificate where there is TLS, with a token otherwise. */
    this.operator = this.connectOperator();
    this.second = this.gateway.connect({ token: settings.tokens.second });
    this.viewer = this.gateway.connect({ token: settings.tokens.viewer });
    this.speaker = this.gateway.connect({ token: settings.tokens.speaker });
  }

  connectOperator(more = {}) {
    return this.settings.tls
      ? this.gateway.connect({ identity: 'operator', ...more })
      : this.gateway.connect({ token: this.settings.tokens.operator, ...more });
  }

  async makeAgent() {
    await this.operator.call('CreateAgent', {
      v: 1,
      agent_id: AGENT,
      display_name: 'Plays scripts',
      default_tool_allowlist: ['palyra.echo'],
      test: true,
    });
  }

  /** Returns everything of the state that a client can see, as one text. */
  async everything() {
    const { operator } = this;
    const all = [
      await this.#pages('ListSessions', { include_archived: true },
        (page) => page.next_after_session_key, (next) => ({ after_session_key: next })),
      await this.#pages('ListRuns', {},
        (page) => page.next_before_run_id, (next) => ({ before_run_id: next })),
      await operator.call('ListAgents', { v: 1, limit: 500 }),
      await operator.call('ListAgentBindings', { v: 1, limit: 500 }),
    ];
    return JSON.stringify(all, null, 1);
  }

  async #pages(method, request, next, after) {
    const pages = [];
    for (let more = {}; more; ) {
      const page = await this.operator.call(method, { v: 1, limit: 500, ...request, ...more });
      pages.push(page);
      more = next(page) ? after(next(page)) : undefined;
    }
    return pages;
  }
}
