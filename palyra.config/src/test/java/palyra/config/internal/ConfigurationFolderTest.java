package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFolderTest {
    @TempDir Path temp;
    private Path conf;
    private ConfigurationFolder folder;

    @BeforeEach
    void prepare() throws IOException {
        conf = Files.createDirectory(temp.resolve("conf"));
        folder = new ConfigurationFolder(Layer.OPERATOR, conf);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(conf.resolve(name), text);
    }

    private List<String> names() {
        return folder.sources().stream().map(s -> s.id().file()).toList();
    }

    private String broken() {
        assertEquals(1, folder.sources().size());
        Source.Content content = folder.sources().get(0).content();
        return content instanceof Source.Broken b ? b.reason() : "";
    }

    @Test
    void takesEverythingAtTheFirstLook() throws IOException {
        write("b.json", "{}");
        write("a~x.json", "{\"k\": 1}");
        write("README.md", "not configuration");
        write(".c.json", "{");
        assertTrue(folder.poll(true));
        assertEquals(List.of("a~x.json", "b.json"), names());
        assertTrue(folder.problems().isEmpty());
        assertFalse(folder.poll(false));
    }

    @Test
    void takesANewFileOnlyAfterTwoEqualLooks() throws IOException {
        folder.poll(true);
        write("a.json", "{}");
        assertFalse(folder.poll(false));
        assertTrue(folder.sources().isEmpty());
        assertTrue(folder.poll(false));
        assertEquals(List.of("a.json"), names());
    }

    @Test
    void leavesAFileAloneWhileItGrows() throws IOException {
        folder.poll(true);
        Path file = write("a.json", "{");
        for (String piece : List.of("\"k\"", ":", "1", "}")) {
            assertFalse(folder.poll(false));
            Files.writeString(file, piece, StandardOpenOption.APPEND);
        }
        assertFalse(folder.poll(false));
        assertTrue(folder.poll(false));
        assertTrue(folder.sources().get(0).content() instanceof Source.Json);
    }

    @Test
    void keepsAFileThatIsAwayForOneLook() throws IOException {
        Path file = write("a.json", "{}");
        folder.poll(true);
        Files.delete(file);
        assertFalse(folder.poll(false));
        write("a.json", "{}");
        assertFalse(folder.poll(false));
        assertFalse(folder.poll(false), "the same content is no change");
        assertEquals(List.of("a.json"), names());
    }

    @Test
    void letsAFileGoThatStaysAway() throws IOException {
        Path file = write("a.json", "{}");
        folder.poll(true);
        Files.delete(file);
        assertFalse(folder.poll(false));
        assertTrue(folder.poll(false));
        assertTrue(folder.sources().isEmpty());
    }

    @Test
    void seesAReplacementOfTheSameSizeAndTime() throws IOException {
        Path file = write("a.json", "{\"k\":1}");
        folder.poll(true);
        Path next = write("next.tmp", "{\"k\":2}");
        Files.setLastModifiedTime(next, Files.getLastModifiedTime(file));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        folder.poll(false);
        assertTrue(folder.poll(false));
    }

    @Test
    void namesAFileWhoseNameIsNoPid() throws IOException {
        write("not a pid.json", "{}");
        write("good.json", "{}");
        folder.poll(true);
        assertEquals(List.of("good.json"), names());
        assertTrue(folder.problems().get(0).message().contains("not a pid.json"));
    }

    @Test
    void refusesAFileThatIsTooBig() throws IOException {
        write("a.json", "{\"k\":\"" + "x".repeat(ConfigurationFolder.MAX_BYTES) + "\"}");
        folder.poll(true);
        assertTrue(broken().contains("more than"), broken());
    }

    @Test
    void readsNoMoreThanTwoHundredFiles() throws IOException {
        for (int i = 0; i < FolderListing.MAX_FILES + 3; i++) {
            write(String.format("p%04d.json", i), "{}");
        }
        folder.poll(true);
        assertEquals(FolderListing.MAX_FILES, folder.sources().size());
        assertTrue(folder.problems().get(0).message().contains("203 files"));
    }

    @Test
    void refusesALinkThatLeadsOutAndTakesOneThatStays() throws IOException {
        Path outside = Files.writeString(temp.resolve("outside.json"), "{}");
        Files.createSymbolicLink(conf.resolve("a.json"), outside);
        folder.poll(true);
        assertTrue(broken().contains("leads out"), broken());

        Files.delete(conf.resolve("a.json"));
        write(".data", "{}");
        Files.createSymbolicLink(conf.resolve("a.json"), Path.of(".data"));
        folder.poll(false);
        folder.poll(false);
        assertTrue(folder.sources().get(0).content() instanceof Source.Json);
    }

    @Test
    void refusesAFileThatEverybodyMayWriteUntilThatIsCured() throws IOException {
        Path file = write("a.json", "{}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        folder.poll(true);
        assertTrue(broken().contains("every user"), broken());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        boolean cured = folder.poll(false);
        cured |= folder.poll(false);
        assertTrue(cured, "a cured permission does not change the content");
        assertTrue(folder.sources().get(0).content() instanceof Source.Json);
    }

    @Test
    void refusesAFolderInPlaceOfAFile() throws IOException {
        Files.createDirectory(conf.resolve("a.json"));
        folder.poll(true);
        assertTrue(broken().contains("not a regular file"), broken());
    }

    @Test
    void aFolderThatNeverWasIsEmptyAndOneThatVanishedKeepsItsFiles() throws IOException {
        ConfigurationFolder never = new ConfigurationFolder(Layer.SHIPPED, temp.resolve("never"));
        assertFalse(never.poll(true));
        assertTrue(never.problems().isEmpty());
        assertTrue(never.readable());

        write("a.json", "{}");
        folder.poll(true);
        Files.move(conf, temp.resolve("elsewhere"));
        assertTrue(folder.poll(false));
        folder.poll(false);
        folder.poll(false);
        assertEquals(List.of("a.json"), names());
        assertFalse(folder.readable());
        assertTrue(folder.problems().get(0).message().contains("no longer exists"));
        Files.move(temp.resolve("elsewhere"), conf);
        assertTrue(folder.poll(false));
        assertTrue(folder.problems().isEmpty());
    }
}
