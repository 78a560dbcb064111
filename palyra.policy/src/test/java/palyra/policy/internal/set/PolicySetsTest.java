package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;

/** What operators ask for, and what becomes of saved files. */
final class PolicySetsTest {
    private static final String MINE =
            "@id(\"mine\")\npermit (principal, action == Action::\"doc.view\", resource);\n";
    private static final String GUARD =
            "@id(\"guard\")\nforbid (principal, action, resource) when { resource has owner };\n";
    private static final String BROKEN =
            "@id(\"mine\")\npermit (principal, action, resource)\n  when { principal.nam == \"x\" };\n";

    @TempDir private Path folder;
    private Stage stage;

    @BeforeEach
    void stage() {
        stage = new Stage(folder);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private PolicyReport reload(String confirm) {
        return stage.sets.reload(Stage.permit("policy.reload"), confirm);
    }

    private List<String> findings() {
        return stage.sets.findings().stream().map(Finding::message).toList();
    }

    @Test
    void comesUpWithTheShippedPoliciesAndSaysSo() throws Exception {
        stage.start();
        String sha256 = stage.untilInForce();
        assertEquals(List.of("views", "no-edits"), stage.names());
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(stage.own)));
        stage.untilEvent("policy_loaded");
        String event = stage.journal.events("policy_loaded").getFirst().toString();
        assertTrue(event.contains("\"sha256\":\"" + sha256 + "\""), event);
        assertTrue(event.contains("\"principal\":\"local-files\""), event);
        assertTrue(event.contains("\"epoch\":1"), event);
        stage.until("no findings", () -> findings().isEmpty());
    }

    private static IOException tooManyOpenFiles() {
        return new FileSystemException("own.cedar", null, "Too many open files");
    }

    /** Nothing of the files changes when descriptors are free again. */
    @Test
    void loadsAgainByItselfWhatFailedForLackOfDescriptors() {
        stage.start().untilInForce();
        stage.opening.add(tooManyOpenFiles());
        stage.save("own.cedar", MINE);
        stage.until("the policy to be loaded", () -> stage.names().contains("mine"));
        assertEquals(0, stage.opening.size());
        stage.until("no findings", () -> findings().isEmpty());
    }

    @Test
    void bringsTheSetBackThatWasWithdrawnForLackOfDescriptors() {
        stage.withSettings(true, true).start().untilInForce();
        stage.save("own.cedar", MINE);
        stage.until("the policy to be loaded", () -> stage.names().contains("mine"));
        stage.listing.add(tooManyOpenFiles());
        stage.untilEvent("policy_refused");
        stage.until("the policy to be in force", () -> stage.names().contains("mine"));
        stage.until("no findings", () -> findings().isEmpty());
    }

    @Test
    void takesASavedFileAndItsRemoval() {
        stage.start().untilInForce();
        stage.save("own.cedar", MINE);
        stage.untilHas("mine");
        assertEquals(2, stage.epoch());
        stage.delete("own.cedar");
        stage.untilHasNot("mine");
        assertEquals(3, stage.epoch());
    }

    @Test
    void keepsTheLastGoodSetAndShowsWhereTheNewOneIsWrong() {
        stage.start();
        String before = stage.untilInForce();
        stage.save("own.cedar", BROKEN);
        stage.untilRefused();
        assertEquals(before, stage.sha256());
        PolicyReport refused = stage.sets.status().refused().orElseThrow();
        PolicyProblem problem = refused.problems().getFirst();
        assertEquals(
                "own.cedar:3:10", problem.file() + ":" + problem.line() + ":" + problem.column());
        assertEquals("  when { principal.nam == \"x\" };", problem.sourceLine());
        assertEquals("         ^^^^^^^^^^^^^", problem.caretLine());
        assertTrue(findings().toString().contains("own.cedar:3:10"), findings().toString());
        stage.untilEvent("policy_refused");
        assertTrue(
                stage.journal
                        .events("policy_refused")
                        .getFirst()
                        .toString()
                        .contains("\"line\":3"));
        stage.save("own.cedar", MINE);
        stage.untilHas("mine");
        stage.until("no refusal", () -> stage.sets.status().refused().isEmpty());
        stage.until("no findings", () -> findings().isEmpty());
    }

    private static String never(String effect) {
        return "@id(\"mine\")\n"
                + effect
                + " (principal, action == Action::\"doc.edit\", resource)\n"
                + "  when { resource has ownr && resource.ownr == \"x\" };\n";
    }

    @Test
    void refusesAForbidThatNeverAppliesAndNamesWhatWasMeant() {
        stage.start();
        String before = stage.untilInForce();
        stage.save("own.cedar", never("forbid"));
        stage.untilRefused();
        assertEquals(before, stage.sha256());
        PolicyProblem problem = stage.sets.status().refused().orElseThrow().problems().getFirst();
        assertTrue(problem.error());
        assertEquals(
                "The forbid never applies, whatever is asked: the schema has no attribute ownr"
                        + " (did you mean owner?).",
                problem.message());
        stage.save("own.cedar", never("forbid").replace("ownr", "owner"));
        stage.untilHas("mine");
    }

    @Test
    void showsAPermitThatNeverAppliesUntilItIsCorrectedAlsoAfterARestart() {
        stage.start().untilInForce();
        stage.save("own.cedar", never("permit"));
        stage.untilHas("mine");
        String warning = "The permit never applies, whatever is asked";
        stage.until("a finding", () -> findings().toString().contains(warning));
        assertTrue(stage.sets.status().warnings().getFirst().message().startsWith(warning));
        assertFalse(stage.sets.status().warnings().getFirst().error());
        stage.close();
        stage = Stage.at(folder).start();
        stage.untilInForce();
        stage.until("the finding again", () -> findings().toString().contains(warning));
        stage.save("own.cedar", never("permit").replace("ownr", "owner"));
        stage.until("no findings", () -> findings().isEmpty());
        assertEquals(List.of(), stage.sets.status().warnings());
    }

    @Test
    void sumsShippedCasesThatOwnPoliciesDecideOtherwiseUpInOneWarning() {
        PolicyProblem own = PolicyProblems.errorAt("own.cases.json", 1, 1, "Mine.", "");
        List<PolicyProblem> found = new ArrayList<>(List.of(own));
        for (int i = 1; i <= 8; i++) {
            found.add(
                    PolicyProblems.errorAt(
                            "default/default.cases.json", i, 1, "Case " + i + ".", ""));
        }
        List<PolicyProblem> summed = SetChecker.withShippedSummed(found);
        assertEquals(2, summed.size());
        assertEquals(own, summed.getFirst());
        assertFalse(summed.getLast().error());
        assertEquals(
                "8 shipped cases are decided otherwise by your policies. Case 1.",
                summed.getLast().message());
        assertEquals(List.of(own), SetChecker.withShippedSummed(List.of(own)));
        assertEquals(List.of(), PolicyProblems.lasting(summed), "the operator means it");
    }

    @Test
    void deniesEverythingAfterAFailureWhenConfiguredSo() {
        stage.withSettings(true, true).start().untilInForce();
        stage.save("own.cedar", BROKEN);
        stage.until("nothing in force", () -> stage.sets.inForce().isEmpty());
        assertTrue(findings().getFirst().startsWith("No policy set is in force"));
        stage.delete("own.cedar");
        stage.untilInForce();
        assertEquals(2, stage.epoch());
    }

    @Test
    void brokenAtTheStartThereIsNoneUntilItIsCorrected() {
        stage.save("own.cedar", BROKEN);
        stage.start();
        stage.untilRefused();
        assertTrue(stage.sets.inForce().isEmpty());
        stage.save("own.cedar", MINE);
        stage.untilHas("mine");
    }

    @Test
    void brokenAtTheStartTheLastGoodSetComesBack() {
        stage.save("own.cedar", MINE);
        stage.start();
        String before = stage.untilInForce();
        stage.close();
        stage.save("own.cedar", BROKEN);
        stage.start();
        assertEquals(before, stage.untilInForce());
        stage.untilRefused();
        assertEquals("start", stage.sets.inForce().orElseThrow().view().origin());
    }

    @Test
    void brokenAtTheStartNothingComesBackWhenConfiguredSo() {
        stage.withSettings(true, true).save("own.cedar", MINE);
        stage.start().untilInForce();
        stage.close();
        stage.save("own.cedar", BROKEN);
        stage.start();
        stage.untilRefused();
        assertTrue(stage.sets.inForce().isEmpty());
    }

    @Test
    void withoutTheNativeEngineTheStoredSetComesUp() {
        stage.save("own.cedar", MINE);
        stage.start();
        String before = stage.untilInForce();
        stage.close();
        stage.startWithout();
        assertEquals(before, stage.untilInForce());
        assertTrue(stage.names().contains("mine"));
        stage.until("the lack to be known", () -> !findings().isEmpty());
        assertTrue(findings().getFirst().startsWith("The native Cedar engine is not there"));
    }

    @Test
    void withoutTheNativeEngineChangedFilesWaitUntilItIsThere() {
        stage.start();
        String before = stage.untilInForce();
        stage.close();
        stage.save("own.cedar", MINE);
        stage.startWithout();
        assertEquals(before, stage.untilInForce());
        stage.untilRefused();
        stage.cedarGate.add(Stage.CEDAR, Map.of());
        stage.untilHas("mine");
        stage.until("no refusal", () -> stage.sets.status().refused().isEmpty());
    }

    @Test
    void withoutTheNativeEngineAndWithoutAStoredSetThereIsNone() {
        stage.startWithout();
        stage.untilRefused();
        assertTrue(stage.sets.inForce().isEmpty());
        stage.cedarGate.add(Stage.CEDAR, Map.of());
        stage.untilInForce();
    }

    @Test
    void aVanishedForbidWaitsForItsDigest() {
        stage.save("own.cedar", GUARD);
        stage.start();
        String before = stage.untilInForce();
        stage.delete("own.cedar");
        stage.untilRefused();
        PolicyReport held = stage.sets.status().refused().orElseThrow();
        assertEquals(Outcome.NEEDS_CONFIRMATION, held.outcome());
        assertEquals(List.of("guard"), held.lost());
        assertTrue(
                held.summary().contains("palyra policy reload --confirm " + held.sha256()),
                held.summary());
        assertTrue(findings().toString().contains("--confirm " + held.sha256()));
        assertEquals(Outcome.NEEDS_CONFIRMATION, reload("").outcome());
        assertEquals(Outcome.NEEDS_CONFIRMATION, reload("ab".repeat(32)).outcome());
        assertEquals(before, stage.sha256());
        assertEquals(Outcome.APPLIED, reload(held.sha256()).outcome());
        assertEquals(held.sha256(), stage.sha256());
        assertEquals("user:alice", stage.sets.inForce().orElseThrow().view().loadedBy());
        stage.until("no refusal", () -> stage.sets.status().refused().isEmpty());
    }

    @Test
    void aVanishedForbidStillWaitsAfterARestart() {
        stage.save("own.cedar", GUARD);
        stage.start().untilInForce();
        stage.close();
        stage.delete("own.cedar");
        stage.start();
        stage.untilHas("guard");
        stage.untilRefused();
        assertEquals(List.of("guard"), stage.sets.status().refused().orElseThrow().lost());
    }

    @Test
    void aForbidThatBecameAPermitIsALoss() {
        stage.save("own.cedar", GUARD);
        stage.start().untilInForce();
        stage.save("own.cedar", GUARD.replace("forbid", "permit"));
        stage.untilRefused();
        assertEquals(List.of("guard"), stage.sets.status().refused().orElseThrow().lost());
    }

    @Test
    void aForbidWithoutNameIsKnownByItsText() {
        String nameless = "forbid (principal, action, resource) when { resource has owner };";
        stage.save("own.cedar", nameless);
        stage.start().untilInForce();
        stage.save("own.cedar", MINE + nameless);
        stage.untilHas("mine");
        stage.save("own.cedar", MINE + nameless.replace("has", "has  "));
        stage.untilRefused();
        assertEquals(List.of("own.cedar#2"), stage.sets.status().refused().orElseThrow().lost());
    }

    @Test
    void anEmptiedSetWaitsForItsDigest() {
        stage.withSettings(false, false).save("own.cedar", MINE);
        stage.start();
        String before = stage.untilInForce();
        stage.save("own.cedar", "");
        stage.untilRefused();
        assertEquals(before, stage.sha256());
        assertEquals(List.of("all policies"), stage.sets.status().refused().orElseThrow().lost());
    }

    @Test
    void rollbackHoldsOverSavedFilesAndARestart() {
        stage.start();
        String first = stage.untilInForce();
        stage.save("own.cedar", MINE);
        stage.untilHas("mine");
        String second = stage.sha256();
        PolicyReport report =
                stage.sets.rollback(Stage.permit("policy.rollback"), first.substring(0, 8));
        assertEquals(Outcome.APPLIED, report.outcome());
        assertEquals(first, stage.sha256());
        assertTrue(stage.sets.status().held());
        stage.until("the files to wait", () -> findings().toString().contains("differ and wait"));
        stage.restart();
        assertEquals(first, stage.untilInForce());
        assertTrue(stage.sets.status().held());
        stage.save("own.cedar", MINE + GUARD);
        stage.until("the files to wait", () -> findings().toString().contains("differ and wait"));
        assertEquals(first, stage.sha256());
        assertEquals(Outcome.APPLIED, reload("").outcome());
        assertTrue(stage.names().contains("guard"));
        assertFalse(stage.sets.status().held());
        assertEquals(
                List.of(stage.sha256(), first, second),
                stage.sets.history(10).stream().map(v -> v.sha256()).toList());
        assertTrue(stage.trustRestored);
    }

    @Test
    void appliesAnotherFolderUntilAReload() throws Exception {
        stage.start().untilInForce();
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("x.cedar"), MINE);
        PolicyReport report = stage.sets.apply(Stage.permit("policy.apply"), other, "");
        assertEquals(Outcome.APPLIED, report.outcome());
        assertTrue(stage.names().contains("mine"));
        assertTrue(stage.sets.status().held());
        assertEquals(
                MINE,
                stage.sets.texts("").stream()
                        .filter(text -> text.name().equals("x.cedar"))
                        .findFirst()
                        .orElseThrow()
                        .text());
        assertEquals(Outcome.APPLIED, reload("").outcome());
        stage.untilHasNot("mine");
        assertTrue(
                stage.sets.texts(report.sha256()).stream()
                        .anyMatch(text -> text.name().equals("x.cedar")));
    }

    @Test
    void checkingChangesNothing() {
        stage.start();
        String before = stage.untilInForce();
        PolicyReport valid = stage.sets.check(Optional.empty());
        assertEquals(Outcome.VALID, valid.outcome());
        assertEquals(before, valid.sha256());
        assertEquals(Outcome.UNCHANGED, reload("").outcome());
        assertEquals(before, stage.sha256());
        assertEquals(1, stage.epoch());
    }

    @Test
    void anIdIsTakenOnce() {
        stage.start().untilInForce();
        stage.save("a.cedar", MINE);
        stage.untilHas("mine");
        stage.save("b.cedar", "\n" + MINE);
        stage.untilRefused();
        String summary = stage.sets.status().refused().orElseThrow().summary();
        assertTrue(
                summary.contains("b.cedar:2:1: the id mine is taken by the policy at a.cedar:1"),
                summary);
    }

    @Test
    void anIdIsAName() {
        stage.start().untilInForce();
        stage.save("a.cedar", MINE.replace("mine", "looks like\\n another"));
        stage.untilRefused();
        assertTrue(
                stage.sets.status().refused().orElseThrow().summary().contains("cannot be used"));
    }

    @Test
    void shippedPoliciesCanBeSwitchedOff() {
        stage.withSettings(true, false, "views", "unknown").start().untilInForce();
        assertEquals(List.of("no-edits"), stage.names());
        assertEquals(
                3, stage.sets.inForce().orElseThrow().origins().values().iterator().next().line());
        PolicyReport report = stage.sets.check(Optional.empty());
        assertTrue(report.problems().toString().contains("no shipped policy 'unknown'"));
        stage.restart();
        stage.untilInForce();
        assertEquals(List.of("no-edits"), stage.names());
        stage.withSettings(true, false);
        stage.untilHas("views");
    }

    @Test
    void switchingAForbidOffIsALossThatWaits() {
        stage.start().untilInForce();
        stage.withSettings(true, false, "no-edits");
        stage.untilRefused();
        assertEquals(List.of("no-edits"), stage.sets.status().refused().orElseThrow().lost());
        assertTrue(stage.names().contains("no-edits"));
    }

    @Test
    void anUntrustedFileRefusesTheSet() throws Exception {
        stage.start();
        String before = stage.untilInForce();
        stage.save("own.cedar", MINE);
        stage.untilHas("mine");
        Path other = Files.writeString(folder.resolve("evil.cedar"), MINE);
        Files.createSymbolicLink(stage.own.resolve("evil.cedar"), other);
        stage.untilRefused();
        assertTrue(findings().toString().contains("evil.cedar: error: The file is not trusted"));
        assertFalse(before.equals(stage.sha256()));
        stage.delete("evil.cedar");
        stage.until("no refusal", () -> stage.sets.status().refused().isEmpty());
    }

    @Test
    void aFolderThatVanishesIsNotAnEmptySet() throws Exception {
        stage.start();
        String before = stage.untilInForce();
        Files.delete(stage.own);
        stage.untilRefused();
        assertEquals(before, stage.sha256());
        assertTrue(findings().toString().contains("There is no policy folder"));
        stage.save("own.cedar", MINE);
        stage.untilHas("mine");
    }

    @Test
    void permitsAreForTheirActionAndForNow() {
        stage.start().untilInForce();
        denied(() -> stage.sets.reload(Stage.permit("policy.apply"), ""));
        denied(() -> stage.sets.apply(Stage.permit("policy.reload"), stage.own, ""));
        denied(() -> stage.sets.rollback(Stage.permit("policy.reload"), stage.sha256()));
        denied(() -> stage.sets.reload(Stage.permit("policy.reload", 1), ""));
    }

    private static void denied(Executable call) {
        assertEquals(ErrorCode.DENIED, assertThrows(PalyraException.class, call).code());
    }

    @Test
    void digestsAreFoundByTheirBeginning() {
        stage.start().untilInForce();
        assertEquals(
                ErrorCode.NOT_FOUND,
                assertThrows(PalyraException.class, () -> stage.sets.texts("0".repeat(64))).code());
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                assertThrows(PalyraException.class, () -> stage.sets.texts("../..")).code());
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                assertThrows(
                                PalyraException.class,
                                () -> stage.sets.texts(stage.sha256().substring(0, 5)))
                        .code());
    }

    @Test
    void eventsWaitForTheJournalAndAreWrittenOnce() {
        stage.journal.afterUnit(
                (unit, committed) -> {
                    throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "The answer is lost.");
                });
        stage.start().untilInForce();
        stage.untilEvent("policy_loaded");
        stage.until("it to wait", () -> findings().toString().contains("wait for the journal"));
        stage.journal.afterUnit((unit, committed) -> {});
        stage.until("nothing to wait", () -> findings().isEmpty());
        assertEquals(1, stage.journal.events("policy_loaded").size());
    }
}
