package palyra.bench.skills;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The modules to call; all are files of this repository. */
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
                name, resource(resource), entry, input, FUEL, granted, MEMORY, TIMEOUT_MILLIS);
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
}
