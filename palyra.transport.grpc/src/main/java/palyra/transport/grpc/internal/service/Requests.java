package palyra.transport.grpc.internal.service;

import com.google.protobuf.ByteString;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.shared.hash.Ulids;
import palyra.transport.grpc.internal.wire.common.CanonicalId;

/**
 * Checks of what clients send. Each names the field as the .proto file does and says what it takes;
 * INVALID_ARGUMENT.
 */
public final class Requests {
    /** Longest session key, adapter id and search text in characters. */
    public static final int MAX_NAME = 256;

    private static final int MAX_CHANNEL = 64;
    private static final int SHOWN = 40;
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private Requests() {}

    /** Refuses every version but 1. */
    public static void version(int v) {
        version(v, "v");
    }

    /** Refuses every version but 1 in a message within the request. */
    public static void version(int v, String field) {
        Require.that(
                v == 1,
                field
                        + " is "
                        + Integer.toUnsignedString(v)
                        + ": this gateway speaks version 1; set "
                        + field
                        + " to 1");
    }

    /** Returns the id of a field that must be there. */
    public static String id(boolean present, CanonicalId id, String field) {
        Require.that(present && !id.getUlid().isEmpty(), field + " is missing; it takes a ULID");
        return ulid(id, field);
    }

    /** Returns the id of a field that may be absent; empty then. */
    public static String idOrEmpty(boolean present, CanonicalId id, String field) {
        return present ? ulid(id, field) : "";
    }

    private static String ulid(CanonicalId id, String field) {
        Require.that(
                Ulids.isUlid(id.getUlid()),
                field
                        + " '"
                        + brief(id.getUlid())
                        + "' is not a ULID in its canonical form: 26 characters of 0-9 and A-Z"
                        + " without I, L, O and U");
        return id.getUlid();
    }

    /** Returns a text that must be there. */
    public static String text(String text, String field) {
        Require.that(!text.isBlank(), field + " is missing");
        return text;
    }

    /** Returns a text of at most {@code most} characters; may be empty. */
    public static String atMost(String text, int most, String field) {
        Require.that(
                text.length() <= most,
                field + " has " + text.length() + " characters; at most " + most + " are taken");
        return text;
    }

    /** Returns a session's name of at most {@link #MAX_NAME} printable characters; may be empty. */
    public static String sessionKey(String key) {
        atMost(key, MAX_NAME, "session_key");
        Require.that(
                !UNPRINTABLE.matcher(key).find(),
                "session_key '"
                        + brief(key)
                        + "' holds a control character or another one that cannot be printed; leave"
                        + " it out of the key");
        return key;
    }

    /**
     * Returns how many entries a page has: 1 to {@code most}; 0 means {@code usual}.
     *
     * @param limit unsigned
     */
    public static int limit(int limit, int usual, int most) {
        Require.that(
                Integer.compareUnsigned(limit, most) <= 0,
                "limit is "
                        + Integer.toUnsignedString(limit)
                        + "; a page has 1 to "
                        + most
                        + " entries, and 0 means "
                        + usual);
        return limit == 0 ? usual : limit;
    }

    /** Returns an unsigned number that fits into a long. */
    public static long count(long unsigned, String field) {
        Require.that(
                unsigned >= 0,
                field + " is " + Long.toUnsignedString(unsigned) + ", which is out of range");
        return unsigned;
    }

    /** Returns an unsigned number that fits into an int. */
    public static int number(int unsigned, String field) {
        count(unsigned, field);
        return unsigned;
    }

    /** Refuses a number of an enum that this version does not have; {@code known} is null then. */
    public static void known(Object known, int number, String field) {
        Require.that(
                known != null,
                field + " is " + number + ", which is no value that this version knows");
    }

    /** Refuses a field that is set and not supported. */
    public static void unsupported(boolean set, String field) {
        Require.that(!set, field + " is not supported yet; leave it out");
    }

    /** Refuses a field that is set by the gateway alone. */
    public static void gatewayOnly(boolean set, String field) {
        Require.that(!set, field + " is set by the gateway only; leave it out");
    }

    /** Returns the name of a channel; may be empty. */
    public static String channel(String channel, String field) {
        Require.that(
                channel.length() <= MAX_CHANNEL && !UNPRINTABLE.matcher(channel).find(),
                field
                        + " '"
                        + brief(channel)
                        + "' is not usable: at most "
                        + MAX_CHANNEL
                        + " printable characters");
        return channel;
    }

    /** Returns bytes as text. */
    public static String utf8(ByteString bytes, String field) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.asReadOnlyByteBuffer())
                    .toString();
        } catch (CharacterCodingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, field + " is not valid UTF-8; send UTF-8", e);
        }
    }

    /** Returns a text from outside in a form that can stand in a sentence. */
    public static String brief(String text) {
        String line = UNPRINTABLE.matcher(text).replaceAll("?");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }
}
