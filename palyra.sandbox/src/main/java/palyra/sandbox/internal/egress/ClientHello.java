package palyra.sandbox.internal.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The first message of a TLS client (RFC 8446, section 4.1.2), read from raw records, which may cut
 * it anywhere. Nothing is decrypted; the bytes are kept to be passed on as they came.
 *
 * @param raw every byte that was read
 * @param serverName name of the server that it asks for (RFC 6066, section 3)
 */
@SuppressWarnings("ArrayRecordComponent") // bytes to be sent
record ClientHello(byte[] raw, String serverName) {
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int LONGEST_RECORD = 16_384;
    private static final int LONGEST_HELLO = 65_536;
    private static final int SERVER_NAME = 0;
    private static final int ENCRYPTED_HELLO = 0xfe0d;
    private static final int ENCRYPTED_NAME = 0xffce;

    /**
     * Reads it.
     *
     * @throws MalformedException when it is not a client hello, names no server, or encrypts the
     *     server name
     */
    static ClientHello read(ConnectionInput in) throws IOException {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        int wanted = 4;
        while (message.size() < wanted) {
            message.writeBytes(record(in, raw));
            if (message.size() >= 4) {
                wanted = 4 + length(message.toByteArray());
            }
        }
        if (message.size() > wanted) {
            throw new MalformedException("more data than a TLS client hello was sent");
        }
        ByteBuffer body = ByteBuffer.wrap(message.toByteArray(), 4, wanted - 4);
        try {
            return new ClientHello(raw.toByteArray(), serverName(body));
        } catch (BufferUnderflowException
                | IllegalArgumentException
                | IndexOutOfBoundsException e) {
            throw new MalformedException(
                    "the TLS client hello is truncated or its lengths do" + " not match");
        }
    }

    private static byte[] record(ConnectionInput in, ByteArrayOutputStream raw) throws IOException {
        int type = in.read();
        if (type != HANDSHAKE) {
            throw new MalformedException("the data is not TLS");
        }
        byte[] rest = in.exactly(4);
        int length = (rest[2] & 0xff) << 8 | rest[3] & 0xff;
        if (rest[0] != 3 || rest[1] > 4 || length == 0 || length > LONGEST_RECORD) {
            throw new MalformedException("the data is not a TLS record");
        }
        byte[] fragment = in.exactly(length);
        raw.write(type);
        raw.writeBytes(rest);
        raw.writeBytes(fragment);
        if (raw.size() > 2 * LONGEST_HELLO) {
            throw new MalformedException("the TLS client hello is too long");
        }
        return fragment;
    }

    private static int length(byte[] message) throws MalformedException {
        int length = (message[1] & 0xff) << 16 | (message[2] & 0xff) << 8 | message[3] & 0xff;
        if (message[0] != CLIENT_HELLO || length > LONGEST_HELLO) {
            throw new MalformedException("the first TLS message is not a client hello");
        }
        return length;
    }

    private static String serverName(ByteBuffer hello) throws MalformedException {
        skip(hello, 2 + 32); // version, random
        skip(hello, hello.get() & 0xff); // session
        skip(hello, hello.getShort() & 0xffff); // cipher suites
        skip(hello, hello.get() & 0xff); // compression
        if (!hello.hasRemaining()) {
            throw new MalformedException("TLS was started without the name of a server");
        }
        ByteBuffer extensions = part(hello, hello.getShort() & 0xffff);
        if (hello.hasRemaining()) {
            throw new MalformedException("the TLS client hello is longer than its length field");
        }
        String name = "";
        Set<Integer> seen = new HashSet<>();
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            ByteBuffer content = part(extensions, extensions.getShort() & 0xffff);
            if (!seen.add(type)) {
                throw new MalformedException("the TLS client hello has an extension twice");
            }
            if (type == ENCRYPTED_HELLO || type == ENCRYPTED_NAME) {
                throw new MalformedException(
                        "the TLS client hello encrypts the server name (ECH), so it cannot be"
                                + " checked");
            }
            if (type == SERVER_NAME) {
                name = name(content);
            }
        }
        if (name.isEmpty()) {
            throw new MalformedException("TLS was started without the name of a server");
        }
        return name;
    }

    private static String name(ByteBuffer content) throws MalformedException {
        ByteBuffer list = part(content, content.getShort() & 0xffff);
        int type = list.get();
        ByteBuffer name = part(list, list.getShort() & 0xffff);
        if (type != 0 || list.hasRemaining() || content.hasRemaining()) {
            throw new MalformedException("the TLS client hello names no server or several");
        }
        byte[] bytes = new byte[name.remaining()];
        name.get(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void skip(ByteBuffer buffer, int length) {
        buffer.position(buffer.position() + length);
    }

    private static ByteBuffer part(ByteBuffer buffer, int length) {
        ByteBuffer part = buffer.slice(buffer.position(), length);
        skip(buffer, length);
        return part;
    }
}
