package palyra.policy.internal.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/conformance.sh} in a process of its own, as {@code ./palyra} starts it. */
final class ConformanceMainTest {
    private static final Path SCRIPT = Path.of("../scripts/conformance.sh");

    @TempDir private Path folder;

    private record Ended(int exit, String out, String err) {}

    private Ended start(String... arguments) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        List<String> line = new ArrayList<>(List.of("bash", SCRIPT.toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line);
        Map<String, String> environment = builder.environment();
        environment.put("TMPDIR", temporary.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("CONFORMANCE_CLASS_PATH", System.getProperty("java.class.path"));
        environment.put("CONFORMANCE_NATIVES", System.getProperty("java.library.path"));
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it did not end");
        assertEquals(List.of(), list(temporary), "unpacked files stayed behind");
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
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

    private static Corpus corpus(String decision) {
        String reads = Corpus.request("read", 1, decision, "policy0", "policy2");
        return new Corpus().with("corpus/one.json", Corpus.test("true", reads));
    }

    private Path archive(Corpus corpus, String name, String options) throws Exception {
        Path content = corpus.into(Files.createDirectories(folder.resolve("content-" + name)));
        Path archive = folder.resolve(name);
        Process tar =
                new ProcessBuilder(
                                "tar", options, archive.toString(), "-C", content.toString(), ".")
                        .inheritIO()
                        .start();
        assertEquals(0, tar.waitFor(), "exit code of tar");
        return archive;
    }

    @Test
    void runsArchivesCompressedOrNot() throws Exception {
        Ended passed = new Ended(0, "1 passed, 0 failed\n", "");
        assertEquals(passed, start(archive(corpus("allow"), "plain.tar", "-cf").toString()));
        Path zipped = archive(corpus("allow"), "zipped", "-czf");
        assertEquals(passed, start(zipped.toString()), "the content decides, not the name");
        Ended failed = start(archive(corpus("deny"), "failing.tar.gz", "-czf").toString());
        assertEquals(1, failed.exit(), failed.toString());
        assertTrue(failed.out().contains("FAILED corpus/one.json, request 1"), failed.out());
    }

    @Test
    void archivesInAFolderBelongToIt() throws Exception {
        Path place = corpus("deny").into(Files.createDirectory(folder.resolve("corpus")));
        Path inside = Files.createDirectories(place.resolve("more"));
        Files.move(
                archive(corpus("allow"), "corpus.tar.gz", "-czf"), inside.resolve("corpus.tar.gz"));
        Ended ended = start(place.toString());
        assertEquals(1, ended.exit(), ended.toString());
        assertTrue(ended.out().endsWith("\n1 passed, 1 failed\n"), ended.out());
        assertEquals("palyra: more/corpus.tar.gz\n", ended.err());
    }

    @Test
    void refusesAnArchiveThatWasCutOffOrChanged() throws Exception {
        byte[] whole = Files.readAllBytes(archive(corpus("allow"), "whole.tar.gz", "-czf"));
        byte[] changed = whole.clone();
        changed[whole.length / 2] ^= 1;
        for (byte[] broken :
                List.of(
                        changed,
                        Arrays.copyOf(whole, whole.length / 2),
                        Arrays.copyOf(whole, whole.length - 1),
                        "no archive at all".repeat(99).getBytes(StandardCharsets.UTF_8))) {
            Ended ended = start(Files.write(folder.resolve("broken"), broken).toString());
            assertEquals(2, ended.exit(), ended.toString());
            assertTrue(ended.err().contains("is broken or was cut off"), ended.err());
            assertEquals("", ended.out());
        }
    }

    @Test
    void removesUnpackedFilesWhenItIsStopped() throws Exception {
        Path archive = archive(corpus("allow"), "stopped.tar", "-cf");
        Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho started\nexec sleep 60\n");
        assertTrue(java.toFile().setExecutable(true));
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        ProcessBuilder builder = new ProcessBuilder("bash", SCRIPT.toString(), archive.toString());
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("CONFORMANCE_CLASS_PATH", "none");
        builder.environment().put("CONFORMANCE_NATIVES", "none");
        Process process = builder.start();
        assertEquals("started", process.inputReader().readLine());
        assertEquals(1, list(temporary).size());
        process.destroy();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it did not end");
        assertEquals(143, process.exitValue());
        assertEquals(List.of(), list(temporary));
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
