package palyra.sandbox.internal.files;

import java.util.List;

/** Tells where a hunk almost fits that fits nowhere. For one use. */
final class NearHunk {
    /** Lines of a hunk that are compared at each line of the file. */
    private static final int MOST_COMPARED = 1_000;

    private final List<String> file;
    private final List<String> wanted;
    private final FilePatch.Hunk hunk;
    private final int done;
    private final int from;
    private final int lines;

    /**
     * Begins.
     *
     * @param text lines of the file
     * @param done lines of it that earlier hunks have passed
     * @param from line that follows those that the hunk is said to come after, from 0
     */
    NearHunk(List<LineText> text, FilePatch.Hunk hunk, int done, int from) {
        this.file = NearMiss.lines(text);
        this.wanted = NearMiss.lines(hunk.old());
        this.hunk = hunk;
        this.done = done;
        this.from = from;
        this.lines = text.size();
    }

    /** Returns the line of the patch that does not fit, and the nearest line of the file. */
    String words() {
        return place()
                + (isCut()
                        ? "; only the first "
                                + file.size()
                                + " of the "
                                + lines
                                + " lines of the file were compared"
                        : "");
    }

    private boolean isCut() {
        return lines > file.size();
    }

    private String place() {
        int best = 0;
        int equal = 0;
        for (int at = 0; at < file.size(); at++) {
            int same = equalLines(at, MOST_COMPARED);
            if (same > equal) {
                equal = same;
                best = at;
            }
        }
        equal = equalLines(best, wanted.size());
        if (equal == wanted.size()) {
            return allThere(best);
        }
        boolean told = wanted.stream().limit(equal).anyMatch(line -> !line.isBlank());
        return told ? unlike(best, equal) : nearest();
    }

    private int equalLines(int at, int most) {
        int same = 0;
        while (same < Math.min(most, wanted.size())
                && at + same < file.size()
                && file.get(at + same).equals(wanted.get(same))) {
            same++;
        }
        return same;
    }

    private String allThere(int at) {
        if (at >= done && at < from) {
            return "its lines begin at line "
                    + (at + 1)
                    + " of the file, before or at the line "
                    + NearMiss.shown(NearMiss.text(hunk.place().after().getLast()))
                    + " named after @@; name an earlier line or leave it out";
        }
        return at < done
                ? "its lines are at line "
                        + (at + 1)
                        + " of the file, before the place of the hunk before it; send the hunks in the"
                        + " order of the file"
                : "its lines are at line "
                        + (at + 1)
                        + " of the file, but not with the end of the file, or the line breaks, that the"
                        + " patch says; read the file again";
    }

    private String unlike(int at, int equal) {
        String line = lineOfPatch(equal);
        if (at + equal >= file.size() && isCut()) {
            return line + " would be at line " + (at + equal + 1) + ", which was not compared";
        }
        return at + equal >= file.size()
                ? "the file ends where " + line + " should be; read the file again"
                : line
                        + " does not agree with line "
                        + (at + equal + 1)
                        + " of the file, "
                        + found(at + equal, equal);
    }

    private String nearest() {
        int first = 0;
        while (first < wanted.size() - 1 && wanted.get(first).isBlank()) {
            first++;
        }
        int near = NearMiss.nearest(file, wanted.get(first));
        return near < 0
                ? lineOfPatch(first)
                        + (isCut()
                                ? " is like no line that was compared; read the file again"
                                : " is like no line of the file; read the file again")
                : lineOfPatch(first)
                        + " is not in the file; the nearest is line "
                        + (near + 1)
                        + ", "
                        + found(near, first);
    }

    private String found(int at, int index) {
        return NearMiss.shown(file.get(at)) + NearMiss.how(file.get(at), wanted.get(index));
    }

    private String lineOfPatch(int index) {
        return "line "
                + hunk.lineOfOld(index)
                + " of the patch, "
                + NearMiss.shown(wanted.get(index))
                + ",";
    }
}
