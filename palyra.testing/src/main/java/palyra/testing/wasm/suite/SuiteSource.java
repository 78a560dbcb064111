package palyra.testing.wasm.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The suite's scripts from a folder that {@code scripts/wasm-suite.sh} laid down, translated by
 * {@code wast2json} of wabt.
 *
 * @param folder where the scripts are
 */
record SuiteSource(Path folder) {
    /** Older scripts of the suite have a command of its own for a NaN. */
    private static final Pattern OLD_NAN =
            Pattern.compile(
                    "\\(assert_return_(canonical|arithmetic)_nan\\s+(\\((?:[^()\"]|\"(?:[^\"\\\\]|\\\\.)*\""
                            + "|\\([^()]*\\))*\\))\\s*\\)");

    /** Returns the scripts' files in order, by their names. */
    List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString())
                    .filter(each -> each.matches("[^.]+\\.wast(\\.js)?"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Translates scripts.
     *
     * @param scratch where their modules go
     * @param unread takes the names of those that wabt does not read, and what it said
     */
    List<SuiteScript> scripts(List<String> files, Path scratch, Map<String, String> unread)
            throws IOException, InterruptedException {
        List<SuiteScript> scripts = new ArrayList<>();
        for (String file : files) {
            Path json = scratch.resolve(file + ".json");
            String said = translate(file, scratch.resolve(file), json);
            if (said.isEmpty()) {
                scripts.add(SuiteScript.read(file, json));
            } else {
                unread.put(file, said);
            }
        }
        return scripts;
    }

    /** Returns what wabt said against a script; empty when it made the file. */
    private String translate(String file, Path source, Path json)
            throws IOException, InterruptedException {
        Files.writeString(source, text(Files.readString(folder.resolve(file)), file));
        Process wabt =
                new ProcessBuilder(
                                "wast2json", "--no-check", source.toString(), "-o", json.toString())
                        .redirectErrorStream(true)
                        .start();
        byte[] said = wabt.getInputStream().readAllBytes();
        return wabt.waitFor() == 0 ? "" : new String(said, StandardCharsets.UTF_8).strip() + ".";
    }

    private static String text(String text, String file) {
        return file.endsWith(".js")
                ? MozillaScript.translate(text)
                : OLD_NAN.matcher(text).replaceAll("(assert_return $2 (f64.const nan:$1))");
    }
}
