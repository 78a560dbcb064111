package palyra.shared.connector;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Writes a body of type {@code multipart/form-data} (RFC 7578). Used by one thread. */
public final class Multipart {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final String boundary;

    /** Begins a body. */
    public Multipart() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        boundary = "palyra-" + HexFormat.of().formatHex(random); // so no content has it
    }

    /** Adds a field. */
    public Multipart field(String name, String mediaType, byte[] content) {
        return part("name=\"" + quoted(name) + "\"", mediaType, content);
    }

    /** Adds a file. */
    public Multipart file(String name, String fileName, String mediaType, byte[] content) {
        return part(
                "name=\"" + quoted(name) + "\"; filename=\"" + quoted(fileName) + "\"",
                mediaType,
                content);
    }

    private Multipart part(String disposition, String mediaType, byte[] content) {
        write("--" + boundary + "\r\nContent-Disposition: form-data; " + disposition + "\r\n");
        write("Content-Type: " + mediaType.replaceAll("[\\p{Cntrl}]", "") + "\r\n\r\n");
        out.writeBytes(content);
        write("\r\n");
        return this;
    }

    private void write(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As browsers do it. */
    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    /** Returns the media type of the body, with its boundary. */
    public String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    /** Ends the body and returns it. */
    public byte[] end() {
        write("--" + boundary + "--\r\n");
        return out.toByteArray();
    }
}
