package palyra.skills.engine.endive.internal.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import palyra.skills.engine.endive.internal.protocol.ClassPack;
import palyra.skills.engine.endive.internal.protocol.CompileResponse;
import run.endive.compiler.InterpreterFallback;
import run.endive.compiler.internal.ByteClassCollector;
import run.endive.compiler.internal.Compiler;
import run.endive.compiler.internal.CompilerResult;
import run.endive.wasm.Parser;

/**
 * Compiles one module from standard input and answers on standard output. A heap or a clock that is
 * not enough ends the process; the gateway knows the reason by its exit code.
 */
public final class CompilerMain {
    private static final long STACK_BYTES = 16L << 20;

    private CompilerMain() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws Exception {
        OutputStream out = System.out;
        System.setOut(System.err); // a library that prints must not spoil the answer
        serve(System.in, out);
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Reads a module to the end of the input, compiles it and answers. */
    public static void serve(InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        byte[] module = in.readAllBytes();
        AtomicReference<CompileResponse> answer = new AtomicReference<>();
        Thread compiler =
                new Thread(null, () -> answer.set(answer(module)), "compiler", STACK_BYTES);
        compiler.start();
        compiler.join();
        if (answer.get() == null) {
            throw new IOException("the compiler ended without an answer");
        }
        answer.get().write(out);
    }

    private static CompileResponse answer(byte[] module) {
        try {
            CompilerResult result =
                    Compiler.builder(Parser.parse(module))
                            .withInterpreterFallback(InterpreterFallback.SILENT)
                            .withClassCollectorFactory(ByteClassCollector::new)
                            .build()
                            .compile();
            Map<String, byte[]> classes = new LinkedHashMap<>();
            result.classBytes().forEach((name, file) -> classes.put(named(name), file));
            ClassPack pack =
                    new ClassPack(
                            named(result.collector().mainClassName()),
                            result.interpretedFunctions(),
                            classes);
            return new CompileResponse(true, pack.encode());
        } catch (StackOverflowError e) {
            return refusal("it needs more than " + STACK_BYTES + " bytes of stack");
        } catch (Exception | LinkageError | AssertionError e) {
            return refusal(e.toString());
        }
    }

    /** Endive names some classes as class files do. */
    private static String named(String name) {
        return name.replace('/', '.');
    }

    private static CompileResponse refusal(String why) {
        String text = why.length() > 500 ? why.substring(0, 500) : why;
        return new CompileResponse(false, text.getBytes(StandardCharsets.UTF_8));
    }
}
