package palyra.shell.internal.commands;

/** Forms of an exported tape: the same lines, told apart by the first and the last one. */
public enum ExportFormat {
    /** Written by {@code tape export}. */
    TAPE("palyra.tape.export", false),
    /**
     * Written by {@code attestation export}: its last line also has {@code sha256}, the digest of
     * every byte before that line, so that a change of what no hash or signature of the tape covers
     * is noticed too.
     */
    EVIDENCE("palyra.attestation.export", true);

    static final int VERSION = 1;

    private final String word;
    private final boolean digested;

    ExportFormat(String word, boolean digested) {
        this.word = word;
        this.digested = digested;
    }

    /** Returns how the first line names it. */
    String word() {
        return word;
    }

    /** Returns whether the last line has a digest of all before. */
    boolean digested() {
        return digested;
    }
}
