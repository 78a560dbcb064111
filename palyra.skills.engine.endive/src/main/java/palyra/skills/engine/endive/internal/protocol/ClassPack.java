package palyra.skills.engine.endive.internal.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The classes that a module was compiled to.
 *
 * @param main name of the class that runs an instance; one of {@code classes}
 * @param interpreted indices of functions that it interprets, imported functions counted first
 * @param classes class files by name
 */
public record ClassPack(String main, Set<Integer> interpreted, Map<String, byte[]> classes) {
    private static final int MOST_CLASSES = 1_000;
    private static final int MOST_INTERPRETED = 20_000;

    /** Copies. */
    public ClassPack {
        interpreted = Set.copyOf(interpreted);
        classes = new LinkedHashMap<>(classes);
    }

    /** Returns the bytes of all class files together. */
    public long size() {
        return classes.values().stream().mapToLong(one -> one.length).sum();
    }

    /**
     * Writes it: main class, number of interpreted functions and each, number of classes, each name
     * and content.
     */
    public byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(main);
            out.writeInt(interpreted.size());
            for (int function : interpreted) {
                out.writeInt(function);
            }
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
    public static ClassPack decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String main = in.readUTF();
            Set<Integer> interpreted = new LinkedHashSet<>();
            for (int left = count(in, 0, MOST_INTERPRETED, "functions"); left > 0; left--) {
                interpreted.add(in.readInt());
            }
            Map<String, byte[]> classes = new LinkedHashMap<>();
            for (int left = count(in, 1, MOST_CLASSES, "classes"); left > 0; left--) {
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

    private static int count(DataInputStream in, int least, int most, String what)
            throws IOException {
        int count = in.readInt();
        if (count < least || count > most) {
            throw new IOException(
                    "a pack of " + count + " " + what + ", not " + least + " to " + most);
        }
        return count;
    }
}
