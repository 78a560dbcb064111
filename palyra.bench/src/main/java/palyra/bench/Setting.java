package palyra.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was asked for.
 *
 * @param names suites, or words that names of suites begin with; empty means all
 * @param work folder for databases and state folders; must lie on the disk that is to be measured
 * @param result folder of the raw files
 * @param dist the built product, for whole-process suites; may be absent on disk
 * @param runs how often each figure is measured
 * @param full the long forms too
 */
public record Setting(
        List<String> names, Path work, Path result, Path dist, int runs, boolean full) {
    /** Copies. */
    public Setting {
        names = List.copyOf(names);
    }

    /** Bad arguments; the message says which. */
    public static final class Usage extends Exception {
        private static final long serialVersionUID = 1L;

        Usage(String message) {
            super(message);
        }
    }

    /** Reads arguments. */
    public static Setting parse(String... arguments) throws Usage {
        List<String> names = new ArrayList<>();
        Path work = Path.of("result/work");
        Path result = Path.of("result");
        Path dist = Path.of("palyra.dist/target/palyra");
        int runs = 5;
        boolean full = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--full" -> full = true;
                case "--runs" -> runs = number("--runs", value(arguments, i++));
                case "--work" -> work = Path.of(value(arguments, i++));
                case "--result" -> result = Path.of(value(arguments, i++));
                case "--dist" -> dist = Path.of(value(arguments, i++));
                default -> names.add(name(arguments[i]));
            }
        }
        return new Setting(
                names,
                work.toAbsolutePath().normalize(),
                result.toAbsolutePath().normalize(),
                dist.toAbsolutePath().normalize(),
                runs,
                full);
    }

    private static String value(String[] arguments, int at) throws Usage {
        if (at + 1 >= arguments.length) {
            throw new Usage(arguments[at] + " needs a value after it");
        }
        return arguments[at + 1];
    }

    private static int number(String option, String text) throws Usage {
        if (!text.matches("[1-9][0-9]?")) {
            throw new Usage(option + " is '" + text + "'; give a number from 1 to 99");
        }
        return Integer.parseInt(text);
    }

    private static String name(String word) throws Usage {
        if (word.startsWith("-")) {
            throw new Usage(
                    "there is no option "
                            + word
                            + "; there are --full, --runs, --work, --result and --dist");
        }
        return word;
    }

    /** Returns whether a suite was asked for. */
    public boolean wants(Suite suite) {
        return names.isEmpty() || names.stream().anyMatch(word -> asksFor(word, suite.name()));
    }

    private static boolean asksFor(String word, String name) {
        return name.equals(word) || name.startsWith(word + ".");
    }

    /**
     * Returns the word that asks for nothing there is; empty when every word asks for something.
     */
    public String unknownName(List<Suite> suites) {
        return names.stream()
                .filter(word -> suites.stream().noneMatch(s -> asksFor(word, s.name())))
                .findFirst()
                .orElse("");
    }

    /** Makes an empty folder below the work folder. */
    public Path folder(String name) throws IOException {
        Path folder = work.resolve(name);
        delete(folder);
        return Files.createDirectories(folder);
    }

    /** Deletes a folder with everything in it, if it is there. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
