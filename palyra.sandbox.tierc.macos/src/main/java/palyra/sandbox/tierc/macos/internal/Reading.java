package palyra.sandbox.tierc.macos.internal;

/** Paths that a sandboxed command may read beside its workspace, stricter first. */
enum Reading {
    /**
     * The folders of the system that programs need to start, and nothing else. Some releases of
     * macOS end processes under such lists at once; the self-test finds out.
     */
    STRICT("strict-read"),
    /** Everything but homes, shared temporary folders, volumes, keychains and key files. */
    BROAD("broad-read");

    private final String text;

    Reading(String text) {
        this.text = text;
    }

    /**
     * Returns its name in facts and enforcement, and the name of its resource without {@code .sb}.
     */
    String text() {
        return text;
    }
}
