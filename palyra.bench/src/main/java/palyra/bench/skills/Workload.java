package palyra.bench.skills;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import palyra.api.core.wasm.WasmHost;
import palyra.shared.wasm.Admitted;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.HostCall;
import palyra.skills.internal.host.HostFunctions;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.run.ModuleAdmission;
import palyra.testing.wasm.WasmBuilder;
import palyra.testing.wasm.WasmCode;

/** The modules that are called: files that are in this repository, and two that never return. */
final class Workload {
    private static final long FUEL = 500_000_000;
    private static final long MEMORY = 64L << 20;
    private static final long TIMEOUT_MILLIS = 30_000;
    private static final String ENTRY = "palyra_call";

    /** Name of the module that does as little as a tool can do. */
    static final String TRIVIAL = "trivial";

    private Workload() {}

    /** Returns the template that copies its input to its output: as little as a tool can do. */
    static Task trivial() {
        return tool(
                TRIVIAL,
                "/palyra/skills/templates/minimal/modules/skill.wasm",
                ENTRY,
                "{\"city\":\"Köln\",\"days\":3}",
                false);
    }

    /** Returns the example in C with wasi-libc, which counts the words of 20 KB. */
    static Task wordcount() {
        String text =
                IntStream.range(0, 3_000)
                        .mapToObj(i -> "w" + Integer.toString(i * 7_919 % 400, 26))
                        .collect(Collectors.joining(" "));
        return example("c-wordcount", "wordcount-c", "wordcount", ENTRY, text, false);
    }

    /** Returns the example in Rust, whose memory begins with 17 pages. */
    static Task slugify() {
        String text = "Crème brûlée, Smörgåsbord und Übergröße: ein Menü für Ängstliche";
        return example("rust-slugify", "slugify-rust", "slugify", ENTRY, text, true);
    }

    /** Returns the example in AssemblyScript, which asks the host for storage twice. */
    static Task echo() {
        return example("as-echo", "echo-http", "echo_http", "echo", "Grüß Gott", true);
    }

    /**
     * Returns modules of the corpus that compute: C with loads and stores, C with doubles, Rust.
     */
    static List<Task> computing() {
        return List.of(
                corpus("c-lz", "sdk-c-lz"),
                corpus("as-mandelbrot", "sdk-as-mandelbrot"),
                corpus("rust-regex", "sdk-rust-regex"));
    }

    private static Task corpus(String name, String file) {
        return tool(name, "/palyra/testing/wasm/real/" + file + ".wasm", "run", "{}", false);
    }

    private static Task example(
            String name, String folder, String file, String entry, String text, boolean granted) {
        return tool(
                name,
                "/palyra/bench/skills/" + folder + "/modules/" + file + ".wasm",
                entry,
                "{\"text\":\"" + text + "\"}",
                granted);
    }

    private static Task tool(
            String name, String resource, String entry, String input, boolean granted) {
        return new Task(
                name,
                resource(resource),
                entry,
                input,
                FUEL,
                false,
                granted,
                MEMORY,
                TIMEOUT_MILLIS);
    }

    private static byte[] resource(String name) {
        try (InputStream in = Workload.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the class path has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a module that adds numbers for ever. */
    static Task spin(long deadlineMillis) {
        return endless(
                "spin", new WasmCode().loop().get(0).i32(1).op(0x6A).set(0), 1, deadlineMillis);
    }

    /**
     * Returns a module that fills its memory and copies the half of it, for ever: no engine looks
     * whether a call is to end while one of these instructions is under way.
     *
     * @param megabytes size of the memory; 64 is what a skill has that asks for nothing else
     */
    static Task bulk(int megabytes, long deadlineMillis) {
        int bytes = megabytes << 20;
        WasmCode code =
                new WasmCode()
                        .loop()
                        .i32(0)
                        .i32(7)
                        .i32(bytes)
                        .prefixed(11, 0) // memory.fill
                        .i32(1)
                        .i32(0)
                        .i32(bytes / 2)
                        .prefixed(10, 0, 0); // memory.copy
        return endless("bulk-" + megabytes, code, bytes >> 16, deadlineMillis);
    }

    private static Task endless(String name, WasmCode loop, int pages, long deadlineMillis) {
        WasmBuilder module = new WasmBuilder().memory(pages, pages).export("memory", 2, 0);
        int entry = module.function(":i", "i", loop.br(0).end().op(0x00));
        return new Task(
                name,
                module.export(ENTRY, 0, entry).build(),
                ENTRY,
                "{}",
                1L << 50,
                false,
                false,
                MEMORY,
                deadlineMillis);
    }

    /**
     * Returns the same with fuel and depth counted in the module's own code, as admission makes it:
     * what other engines run when they run the metered module.
     */
    static Task metered(Task task) {
        Admitted admitted =
                ModuleAdmission.judge(
                        task.module(), functions(task), task.entry(), false, task.memoryBytes());
        if (!admitted.ok()) {
            throw new IllegalStateException(task.name() + " is refused: " + admitted.reasons());
        }
        return new Task(
                task.name(),
                admitted.module().orElseThrow().bytes(),
                task.entry(),
                task.input(),
                task.fuel(),
                true,
                task.granted(),
                task.memoryBytes(),
                task.timeoutMillis());
    }

    private static List<WasmHost.WasmFunction> functions(Task task) {
        CallScope scope =
                new CallScope(
                        new SkillId("bench.skill", "1.0.0"),
                        "bench.tool",
                        "call",
                        1,
                        "run",
                        "user:bench",
                        Set.of(),
                        "",
                        0,
                        SkillGuests.grants(task.granted()));
        HostCall call = new HostCall(scope, task.input().getBytes(StandardCharsets.UTF_8), false);
        return HostFunctions.of(call, Seams.empty()).functions();
    }
}
