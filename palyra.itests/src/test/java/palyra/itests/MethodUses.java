package palyra.itests;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/** The methods that a class file refers to, from its constant pool (JVMS 4.4). */
final class MethodUses {
    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;

    private MethodUses() {}

    /** Returns them as {@code owner.name}, owners with slashes. */
    static Set<String> of(byte[] classFile) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        in.skipNBytes(8);
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[][] pairs = new int[count][];
        int[] tags = new int[count];
        for (int i = 1; i < count; i++) {
            tags[i] = in.readUnsignedByte();
            switch (tags[i]) {
                case UTF8 -> texts[i] = in.readUTF();
                case CLASS, 8, 16, 19, 20 -> pairs[i] = new int[] {in.readUnsignedShort(), 0};
                case 9, METHOD, INTERFACE_METHOD, NAME_AND_TYPE, 17, 18 ->
                        pairs[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
                case 3, 4 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++; // takes two places
                }
                case 15 -> in.skipNBytes(3);
                default -> throw new IOException("constant of the kind " + tags[i]);
            }
        }
        Set<String> uses = new TreeSet<>();
        for (int i = 1; i < count; i++) {
            if (tags[i] == METHOD || tags[i] == INTERFACE_METHOD) {
                String owner = texts[pairs[pairs[i][0]][0]];
                uses.add(owner + "." + texts[pairs[pairs[i][1]][0]]);
            }
        }
        return uses;
    }
}
