package palyra.bench.grpc;

/** Messages to a gateway whose model is the deterministic one. */
@FunctionalInterface
public interface Conversation {
    /**
     * One message.
     *
     * @param agentId agent asked for; empty means the default
     * @param answer the answer that is to come
     */
    record Line(String agentId, String text, String answer) {}

    /** Returns the message of this number, from 0. Called from any thread. */
    Line line(long number);

    /** Returns talk that the default agent answers at once, in one turn. */
    static Conversation plain() {
        return number -> {
            String text = "How are you today, and which is plan " + number + "?";
            return new Line("", text, "You said: " + text);
        };
    }

    /** Returns talk for a test agent that streams its answers and calls a tool in one of five. */
    static Conversation withTools(String agentId) {
        return number -> {
            String answer = "answer " + number + " has come";
            String call =
                    number % 5 == 0
                            ? "[{\"call\":{\"tool\":\"palyra.echo\",\"input\":{\"text\":\"x\"}}}],"
                            : "";
            String say = "[{\"say\":\"" + answer + "\",\"chunkMillis\":2}]";
            return new Line(agentId, "#!palyra-script\n{\"turns\":[" + call + say + "]}", answer);
        };
    }

    /** Returns talk for a test agent that takes so long for each answer. */
    static Conversation slow(String agentId, long millis) {
        return number -> {
            String answer = "slow answer " + number;
            return new Line(
                    agentId,
                    "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.sleep\","
                            + "\"input\":{\"millis\":"
                            + millis
                            + "}}}],[{\"say\":\""
                            + answer
                            + "\"}]]}",
                    answer);
        };
    }
}
