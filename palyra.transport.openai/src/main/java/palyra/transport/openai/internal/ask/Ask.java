package palyra.transport.openai.internal.ask;

import java.util.List;

/**
 * What a client asks.
 *
 * @param model agent that is asked
 * @param instructions what the client's system and developer messages say, joined; empty for none
 * @param earlier messages before the newest one of the user, without system messages
 * @param newest the newest message of the user
 * @param stream whether the answer is streamed
 * @param usage whether a stream tells what was used
 * @param user the client's name for its user; empty when not given
 * @param previousResponseId response that it goes on from; empty for none
 * @param ignored names of fields that have no effect here
 */
public record Ask(
        String model,
        String instructions,
        List<Said> earlier,
        String newest,
        boolean stream,
        boolean usage,
        String user,
        String previousResponseId,
        List<String> ignored) {
    /** Copies. */
    public Ask {
        earlier = List.copyOf(earlier);
        ignored = List.copyOf(ignored);
    }

    /** Returns what an answer is told by: without what the client said, which may be large. */
    public Ask withoutText() {
        return new Ask(model, "", List.of(), "", stream, usage, user, previousResponseId, ignored);
    }
}
