package palyra.policy.internal.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, as the script starts it: no framework, no path to native libraries. */
final class ConformanceMainTest {
    @TempDir private Path folder;

    private record Ended(int exit, String out, String err) {}

    private Ended start(String... arguments) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("--enable-native-access=ALL-UNNAMED");
        line.add("-XX:TieredStopAtLevel=1");
        line.add("-Djava.io.tmpdir=" + temporary);
        line.addAll(List.of("-cp", System.getProperty("java.class.path")));
        line.add(ConformanceMain.class.getName());
        line.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(line)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it did not end");
        assertEquals(List.of(), list(temporary), "what it unpacked stays behind");
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().contains("cedar")).toList();
        }
    }

    @Test
    void endsWithTheCountsAndTheCode() throws Exception {
        String reads = Corpus.request("read", 1, "allow", "policy0", "policy2");
        Corpus corpus = new Corpus().with("corpus/one.json", Corpus.test("true", reads));
        Path place = corpus.into(Files.createDirectory(folder.resolve("corpus")));
        assertEquals(new Ended(0, "1 passed, 0 failed\n", ""), start(place.toString()));
        corpus.with("corpus/one.json", Corpus.test("false", reads)).into(place);
        Ended failed = start(place.toString());
        assertEquals(1, failed.exit(), failed.toString());
        assertTrue(failed.out().endsWith("\n0 passed, 1 failed\n"), failed.out());
    }

    @Test
    void refusesWrongArgumentsWithASentence() throws Exception {
        for (String[] wrong :
                List.of(
                        new String[] {},
                        new String[] {"a", "b"},
                        new String[] {"--nonsense"},
                        new String[] {folder.resolve("nowhere").toString()})) {
            Ended ended = start(wrong);
            assertEquals(2, ended.exit(), ended.toString());
            assertEquals(1, ended.err().lines().count(), ended.err());
            assertTrue(ended.err().startsWith("palyra: "), ended.err());
            assertEquals("", ended.out());
        }
    }

    @Test
    void explainsItself() throws Exception {
        Ended ended = start("--help");
        assertEquals(0, ended.exit());
        assertTrue(ended.out().contains("FOLDER"), ended.out());
    }
}
