package palyra.journal.internal.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.shared.hash.Digests;

/**
 * A payload without its long texts, which are kept apart from it: a question is in the message and
 * on the tape, an answer in three places. A text is the inside of a JSON string literal as it is
 * written; bytes that are not JSON are cut at their quotation marks, which loses nothing either. A
 * large payload without a long text is one text itself.
 *
 * @param rest what is left of the payload; the payload itself when nothing was taken out
 * @param texts what was taken out, in its order
 */
@SuppressWarnings("ArrayRecordComponent") // bytes on their way into the store
public record CutPayload(byte[] rest, List<Text> texts) {
    /**
     * A payload of at most this many bytes stays whole. With the other columns it is the most that
     * a row of the tape keeps in its own page: 1,002 bytes of 4,096 ("maximum embedded payload
     * fraction" of an index, sqlite.org/fileformat2.html).
     */
    public static final int WHOLE_BYTES = 832;

    private static final int SHORTEST = 256;
    private static final int MOST = 64;

    /**
     * A text.
     *
     * @param offset where it belongs, in the bytes that are left of the payload
     * @param digest SHA-256 of its bytes
     */
    public record Text(int offset, byte[] bytes, byte[] digest) {}

    /** Returns a payload that stays whole. */
    public static CutPayload whole(byte[] payload) {
        return new CutPayload(payload, List.of());
    }

    /** Takes the long texts out of a payload. */
    public static CutPayload of(byte[] payload) {
        if (payload.length <= WHOLE_BYTES) {
            return whole(payload);
        }
        List<Text> texts = new ArrayList<>();
        byte[] rest = new byte[payload.length];
        int length = 0; // of the rest
        int copied = 0; // of the payload
        int at = 0;
        while (at < payload.length && texts.size() < MOST) {
            if (payload[at++] != '"') {
                continue;
            }
            int end = endOfLiteral(payload, at);
            if (end - at >= SHORTEST) {
                System.arraycopy(payload, copied, rest, length, at - copied);
                length += at - copied;
                byte[] text = Arrays.copyOfRange(payload, at, end);
                texts.add(new Text(length, text, Digests.sha256(text)));
                copied = end;
            }
            at = end + 1;
        }
        if (texts.isEmpty()) { // large by itself: all but its first byte, so that its row is small
            byte[] all = Arrays.copyOfRange(payload, 1, payload.length);
            texts.add(new Text(1, all, Digests.sha256(all)));
            return new CutPayload(Arrays.copyOf(payload, 1), texts);
        }
        System.arraycopy(payload, copied, rest, length, payload.length - copied);
        return new CutPayload(Arrays.copyOf(rest, length + payload.length - copied), texts);
    }

    /** Returns where the quotation mark is that ends a literal, or the end of the payload. */
    private static int endOfLiteral(byte[] payload, int from) {
        int at = from;
        while (at < payload.length && payload[at] != '"') {
            at += payload[at] == '\\' ? 2 : 1;
        }
        return Math.min(at, payload.length);
    }
}
