package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How long a body is (RFC 9112, section 6). What could be understood in two ways is refused: a
 * length beside a transfer coding, either of them twice, any coding but {@code chunked}.
 */
sealed interface Framing {
    /** There is no body. */
    record None() implements Framing {}

    /** It has so many bytes. */
    record Length(long bytes) implements Framing {}

    /** It comes in chunks. */
    record Chunked() implements Framing {}

    /** It ends with the connection. */
    record UntilClose() implements Framing {}

    /** Returns how the body of a request is framed. */
    static Framing ofRequest(Head head, boolean oldVersion) throws MalformedException {
        return of(head, oldVersion, new None());
    }

    /** Returns how the body of a response to {@code method} is framed. */
    static Framing ofResponse(Head head, String method, int status) throws MalformedException {
        boolean none = method.equals("HEAD") || status / 100 == 1 || status == 204 || status == 304;
        Framing framing = of(head, head.start().startsWith("HTTP/1.0"), new UntilClose());
        return none ? new None() : framing;
    }

    private static Framing of(Head head, boolean oldVersion, Framing otherwise)
            throws MalformedException {
        List<String> lengths = head.all("content-length");
        List<String> codings = head.all("transfer-encoding");
        if (codings.isEmpty() && lengths.isEmpty()) {
            return otherwise;
        }
        if (lengths.size() + codings.size() > 1) {
            throw new MalformedException("the head says twice how long the body is");
        }
        if (!codings.isEmpty()) {
            if (oldVersion || !codings.get(0).equalsIgnoreCase("chunked")) {
                throw new MalformedException("the body has a transfer coding other than chunked");
            }
            return new Chunked();
        }
        if (!lengths.get(0).matches("[0-9]{1,18}")) {
            throw new MalformedException("the length of the body is no number");
        }
        return new Length(Long.parseLong(lengths.get(0)));
    }

    /** Returns the field that says so; empty when none does. */
    default List<Head.Field> field() {
        return switch (this) {
            case Length length ->
                    List.of(new Head.Field("Content-Length", Long.toString(length.bytes())));
            case Chunked chunked -> List.of(new Head.Field("Transfer-Encoding", "chunked"));
            case None none -> List.of();
            case UntilClose close -> List.of();
        };
    }

    /** Returns the body within {@code in}, whose end is the end of the body. */
    default InputStream body(ConnectionInput in) {
        return switch (this) {
            case None none -> InputStream.nullInputStream();
            case Length length -> new FixedLengthBody(in, length.bytes());
            case Chunked chunked -> new ChunkedBody(in);
            case UntilClose close -> in;
        };
    }

    /** Writes some of the body, framed. */
    default void write(OutputStream to, byte[] bytes, int length) throws IOException {
        if (this instanceof Chunked) {
            byte[] size =
                    (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            byte[] whole = new byte[size.length + length + 2];
            System.arraycopy(size, 0, whole, 0, size.length);
            System.arraycopy(bytes, 0, whole, size.length, length);
            whole[whole.length - 2] = '\r';
            whole[whole.length - 1] = '\n';
            to.write(whole, 0, whole.length);
        } else {
            to.write(bytes, 0, length);
        }
    }

    /** Writes the end of the body. */
    default void end(OutputStream to) throws IOException {
        if (this instanceof Chunked) {
            to.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }
}
