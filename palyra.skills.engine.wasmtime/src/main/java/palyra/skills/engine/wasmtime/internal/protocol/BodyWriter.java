package palyra.skills.engine.wasmtime.internal.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes the body of a frame. */
final class BodyWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    BodyWriter number(int value) throws IOException {
        out.writeInt(value);
        return this;
    }

    BodyWriter large(long value) throws IOException {
        out.writeLong(value);
        return this;
    }

    BodyWriter flag(boolean value) throws IOException {
        out.writeByte(value ? 1 : 0);
        return this;
    }

    BodyWriter text(String value) throws IOException {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
        return this;
    }

    BodyWriter rest(byte[] value) throws IOException {
        out.write(value);
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
