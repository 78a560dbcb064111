package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of the programs of a host, and that warming up changes no answer. */
class KnownInterpretersTest {
    private static final String CONTENT = "\u007fELF an interpreter of this test";

    @TempDir Path folder;
    private final HostPrograms host = new HostPrograms();
    private Path bin;
    private Path copy;

    @BeforeEach
    void open() throws IOException {
        bin = Files.createDirectory(folder.toRealPath().resolve("bin"));
        copy = Files.writeString(folder.resolve("harmless"), CONTENT);
    }

    private GuardSettings settings() {
        return new GuardSettings(Set.of(), false, List.of(bin.toString()), List.of());
    }

    private Optional<Path> found() throws IOException {
        return host.interpreters().sameAs(copy, List.of(bin.toString()));
    }

    private Path python() throws IOException {
        Path python = Files.writeString(bin.resolve("python3.99"), CONTENT);
        Files.setLastModifiedTime(bin, FileTime.fromMillis(System.currentTimeMillis() + 10_000));
        return python;
    }

    @Test
    void copyUnderAnotherNameIsKnownWithAndWithoutWarmingUp() throws IOException {
        Path python = python();
        assertEquals(Optional.of(python), found());
        HostPrograms warm = new HostPrograms();
        warm.warmUp(settings());
        assertEquals(
                Optional.of(python), warm.interpreters().sameAs(copy, List.of(bin.toString())));
    }

    @Test
    void whatAppearsAfterWarmingUpIsKnownToo() throws IOException {
        host.warmUp(settings());
        assertEquals(Optional.empty(), found());
        assertEquals(Optional.of(python()), found());
    }

    @Test
    void whatIsOfTheSameSizeOnlyIsNoCopy() throws IOException {
        python();
        Files.writeString(copy, CONTENT.replace("an", "no"));
        assertEquals(Optional.empty(), found());
    }

    @Test
    void folderThatIsNotThereOrNotReadableChangesNothing() throws IOException {
        List<String> path = List.of(folder.resolve("none").toString(), bin.toString());
        Path python = python();
        assertEquals(Optional.of(python), host.interpreters().sameAs(copy, path));
    }

    @Test
    void guardsOfOneHostShareWhatIsKnown() throws IOException {
        GuardSettings settings = settings();
        host.warmUp(settings);
        python();
        Path named = bin.resolve("harmless");
        Files.writeString(named, CONTENT);
        assertTrue(named.toFile().setExecutable(true));
        Path workspace = Files.createDirectory(folder.toRealPath().resolve("w"));
        CommandRequest request = new CommandRequest("harmless", List.of(), "", Set.of());
        for (int round = 0; round < 2; round++) {
            GuardFixture.concern(
                    "sandbox.interpreter",
                    new CommandGuard(settings, host).examine(request, workspace));
        }
    }
}
