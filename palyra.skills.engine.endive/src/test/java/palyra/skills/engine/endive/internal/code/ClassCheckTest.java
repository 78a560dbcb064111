package palyra.skills.engine.endive.internal.code;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import palyra.skills.engine.endive.internal.protocol.ClassPack;

/** What came from the compiler's process is loaded only when it is as generated code is. */
class ClassCheckTest {
    private static final String NAME = "run.endive.$gen.CompiledMachine";

    private static byte[] file(String name, String owner, String method) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V11,
                Opcodes.ACC_PUBLIC,
                name.replace('.', '/'),
                null,
                "java/lang/Object",
                null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "m", "()V", null, null);
        code.visitCode();
        code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, "()V", false);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void check(String name, byte[] file) throws IOException {
        ClassCheck.check(new ClassPack(name, Set.of(), Map.of(name, file)));
    }

    private static void refused(String name, byte[] file, String why) {
        IOException e = assertThrows(IOException.class, () -> check(name, file));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void takesWhatCallsTheRuntimeOnly() throws Exception {
        check(NAME, file(NAME, "run/endive/runtime/OpcodeImpl", "MEMORY_COPY"));
        check(NAME, file(NAME, "java/util/Arrays", "fill"));
    }

    @Test
    void refusesAClassOutsideOfThePackageOfGeneratedCode() {
        String own = "palyra.skills.engine.endive.internal.code.Exports";
        refused(own, file(own, "java/util/Arrays", "fill"), "is called");
        refused(NAME, file(NAME + "Other", "java/util/Arrays", "fill"), "is called");
    }

    @Test
    void refusesAClassThatReachesTheHost() {
        refused(NAME, file(NAME, "java/lang/Runtime", "getRuntime"), "java/lang/Runtime");
        refused(NAME, file(NAME, "java/lang/System", "exit"), "java/lang/System.exit");
        refused(NAME, file(NAME, "java/nio/file/Files", "delete"), "java/nio/file/Files");
        refused(NAME, file(NAME, "palyra/api/Require", "that"), "palyra/api/Require");
    }

    @Test
    void refusesWhatIsNoClassFile() {
        refused(NAME, new byte[] {1, 2, 3}, "cannot be read");
        byte[] whole = file(NAME, "java/util/Arrays", "fill");
        refused(NAME, java.util.Arrays.copyOf(whole, 20), "cannot be read");
    }
}
