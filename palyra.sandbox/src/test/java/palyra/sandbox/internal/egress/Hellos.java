package palyra.sandbox.internal.egress;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** First messages of TLS clients: real ones, and what can be made of them. */
final class Hellos {
    private Hellos() {}

    /** Returns the records of a real hello; {@code name} null for none. */
    static byte[] real(String name) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        if (name != null) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            engine.setSSLParameters(parameters);
        }
        ByteBuffer out = ByteBuffer.allocate(32_768);
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    /** Returns the same hello, its message spread over records of {@code size} bytes. */
    static byte[] fragmented(byte[] hello, int size) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (int at = 5; at < hello.length; at += size) {
            int length = Math.min(size, hello.length - at);
            all.writeBytes(new byte[] {22, 3, 1, (byte) (length >> 8), (byte) length});
            all.write(hello, at, length);
        }
        return all.toByteArray();
    }

    /** Returns a hello of only what must be, with these extensions after one another. */
    static byte[] with(byte[]... extensions) {
        java.io.ByteArrayOutputStream body = new java.io.ByteArrayOutputStream();
        body.writeBytes(new byte[] {3, 3});
        body.writeBytes(new byte[32]);
        body.write(0);
        body.writeBytes(new byte[] {0, 2, 0x13, 1, 1, 0});
        List<Byte> all = new ArrayList<>();
        for (byte[] each : extensions) {
            for (byte one : each) {
                all.add(one);
            }
        }
        body.write(all.size() >> 8);
        body.write(all.size());
        all.forEach(body::write);
        int length = body.size();
        java.io.ByteArrayOutputStream record = new java.io.ByteArrayOutputStream();
        int whole = length + 4;
        record.writeBytes(new byte[] {22, 3, 1, (byte) (whole >> 8), (byte) whole});
        record.writeBytes(new byte[] {1, 0, (byte) (length >> 8), (byte) length});
        record.writeBytes(body.toByteArray());
        return record.toByteArray();
    }

    static byte[] extension(int type, byte... content) {
        byte[] whole = new byte[content.length + 4];
        whole[0] = (byte) (type >> 8);
        whole[1] = (byte) type;
        whole[2] = (byte) (content.length >> 8);
        whole[3] = (byte) content.length;
        System.arraycopy(content, 0, whole, 4, content.length);
        return whole;
    }

    static byte[] serverName(String name) {
        byte[] text = name.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        byte[] content = new byte[text.length + 5];
        content[1] = (byte) (text.length + 3);
        content[4] = (byte) text.length;
        System.arraycopy(text, 0, content, 5, text.length);
        return extension(0, content);
    }
}
