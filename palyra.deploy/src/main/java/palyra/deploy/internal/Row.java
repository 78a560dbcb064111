package palyra.deploy.internal;

import java.util.Optional;

/**
 * State of one file of the folder, for users.
 *
 * @param file its name
 * @param state its state
 * @param facts its content; empty until it was read
 * @param pin pin that trusts it; empty without one
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
    /** State of a file. */
    enum State {
        /** Its bundle is active. */
        ACTIVE,
        /** Its bundle is installed but not active. */
        INACTIVE,
        /** It changed recently. */
        SETTLING,
        /** It is about to be installed, or waits. */
        WAITING,
        /** Another file has the same bundle in the same or a newer version. */
        SUPERSEDED,
        /** It is refused. */
        REFUSED,
        /** It was installed and did not start. */
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
