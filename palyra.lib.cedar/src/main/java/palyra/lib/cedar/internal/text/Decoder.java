package palyra.lib.cedar.internal.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Diagnostic;

/** Makes text of bytes, or says where they are not UTF-8. */
public final class Decoder {
    private Decoder() {}

    /** Returns the text; empty when something was added to {@code problems}. */
    public static Optional<SourceText> decode(
            CedarFile file, int limitBytes, List<Diagnostic> problems) {
        if (file.size() > limitBytes) {
            problems.add(
                    Reports.error(
                            file.name(),
                            "the file has "
                                    + file.size()
                                    + " bytes; at most "
                                    + limitBytes
                                    + " are accepted"));
            return Optional.empty();
        }
        return decode(file, problems);
    }

    private static Optional<SourceText> decode(CedarFile file, List<Diagnostic> problems) {
        ByteBuffer bytes = ByteBuffer.wrap(file.bytes());
        CharBuffer chars = CharBuffer.allocate(bytes.remaining() + 1);
        CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        CoderResult result = decoder.decode(bytes, chars, true);
        SourceText source = new SourceText(file.name(), chars.flip().toString());
        int end = source.text().length();
        if (result.isError()) {
            problems.add(
                    Reports.error(
                            source, end, end, "the file is not valid UTF-8 from this place on"));
            return Optional.empty();
        }
        if (source.text().startsWith("\uFEFF")) {
            problems.add(
                    Reports.error(
                            source,
                            0,
                            1,
                            "the file begins with a byte order mark; save it as UTF-8 without"
                                    + " one"));
            return Optional.empty();
        }
        return Optional.of(source);
    }
}
