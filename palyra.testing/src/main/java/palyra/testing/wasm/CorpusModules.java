package palyra.testing.wasm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Modules on which engines are compared: 320 generated ones, and real ones made by compilers, which
 * are listed in the resource {@code real/modules.txt}: file, export, fuel.
 */
public final class CorpusModules {
    private static final int GENERATED = 320;
    private static final long FUEL = 100_000;

    private CorpusModules() {}

    /** Returns all of them in a fixed order. */
    public static List<CorpusModule> all() {
        List<CorpusModule> all = new ArrayList<>(generated());
        all.addAll(real());
        return all;
    }

    /** Returns the generated ones. */
    public static List<CorpusModule> generated() {
        List<CorpusModule> generated = new ArrayList<>();
        for (int seed = 0; seed < GENERATED; seed++) {
            generated.add(
                    new CorpusModule(
                            "generated-" + seed, ModuleGenerator.module(seed), "run", FUEL));
        }
        return generated;
    }

    /** Returns those that compilers made. */
    public static List<CorpusModule> real() {
        return new String(resource("modules.txt"), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(CorpusModules::listed)
                .toList();
    }

    private static CorpusModule listed(String line) {
        List<String> words = List.of(line.split(" +", -1));
        return new CorpusModule(
                words.get(0), resource(words.get(0)), words.get(1), Long.parseLong(words.get(2)));
    }

    private static byte[] resource(String name) {
        try (InputStream in = CorpusModules.class.getResourceAsStream("real/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the corpus has no file " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
