package palyra.sandbox.internal.output;

/**
 * What a command has written to one stream.
 *
 * @param beginning the first bytes, as they were written
 * @param bytes how many were written in all
 * @param text the text of it, see {@link OutputText}
 * @param file absolute path of the file with the bytes as they were written; empty when memory
 *     keeps them all, or there is no file
 * @param fileBytes how many of them the file holds
 * @param lost why the file does not hold all; empty when it does, or none is needed
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as they came, never compared
public record StreamOutput(
        byte[] beginning, long bytes, OutputText text, String file, long fileBytes, String lost) {
    /** Nothing was written. */
    public static final StreamOutput NONE =
            new StreamOutput(new byte[0], 0, OutputText.NONE, "", 0, "");

    /** Returns whether more was written than {@link #beginning} has. */
    public boolean truncated() {
        return bytes > beginning.length;
    }

    /** Returns where all of it is, or why it is nowhere: the end of a sentence. */
    public String where() {
        if (file.isEmpty()) {
            return lost;
        }
        return lost.isEmpty()
                ? "all of it is in " + file
                : "the first " + fileBytes + " bytes are in " + file + ": " + lost;
    }

    /**
     * Returns the text for a model.
     *
     * @param room most bytes of it in UTF-8, a line about what is left out not counted
     */
    public String shown(int room) {
        if (text.binary()) {
            return "[binary data, "
                    + bytes
                    + " bytes, not shown"
                    + (where().isEmpty() ? "" : "; " + where())
                    + "]";
        }
        return text.shown(room, where().isEmpty() ? "they are kept nowhere" : where());
    }

    /** Returns the last lines for a model, at most so many bytes of them. */
    public String end(int room) {
        return text.binary() ? shown(room) : text.end(room);
    }

    /** Returns the same without what was written. */
    public StreamOutput dropped() {
        return new StreamOutput(new byte[0], bytes, OutputText.NONE, file, fileBytes, lost);
    }
}
