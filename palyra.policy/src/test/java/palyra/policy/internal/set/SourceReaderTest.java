package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.lib.cedar.PolicySetLimits;
import palyra.shared.hash.Digests;

final class SourceReaderTest {
    private static final String POLICY = "permit (principal, action, resource);\n";

    @TempDir private Path folder;
    private Path shipped;
    private Path own;

    @BeforeEach
    void folders() throws IOException {
        shipped = Files.createDirectory(folder.resolve("shipped"));
        own =
                Files.createDirectory(
                        folder.resolve("own"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        Files.writeString(shipped.resolve("schema.cedarschema"), "entity User;");
        Files.writeString(shipped.resolve("default.cedar"), POLICY);
        Files.writeString(own.resolve("own.cedar"), POLICY);
    }

    private ReadResult read() throws InterruptedException {
        return read(PolicySettings.standard());
    }

    private ReadResult read(PolicySettings settings) throws InterruptedException {
        return new SourceReader(shipped, PolicySetLimits.STANDARD, 0).read(own, true, settings);
    }

    private SourceSet complete() throws InterruptedException {
        ReadResult reading = read();
        return assertInstanceOf(ReadResult.Complete.class, reading, reading.toString()).set();
    }

    private void refusedFor(String reason) throws InterruptedException {
        String problems = assertInstanceOf(ReadResult.Unusable.class, read()).problems().toString();
        assertTrue(problems.contains(reason), problems);
    }

    @Test
    void readsBothFoldersAndNamesTheSetByItsListing() throws Exception {
        Files.writeString(own.resolve("a.cases.json"), "[]");
        SourceSet set = complete();
        assertEquals(
                Set.of(
                        "default/default.cedar",
                        "default/schema.cedarschema",
                        "own.cedar",
                        "a.cases.json"),
                set.files().keySet());
        String listing =
                Digests.sha256Hex("[]")
                        + "  a.cases.json\n"
                        + Digests.sha256Hex(POLICY)
                        + "  default/default.cedar\n"
                        + Digests.sha256Hex("entity User;")
                        + "  default/schema.cedarschema\n"
                        + Digests.sha256Hex(POLICY)
                        + "  own.cedar\n";
        assertEquals(Digests.sha256Hex(listing), set.sha256());
    }

    @Test
    void ownSchemaTakesThePlaceOfTheShippedOne() throws Exception {
        Files.writeString(own.resolve("schema.cedarschema"), "entity Other;");
        SourceSet set = complete();
        assertEquals("schema.cedarschema", set.schema().orElseThrow().name());
        assertTrue(set.changedByOperator());
    }

    @Test
    void withoutDefaultsOnlyTheShippedSchemaIsLeft() throws Exception {
        ReadResult reading = read(new PolicySettings(false, new TreeSet<>(), false));
        SourceSet set = ((ReadResult.Complete) reading).set();
        assertEquals(Set.of("default/schema.cedarschema", "own.cedar"), set.files().keySet());
    }

    @Test
    void passesOverWhatEditorsLeaveBehind() throws Exception {
        for (String name :
                List.of(
                        ".own.cedar.swp",
                        ".hidden.cedar",
                        "own.cedar~",
                        "#own.cedar#",
                        ".#own.cedar",
                        "own.cedar.orig",
                        "own.cedar.tmp",
                        "4913",
                        "other.cedarschema",
                        "README.md")) {
            Files.writeString(own.resolve(name), "nonsense");
        }
        Files.createDirectory(own.resolve("folder.cedar"));
        assertEquals(3, complete().files().size());
    }

    @Test
    void refusesWhatEverybodyMayWrite() throws Exception {
        complete();
        Files.setPosixFilePermissions(
                own.resolve("own.cedar"), PosixFilePermissions.fromString("rw-rw-rw-"));
        refusedFor("every user of this machine may write to it");
    }

    @Test
    void refusesAFolderThatOthersMayWriteTo() throws Exception {
        complete();
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        refusedFor("others than its owner may write to it");
    }

    @Test
    void refusesALinkOutOfTheFolderAndTakesOneWithin() throws Exception {
        Files.createSymbolicLink(own.resolve("within.cedar"), own.resolve("own.cedar"));
        assertEquals(4, complete().files().size());
        Path outside = Files.writeString(folder.resolve("outside.cedar"), POLICY);
        Files.createSymbolicLink(own.resolve("link.cedar"), outside);
        refusedFor("leads out of the folder");
    }

    @Test
    void refusesALinkToNothing() throws Exception {
        Files.createSymbolicLink(own.resolve("gone.cedar"), own.resolve("nothing"));
        refusedFor("cannot be read");
    }

    @Test
    void refusesAMissingFolder() throws Exception {
        Files.delete(own.resolve("own.cedar"));
        Files.delete(own);
        refusedFor("There is no policy folder");
    }

    @Test
    void waitsUntilNobodyWritesAnyMore() throws Exception {
        Path file = own.resolve("long.cedar");
        Files.writeString(file, "forbid (principal, ");
        Deque<String> rest = new ArrayDeque<>(List.of("action, ", "resource)", ";\n"));
        SourceReader reader =
                new SourceReader(shipped, PolicySetLimits.STANDARD, 3_600_000) {
                    @Override
                    void pause(long millis) {
                        if (!rest.isEmpty()) {
                            append(file, rest.poll());
                        }
                    }
                };
        ReadResult reading = reader.read(own, true, PolicySettings.standard());
        assertEquals(
                "forbid (principal, action, resource);\n",
                new String(
                        ((ReadResult.Complete) reading).set().files().get("long.cedar"),
                        StandardCharsets.UTF_8));
    }

    @Test
    void startsOverWhenAFileChangesWhileItIsRead() throws Exception {
        Path file = own.resolve("own.cedar");
        int[] looks = new int[1];
        SourceReader reader =
                new SourceReader(shipped, PolicySetLimits.STANDARD, 0) {
                    @Override
                    List<FolderListing> look(Path at) throws IOException {
                        if (++looks[0] == 2) {
                            append(file, "// more\n"); // after it was read, before the last look
                        }
                        return super.look(at);
                    }
                };
        ReadResult reading = reader.read(own, true, PolicySettings.standard());
        assertEquals(
                POLICY + "// more\n",
                new String(
                        ((ReadResult.Complete) reading).set().files().get("own.cedar"),
                        StandardCharsets.UTF_8));
        assertEquals(4, looks[0]);
    }

    @Test
    void givesUpForNowOnAFileThatNeverRests() throws Exception {
        Path file = own.resolve("own.cedar");
        SourceReader reader =
                new SourceReader(shipped, PolicySetLimits.STANDARD, 3_600_000) {
                    @Override
                    void pause(long millis) {
                        append(file, "// more\n");
                    }
                };
        assertInstanceOf(
                ReadResult.Unsettled.class, reader.read(own, true, PolicySettings.standard()));
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
