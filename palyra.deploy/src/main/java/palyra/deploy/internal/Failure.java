package palyra.deploy.internal;

/**
 * A jar that was tried and did not work. It is tried again when its file is touched or replaced.
 *
 * @param sha256 the jar
 * @param reading the reading of its file
 * @param world what the framework held then; it is also tried again when that changed, unless
 *     negative
 * @param state how the file stands since
 * @param reason a sentence
 * @param remedy a sentence
 */
record Failure(
        String sha256, long reading, long world, Row.State state, String reason, String remedy) {
    static final long WHATEVER_HAPPENS = -1;

    boolean stillHolds(DropFile file, long worldNow) {
        return file.reading() == reading
                && file.facts().map(f -> f.sha256().equals(sha256)).orElse(false)
                && (world == WHATEVER_HAPPENS || world == worldNow);
    }
}
