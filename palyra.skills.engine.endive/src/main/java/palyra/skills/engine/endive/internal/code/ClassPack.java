package palyra.skills.engine.endive.internal.code;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import palyra.api.Require;

/**
 * The classes that a module was compiled to.
 *
 * @param main name of the class that runs an instance; one of {@code classes}
 * @param interpreted number of functions that it interprets
 * @param classes class files by name, in the order in which they can be loaded
 */
record ClassPack(String main, int interpreted, Map<String, byte[]> classes) {
    private static final int MOST_CLASSES = 20_000;

    ClassPack {
        Require.that(classes.containsKey(main), "the main class is not among the classes");
        classes = new LinkedHashMap<>(classes);
    }

    /** Returns the bytes of all class files together. */
    long size() {
        return classes.values().stream().mapToLong(one -> one.length).sum();
    }

    /** Writes it: main class, interpreted functions, number of classes, each name and content. */
    byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(main);
            out.writeInt(interpreted);
            out.writeInt(classes.size());
            for (Map.Entry<String, byte[]> one : classes.entrySet()) {
                out.writeUTF(one.getKey());
                out.writeInt(one.getValue().length);
                out.write(one.getValue());
            }
        }
        return bytes.toByteArray();
    }

    /** Reads what {@link #encode} wrote; anything else is an {@link IOException}. */
    static ClassPack decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String main = in.readUTF();
            int interpreted = in.readInt();
            int count = in.readInt();
            if (count < 1 || count > MOST_CLASSES) {
                throw new IOException("a pack of " + count + " classes");
            }
            Map<String, byte[]> classes = new LinkedHashMap<>();
            for (int at = 0; at < count; at++) {
                String name = in.readUTF();
                int length = in.readInt();
                if (length < 0 || length > in.available()) {
                    throw new IOException("a class of " + length + " bytes");
                }
                classes.put(name, in.readNBytes(length));
            }
            if (in.available() > 0 || !classes.containsKey(main)) {
                throw new IOException("a pack with a wrong end or without its main class");
            }
            return new ClassPack(main, interpreted, classes);
        }
    }
}
