package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.shared.files.DurableFiles;

final class CheckAttemptsTest {
    private static final String MINE =
            "@id(\"mine\") permit (principal, action == Action::\"doc.view\", resource);\n";
    private static final String SHA = "ab".repeat(32);

    @TempDir private Path folder;

    private CheckAttempts opened() {
        CheckAttempts attempts = new CheckAttempts(folder, new DurableFiles());
        attempts.open();
        return attempts;
    }

    @Test
    void suspectsASetOnlyOnceTwoProcessesEndedWhileTheyCheckedIt() {
        opened().begin(SHA);
        CheckAttempts second = opened();
        assertFalse(second.endsProcesses(SHA));
        second.begin(SHA);
        CheckAttempts third = opened();
        assertTrue(third.endsProcesses(SHA));
        assertFalse(third.endsProcesses("cd".repeat(32)));

        third.begin(SHA);
        third.end(SHA);
        assertFalse(third.endsProcesses(SHA));
        assertFalse(opened().endsProcesses(SHA));
    }

    @Test
    void aMarkThatCannotBeReadDoesNotCount() throws Exception {
        Files.writeString(folder.resolve("checking.json"), "{");
        assertFalse(opened().endsProcesses(SHA));
        Files.writeString(folder.resolve("checking.json"), " ".repeat(5_000));
        assertFalse(opened().endsProcesses(SHA));
    }

    /** As if two processes had ended in the middle of the check of the folder's files. */
    @Test
    void aSetWhoseCheckEndsTheProcessLeavesTheLastGoodOneInForceAtTheNextStart() throws Exception {
        try (Stage stage = new Stage(folder)) {
            stage.start().untilInForce();
            String good = stage.sha256();
            stage.close();
            stage.save("own.cedar", MINE);
            String deadly = digestOfFiles(stage);
            CheckAttempts first = new CheckAttempts(stage.store, new DurableFiles());
            first.begin(deadly);
            CheckAttempts second = new CheckAttempts(stage.store, new DurableFiles());
            second.open();
            second.begin(deadly);

            stage.start();
            stage.untilRefused();

            assertEquals(good, stage.sha256());
            PolicyReport refused = stage.sets.status().refused().orElseThrow();
            assertTrue(refused.summary().contains("ended 2 times"), refused.summary());
            assertTrue(refused.problems().getFirst().help().contains("palyra policy reload"));

            assertEquals(
                    Outcome.APPLIED,
                    stage.sets.reload(Stage.permit("policy.reload"), "").outcome());
            stage.untilHas("mine");
        }
    }

    private static String digestOfFiles(Stage stage) throws Exception {
        return ((ReadResult.Complete)
                        new SourceReader(
                                        stage.shipped, palyra.lib.cedar.PolicySetLimits.STANDARD, 0)
                                .read(stage.own, true, PolicySettings.standard()))
                .set()
                .sha256();
    }
}
