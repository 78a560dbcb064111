package palyra.deploy.internal;

import java.util.Optional;

/**
 * One jar of the folder after the last poll.
 *
 * @param name file name
 * @param status result of the poll
 * @param facts its content; only when it is complete
 * @param reason why it is refused, a sentence; empty when it is not
 * @param remedy what to do; may be empty
 * @param reading number of times it was read; touching a file leads to another reading
 */
record DropFile(
        String name,
        Status status,
        Optional<JarFacts> facts,
        String reason,
        String remedy,
        long reading) {
    /** Result of a poll. */
    enum Status {
        /** It changed recently and may still be being copied. */
        SETTLING,
        /** It was not read, because another user could have written it. */
        UNTRUSTED,
        /** It was read and is damaged, too large or not a bundle. */
        UNUSABLE,
        /** It was read completely. */
        WHOLE
    }

    static DropFile settling(String name) {
        return new DropFile(name, Status.SETTLING, Optional.empty(), "", "", 0);
    }

    static DropFile refused(
            String name, Status status, String reason, String remedy, long reading) {
        return new DropFile(name, status, Optional.empty(), reason, remedy, reading);
    }

    static DropFile whole(String name, JarFacts facts, long reading) {
        return new DropFile(name, Status.WHOLE, Optional.of(facts), "", "", reading);
    }
}
