package palyra.lib.cedar.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No text ends the process: a child gets thousands of hostile ones and must live. */
final class FuzzTest {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");
    private static final long SEED = Long.getLong("palyra.cedar.seed", 20_261_122L);
    private static final int ROUNDS = FULL ? 30_000 : 800;

    @TempDir Path folder;

    private Path out;
    private Path err;
    private Path current;

    @Test
    void noTextEndsTheProcess() throws Exception {
        assertEquals(0, child(FuzzChild.class, String.valueOf(ROUNDS)), this::story);
        String output = Files.readString(out);
        assertTrue(output.contains("survived"), output);
        for (String reached :
                List.of(
                        "valid policies=",
                        "valid schemas=",
                        "formatted=",
                        " decide=",
                        "entities=")) {
            assertTrue(output.contains(reached), "the texts never reached " + reached + output);
        }
        assertTrue(Files.readString(err).isBlank(), this::story);
    }

    /** The control: without the checks the same engine, on an ordinary thread, ends the process. */
    @Test
    void aNestedPolicyEndsAProcessThatDoesNotCheckIt() throws Exception {
        int exit = child(UncheckedChild.class, "5000");
        assertTrue(exit != 0 && !Files.readString(out).contains("survived"), this::story);
    }

    private int child(Class<?> main, String size) throws Exception {
        out = folder.resolve("out");
        err = folder.resolve("err");
        current = folder.resolve("current");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx1g",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + folder.resolve("hs_err"),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.library.path=" + System.getProperty("java.library.path"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        current.toString(),
                        String.valueOf(SEED),
                        size));
        Process process =
                new ProcessBuilder(command)
                        .directory(new File(folder.toString()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(FULL ? 120 : 10, TimeUnit.MINUTES), this::story);
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private String story() {
        try {
            return "seed "
                    + SEED
                    + "\n"
                    + Files.readString(out)
                    + tail(Files.readString(err))
                    + "\nunder way: "
                    + underWay();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String underWay() throws IOException {
        if (!Files.exists(current)) {
            return "nothing";
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(current));
        byte[] text = new byte[bytes.getInt()];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 2_000));
    }
}
