package palyra.deploy.internal;

import java.util.Optional;

/**
 * How it stands with one file of the folder, for people.
 *
 * @param file its name
 * @param state in a word
 * @param facts what it is; empty while that is not known
 * @param pin what it is trusted by; empty while it is not
 * @param explanation a sentence; empty when there is nothing to explain
 * @param remedy what to do; may be empty
 */
record Row(
        String file,
        State state,
        Optional<JarFacts> facts,
        Optional<PinSet.Entry> pin,
        String explanation,
        String remedy) {
    /** In a word. */
    enum State {
        /** Its bundle is active. */
        ACTIVE,
        /** Its bundle is in, but not active now. */
        INACTIVE,
        /** It changed a moment ago. */
        SETTLING,
        /** It is about to be taken, or waits for something. */
        WAITING,
        /** Another file holds the same bundle, as new or newer. */
        SUPERSEDED,
        /** It is not taken. */
        REFUSED,
        /** It was taken and did not come up. */
        FAILED,
        /** A configuration, which palyra config reports on. */
        CONFIGURATION
    }

    static Row of(DropFile file, State state, String explanation, String remedy) {
        return new Row(file.name(), state, file.facts(), Optional.empty(), explanation, remedy);
    }

    Row by(PinSet.Entry entry) {
        return new Row(file, state, facts, Optional.of(entry), explanation, remedy);
    }

    Row as(State other, String why, String what) {
        return new Row(file, other, facts, pin, why, what);
    }

    /** Returns the line that would pin the file; empty while it is not read. */
    String pinLine() {
        return facts.map(one -> Pin.ofFile(one.sha256()).toString()).orElse("");
    }
}
