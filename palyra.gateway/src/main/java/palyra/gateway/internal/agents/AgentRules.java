package palyra.gateway.internal.agents;

import palyra.api.Require;
import palyra.api.core.gateway.AgentView;

/** What the texts of agents and bindings may look like; INVALID_ARGUMENT otherwise. */
final class AgentRules {
    private static final int MAX_NAME = 128;

    /** The name by which {@code sandbox run} asks; policies may say more for it than for a run. */
    private static final String RESERVED = "operator";

    private AgentRules() {}

    /** Names are stored and shown as they are, so they hold nothing that misleads. */
    static AgentView checked(AgentView agent) {
        Require.that(
                !agent.agentId().equals(RESERVED),
                "an agent cannot be called "
                        + RESERVED
                        + ": that is who tries a sandbox by hand;"
                        + " choose another name");
        for (String tool : agent.tools()) {
            Require.that(
                    tool.matches("[a-z0-9]+([._-][a-z0-9]+)*") && tool.length() <= 64,
                    "tool '"
                            + brief(tool)
                            + "' is not usable: a name of a-z, 0-9 and . _ - inside, such as"
                            + " palyra.echo");
        }
        word("model provider", agent.provider());
        word("model", agent.model());
        Require.that(
                agent.displayName().length() <= MAX_NAME
                        && agent.displayName().chars().noneMatch(Character::isISOControl),
                "the name of agent '"
                        + agent.agentId()
                        + "' is not usable: at most "
                        + MAX_NAME
                        + " characters on one line");
        return agent;
    }

    private static void word(String what, String text) {
        Require.that(
                text.length() <= MAX_NAME && text.matches("[A-Za-z0-9._:/@+-]*"),
                what
                        + " '"
                        + brief(text)
                        + "' is not usable: at most "
                        + MAX_NAME
                        + " letters, digits and . _ : / @ + -");
    }

    /** A principal id holds no slash, so principal and channel together are unambiguous. */
    static String principal(String id) {
        Require.that(
                id != null && id.length() <= MAX_NAME && id.matches("[A-Za-z0-9._:@-]+"),
                "principal '"
                        + brief(String.valueOf(id))
                        + "' is not usable: at most "
                        + MAX_NAME
                        + " letters, digits and . _ : @ -, such as user:alice");
        return id;
    }

    private static String brief(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
