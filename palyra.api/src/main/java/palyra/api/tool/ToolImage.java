package palyra.api.tool;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import palyra.api.Require;

/**
 * An image that a tool returns beside its output. Models that see get it; the output says enough
 * for those that do not. Nothing is looked for in it: no secret that an image shows is redacted.
 *
 * @param mediaType one of {@link #MEDIA_TYPES}
 * @param sha256 digest of the bytes, lower-case hex
 * @param data the bytes in base64 with padding
 */
public record ToolImage(String mediaType, String sha256, String data) {
    /** Types that models see. */
    public static final Set<String> MEDIA_TYPES =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    /** Most bytes of an image. */
    public static final int MAX_BYTES = 1_048_576;

    /** Checks; the digest is not compared with the data. */
    public ToolImage {
        Require.that(
                MEDIA_TYPES.contains(Require.orEmpty(mediaType)),
                "the media type '" + mediaType + "' of an image is not one of " + MEDIA_TYPES);
        Require.that(
                sha256 != null && sha256.matches("[0-9a-f]{64}"),
                "the digest of an image is 64 hexadecimal digits");
        Require.text(data, "data of an image");
        Require.that(
                data.length() <= (MAX_BYTES + 2) / 3 * 4,
                "an image has more than " + MAX_BYTES + " bytes, the most that is taken");
    }

    /** Makes one of its bytes. */
    public static ToolImage of(String mediaType, byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return new ToolImage(
                    mediaType,
                    HexFormat.of().formatHex(digest),
                    Base64.getEncoder().encodeToString(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
