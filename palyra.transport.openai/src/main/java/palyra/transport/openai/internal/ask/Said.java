package palyra.transport.openai.internal.ask;

/**
 * One message of a client's transcript.
 *
 * @param role who said it
 * @param text what was said
 */
public record Said(Role role, String text) {
    /** Who speaks. */
    public enum Role {
        /** The client's user. */
        USER,
        /** The agent, as the client has it. */
        ASSISTANT,
        /** A tool, as the client has it. */
        TOOL
    }
}
