package palyra.deploy.internal;

/**
 * A jar that failed. It is retried when its file is touched or replaced.
 *
 * @param sha256 the jar
 * @param reading the reading of its file
 * @param world stamp of the framework then; a change of it leads to a retry as well, unless
 *     negative
 * @param state state of the file since
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
