package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/**
 * The .proto files are linted, and compared with the description of the interface that is checked
 * in: nothing that clients have may go.
 */
public class ProtoChecksIT {
    private static final String DESCRIPTION = "cnf/api/palyra.gateway.v1.binpb";
    private static final long MINUTES = 3;

    @ClassRule public static final TemporaryFolder TEMPORARY = new TemporaryFolder();
    private static Path program;

    private record Outcome(int exit, String said) {}

    @BeforeClass
    public static void fetch() throws Exception {
        program = NodePackage.install("buf", "buf").resolve("node_modules/.bin/buf");
    }

    private static Outcome buf(Path module, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path log = TEMPORARY.newFile().toPath();
        Process process =
                new ProcessBuilder(command)
                        .directory(module.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertTrue(command + " did not end in time", ended);
        return new Outcome(process.exitValue(), Files.readString(log));
    }

    private static Path module() {
        return Dist.root().resolve("palyra.transport.grpc");
    }

    private static String description() {
        return Dist.root().resolve(DESCRIPTION).toString();
    }

    /** A copy of the module in which one line is another. */
    private static Path changed(String file, String from, String to) throws IOException {
        Path copy = TEMPORARY.newFolder().toPath();
        Files.copy(module().resolve("buf.yaml"), copy.resolve("buf.yaml"));
        Path protos = Path.of("src/main/proto/palyra");
        for (String name : List.of("common/v1/common.proto", "gateway/v1/gateway.proto")) {
            String text = Files.readString(module().resolve(protos).resolve(name));
            if (name.equals(file)) {
                assertTrue("there is no " + from, text.contains(from));
                text = text.replace(from, to);
            }
            Path target = copy.resolve(protos).resolve(name);
            Files.createDirectories(target.getParent());
            Files.writeString(target, text);
        }
        return copy;
    }

    @Test
    public void theInterfaceIsClean() throws Exception {
        Outcome lint = buf(module(), "lint");
        assertEquals(lint.said(), 0, lint.exit());
    }

    @Test
    public void lintFindsWhatNoExceptionCovers() throws Exception {
        Path bad = changed("common/v1/common.proto", "string ulid = 1", "string Ulid = 1");
        assertNotEquals(0, buf(bad, "lint").exit());
    }

    @Test
    public void nothingThatClientsHaveIsGone() throws Exception {
        Outcome breaking = buf(module(), "breaking", "--against", description());
        assertEquals(breaking.said(), 0, breaking.exit());
    }

    @Test
    public void aFieldWithAnotherNumberIsABreach() throws Exception {
        Path bad = changed("common/v1/common.proto", "string ulid = 1", "string ulid = 2");
        Outcome breaking = buf(bad, "breaking", "--against", description());
        assertNotEquals(0, breaking.exit());
        assertTrue(breaking.said(), breaking.said().contains("ulid"));
    }

    /** Otherwise what was added since could go again unnoticed. */
    @Test
    public void theDescriptionIsThatOfTheInterface() throws Exception {
        Path built = TEMPORARY.newFolder().toPath().resolve("now.binpb");
        Outcome build =
                buf(module(), "build", "--exclude-source-info", "--output", built.toString());
        assertEquals(build.said(), 0, build.exit());
        assertEquals(
                "the description is another from this byte on: run"
                        + " scripts/update-proto-description.sh",
                -1,
                Files.mismatch(Path.of(description()), built));
    }
}
