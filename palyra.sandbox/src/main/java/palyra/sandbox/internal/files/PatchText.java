package palyra.sandbox.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The text of a patch, in one of the forms in which models write it. Stateless. */
final class PatchText {
    private PatchText() {}

    /** Reads a patch of at least one file: a unified diff, or one in an envelope. */
    static List<FilePatch> read(String patch) throws FileRefusal {
        byte[] utf8 = patch.getBytes(StandardCharsets.UTF_8);
        List<LineText> lines = LineText.lines(new String(utf8, StandardCharsets.ISO_8859_1));
        return EnvelopePatch.isOne(lines) ? EnvelopePatch.read(lines) : UnifiedDiff.read(lines);
    }
}
