package palyra.deploy.internal;

import java.util.Optional;

/**
 * One jar of the folder as the last look found it.
 *
 * @param name file name
 * @param status what could be told
 * @param facts what it is; only when it is whole
 * @param reason what speaks against it, a sentence; empty when nothing does
 * @param remedy what to do; may be empty
 * @param reading counts how often it was read; a file that was touched is another reading
 */
record DropFile(
        String name,
        Status status,
        Optional<JarFacts> facts,
        String reason,
        String remedy,
        long reading) {
    /** What could be told of a file. */
    enum Status {
        /** It changed a moment ago, and may be in the middle of being copied. */
        SETTLING,
        /** It was not read, because somebody else might have written it. */
        UNTRUSTED,
        /** It was read and is damaged, too large or no bundle. */
        UNUSABLE,
        /** It was read to its last byte. */
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
