package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways in which editors and tools save. */
final class SavingTest {
    @TempDir private Path folder;
    private Stage stage;

    @BeforeEach
    void start() {
        stage = new Stage(folder);
        stage.save("own.cedar", policy("first"));
        stage.start();
        stage.untilHas("first");
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private static String policy(String id) {
        return "@id(\"" + id + "\") permit (principal, action, resource);\n";
    }

    private Path own(String name) {
        return stage.own.resolve(name);
    }

    @Test
    void writesInPlace() throws IOException {
        Files.writeString(own("own.cedar"), policy("second"));
        stage.untilHas("second");
        stage.untilHasNot("first");
    }

    @Test
    void writesBesideAndRenames() throws IOException {
        Files.writeString(own(".own.cedar.new"), policy("second"));
        Files.move(
                own(".own.cedar.new"),
                own("own.cedar"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        stage.untilHas("second");
    }

    @Test
    void keepsABackupAndWritesAnew() throws IOException {
        Files.writeString(own(".own.cedar.swp"), "swap");
        Files.writeString(own("4913"), "");
        Files.delete(own("4913"));
        Files.move(own("own.cedar"), own("own.cedar~"));
        Files.writeString(own("own.cedar"), policy("second"));
        Files.delete(own("own.cedar~"));
        Files.delete(own(".own.cedar.swp"));
        stage.untilHas("second");
        stage.untilHasNot("first");
    }

    @Test
    void movesAFileInFromElsewhere() throws IOException {
        Path elsewhere = Files.writeString(stage.root.resolve("x"), policy("second"));
        Files.move(elsewhere, own("other.cedar"), StandardCopyOption.ATOMIC_MOVE);
        stage.untilHas("second");
        stage.untilHas("first");
    }

    @Test
    void renamesAFile() throws IOException {
        String before = stage.sha256();
        Files.move(own("own.cedar"), own("renamed.cedar"));
        stage.until("another set", () -> !stage.sha256().equals(before));
        assertTrue(stage.names().contains("first"));
    }

    @Test
    void bringsSeveralFilesAtOnce() throws IOException {
        for (int i = 0; i < 20; i++) {
            Files.writeString(own("f" + i + ".cedar"), policy("n" + i));
        }
        Files.delete(own("own.cedar"));
        stage.untilHasNot("first");
        for (int i = 0; i < 20; i++) {
            stage.untilHas("n" + i);
        }
    }

    @Test
    void keepsTimeAndSizeButNotTheContent() throws IOException {
        var before = Files.getLastModifiedTime(own("own.cedar"));
        Files.writeString(own("own.cedar"), policy("fir5t"));
        Files.setLastModifiedTime(own("own.cedar"), before);
        stage.untilHas("fir5t");
    }

    @Test
    void writesInPieces() throws IOException {
        String text = policy("second") + "@id(\"guard\") forbid (principal, action, resource);\n";
        Files.writeString(own("own.cedar"), "");
        for (char c : text.toCharArray()) {
            Files.writeString(own("own.cedar"), String.valueOf(c), StandardOpenOption.APPEND);
        }
        stage.untilHas("guard");
        stage.untilHas("second");
        stage.until("no refusal", () -> stage.sets.status().refused().isEmpty());
        assertEquals(text, Files.readString(own("own.cedar")));
    }
}
