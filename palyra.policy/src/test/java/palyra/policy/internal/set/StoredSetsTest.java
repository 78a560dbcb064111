package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.ops.Finding;
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;

/** What a start makes of stored sets that are not what was stored. */
final class StoredSetsTest {
    private static final String MINE =
            "@id(\"mine\") permit (principal, action == Action::\"doc.view\", resource);\n";

    @TempDir private Path folder;
    private Stage stage;

    @BeforeEach
    void store() {
        stage = new Stage(folder);
        stage.save("own.cedar", MINE);
        stage.start().untilInForce();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private Path place(String sha256) {
        return stage.store.resolve("sets").resolve(sha256);
    }

    private String trouble() {
        return stage.sets.findings().stream().map(Finding::message).toList().toString();
    }

    @Test
    void aChangedSetIsRefusedAndTheFilesAreCheckedAnew() throws IOException {
        String sha256 = stage.sha256();
        stage.close();
        Path compiled = place(sha256).resolve("compiled.json");
        Files.writeString(compiled, Files.readString(compiled).replace("forbid", "permit"));
        stage.start();
        assertEquals(sha256, stage.untilInForce());
        assertEquals("files", stage.sets.inForce().orElseThrow().view().origin());
        assertTrue(trouble().contains("is not what was stored: compiled.json was changed"));
        stage.untilEvent("policy_refused");
        assertTrue(stage.journal.events("policy_refused").getFirst().toString().contains("store"));
    }

    @Test
    void aSetThatIsNotWhatItsTextsCompileToIsFoundEvenWithMatchingDigests() throws IOException {
        String sha256 = stage.sha256();
        stage.close();
        forge(sha256);
        stage.start();
        stage.until("the forgery to be found", () -> trouble().contains("texts compile to"));
        assertEquals(sha256, stage.untilInForce());
        assertEquals("files", stage.sets.inForce().orElseThrow().view().origin());
        assertEquals(
                1,
                stage.sets.inForce().orElseThrow().policies().policies().stream()
                        .filter(policy -> policy.effect().name().equals("FORBID"))
                        .count());
        stage.restart();
        assertEquals(sha256, stage.untilInForce());
        assertEquals("start", stage.sets.inForce().orElseThrow().view().origin());
    }

    /** Changes the compiled form and every digest that leads to it. */
    private void forge(String sha256) throws IOException {
        Path compiled = place(sha256).resolve("compiled.json");
        String before = Files.readString(compiled);
        String after = before.replace("forbid", "permit");
        assertNotEquals(before, after);
        Files.writeString(compiled, after);
        Path record = place(sha256).resolve("set.json");
        String old = Files.readString(record);
        String changed = old.replace(Digests.sha256Hex(before), Digests.sha256Hex(after));
        Files.writeString(record, changed);
        Path index = stage.store.resolve("current.json");
        Files.writeString(
                index,
                Files.readString(index)
                        .replace(Digests.sha256Hex(old), Digests.sha256Hex(changed)));
    }

    @Test
    void aStoreThatIsGoneIsMadeAnew() throws IOException {
        String sha256 = stage.sha256();
        stage.close();
        new DurableFiles().delete(stage.store);
        stage.start();
        assertEquals(sha256, stage.untilInForce());
        assertEquals(
                MINE,
                Files.readString(
                        place(sha256).resolve("files").resolve("own.cedar"),
                        StandardCharsets.UTF_8));
    }
}
