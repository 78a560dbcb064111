package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import palyra.skills.engine.endive.internal.protocol.ClassPack;

/**
 * Checks the class files that came from the compiler's process: names within Endive's package for
 * generated code, and in their constant pools nothing but what generated code needs: Endive's
 * runtime, and a known list of methods of the JDK. Stateless.
 */
final class ClassCheck {
    private static final Pattern NAME =
            Pattern.compile("run\\.endive\\.\\$gen\\.CompiledMachine[A-Za-z0-9_$]*");
    private static final Pattern ENDIVE =
            Pattern.compile("run/endive/(\\$gen/CompiledMachine|runtime/|wasm/)[A-Za-z0-9_$/]*");
    private static final Set<String> JDK =
            Set.of(
                    "java/lang/Boolean",
                    "java/lang/Byte",
                    "java/lang/Integer",
                    "java/lang/Object",
                    "java/lang/Short",
                    "java/lang/StackOverflowError",
                    "java/lang/String",
                    "java/lang/System",
                    "java/lang/Thread",
                    "java/lang/Throwable",
                    "java/util/Arrays",
                    "java/util/List");
    private static final Set<String> METHODS =
            Set.of(
                    "java/lang/Boolean.booleanValue",
                    "java/lang/Boolean.valueOf",
                    "java/lang/Byte.toUnsignedInt",
                    "java/lang/Byte.toUnsignedLong",
                    "java/lang/Integer.toUnsignedLong",
                    "java/lang/Integer.valueOf",
                    "java/lang/Object.<init>",
                    "java/lang/Short.toUnsignedInt",
                    "java/lang/Short.toUnsignedLong",
                    "java/lang/String.format",
                    "java/lang/System.getProperty",
                    "java/lang/Thread.currentThread",
                    "java/lang/Thread.isInterrupted",
                    "java/util/Arrays.fill",
                    "java/util/List.get");

    /** Tags of the constant pool (JVM specification, table 4.4-A). */
    private static final int CLASS = 7;

    private static final int FIRST_MEMBER = 9;
    private static final int LAST_MEMBER = 11;
    private static final int NAME_AND_TYPE = 12;

    private ClassCheck() {}

    /**
     * Checks all classes of a pack.
     *
     * @throws IOException when one is not as generated code is
     */
    static void check(ClassPack pack) throws IOException {
        for (Map.Entry<String, byte[]> one : pack.classes().entrySet()) {
            try {
                check(one.getKey(), one.getValue());
            } catch (RuntimeException e) { // the reader's word for a malformed file
                throw new IOException("class " + one.getKey() + " cannot be read: " + e, e);
            }
        }
    }

    private static void check(String name, byte[] file) throws IOException {
        ClassReader reader = new ClassReader(file);
        require(
                NAME.matcher(name).matches()
                        && reader.getClassName().equals(name.replace('.', '/')),
                name,
                "is called " + reader.getClassName());
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int item = 1; item < reader.getItemCount(); item++) {
            int at = reader.getItem(item);
            if (at > 0) {
                check(name, reader, file[at - 1], at, buffer);
            }
        }
    }

    private static void check(String name, ClassReader reader, int tag, int at, char[] buffer)
            throws IOException {
        require(tag >= 1 && tag <= NAME_AND_TYPE, name, "has a constant of type " + tag);
        if (tag == CLASS) {
            String type =
                    reader.readUTF8(at, buffer).replaceFirst("^\\[+(L(.*);|[BCDFIJSZ])$", "$2");
            require(type.isEmpty() || known(type), name, "refers to the class " + type);
        } else if (tag >= FIRST_MEMBER && tag <= LAST_MEMBER) {
            String owner = reader.readClass(at, buffer);
            int member = reader.getItem(reader.readUnsignedShort(at + 2));
            String called = owner + "." + reader.readUTF8(member, buffer);
            require(
                    ENDIVE.matcher(owner).matches() || METHODS.contains(called),
                    name,
                    "refers to " + called);
        }
    }

    private static boolean known(String type) {
        return JDK.contains(type) || ENDIVE.matcher(type).matches();
    }

    private static void require(boolean good, String name, String what) throws IOException {
        if (!good) {
            throw new IOException(
                    "class " + name + " " + what + ", which code that Endive generates never does");
        }
    }
}
