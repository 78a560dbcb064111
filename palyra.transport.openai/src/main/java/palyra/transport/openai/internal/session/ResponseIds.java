package palyra.transport.openai.internal.session;

import java.util.Optional;

/** Ids of responses, which are those of runs. Pure functions. */
public final class ResponseIds {
    private static final String PREFIX = "resp_";

    private ResponseIds() {}

    /** Returns the id of a run's response. */
    public static String of(String runId) {
        return PREFIX + runId;
    }

    /** Returns the run of a response; empty when the id is of another form. */
    public static Optional<String> run(String responseId) {
        return responseId.matches(PREFIX + "[0-7][0-9A-HJKMNP-TV-Z]{25}")
                ? Optional.of(responseId.substring(PREFIX.length()))
                : Optional.empty();
    }
}
