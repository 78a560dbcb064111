package palyra.backup.internal.known;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.policy.Policies;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicySetView;
import palyra.api.core.policy.PolicyStatus;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.files.FileTree;
import palyra.shared.gate.Gate;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

class KnownStateTest {
    private static final String ONE = "1".repeat(64);
    private static final String TWO = "2".repeat(64);

    @TempDir Path state;
    private final MemoryJournal journal = new MemoryJournal();
    private Gate<Journal> journals = gate();
    private MemoryKeys signing = new MemoryKeys();
    private String current = ONE;
    private final List<String> history = new ArrayList<>(List.of(ONE));
    private Optional<PolicyReport> refused = Optional.empty();

    @BeforeEach
    void fill() throws IOException {
        journals.add(journal, Map.of());
        for (String name :
                List.of(
                        "policies/own.cedar",
                        "policies/own.cases.json",
                        "conf/palyra.retention.json",
                        "deploy/own.jar",
                        "skills/artifacts/" + ONE + ".palyra-skill",
                        "tls/server.pem")) {
            write(name);
        }
        start().save();
    }

    private static <T> Gate<T> gate() {
        return new Gate<>("It", ErrorCode.INTERNAL, 0);
    }

    private void write(String name) throws IOException {
        Files.createDirectories(state.resolve(name).getParent());
        Files.writeString(state.resolve(name), "x");
    }

    /** A gateway that has the folder as it is now. */
    private KnownState start() {
        Gate<Keys> keys = gate();
        keys.add(signing, Map.of());
        Gate<Policies> policies = gate();
        policies.add(policies(), Map.of());
        return new KnownState(state, journals, keys, policies);
    }

    private Policies policies() {
        return (Policies)
                Proxy.newProxyInstance(
                        Policies.class.getClassLoader(),
                        new Class<?>[] {Policies.class},
                        (proxy, method, given) ->
                                switch (method.getName()) {
                                    case "status" ->
                                            new PolicyStatus(
                                                    Optional.of(current)
                                                            .filter(set -> !set.isEmpty())
                                                            .map(KnownStateTest::view),
                                                    "compiled",
                                                    "",
                                                    false,
                                                    refused,
                                                    List.of(),
                                                    List.of());
                                    case "history" ->
                                            history.stream().map(KnownStateTest::view).toList();
                                    default -> throw new IllegalStateException(method.getName());
                                });
    }

    private static PolicySetView view(String sha256) {
        return new PolicySetView(sha256, 1, 1, 1, "files", 1, "local-files");
    }

    private static String one(KnownState known) {
        List<Finding> found = known.findings();
        assertEquals(1, found.size(), found.toString());
        assertEquals(Finding.Severity.ERROR, found.get(0).severity());
        assertTrue(found.get(0).remedy().contains("palyra state accept"), found.toString());
        return found.get(0).message();
    }

    @ParameterizedTest
    @ValueSource(strings = {"policies", "conf", "deploy", "skills/artifacts", "tls"})
    void aFolderThatIsMissingAtAStartIsMissedUntilItIsBack(String folder) throws IOException {
        FileTree.remove(state.resolve(folder));
        KnownState known = start();
        assertTrue(one(known).startsWith("The folder " + folder + " of the state folder lacks"));
        known.save();
        known = start();
        one(known); // a start later it is missed as well
        for (String name : List.of("own.cedar", "own.cases.json")) {
            write("policies/" + name);
        }
        write("conf/palyra.retention.json");
        write("deploy/own.jar");
        write("skills/artifacts/" + ONE + ".palyra-skill");
        write("tls/server.pem");
        assertEquals(List.of(), known.findings());
        assertEquals(List.of(), start().findings());
    }

    @Test
    void eachPartIsAFindingOfItsOwn() throws IOException {
        FileTree.remove(state.resolve("conf"));
        FileTree.remove(state.resolve("policies"));
        current = TWO;
        history.clear();
        assertEquals(2, start().findings().size());
    }

    private void know(String json) {
        journal.commit(
                Unit.of(
                        new Operation.PutDocument(
                                KnownState.COLLECTION,
                                KnownState.KEY,
                                json.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void aFolderThatOnlyAnotherVersionLooksIntoIsNotMissed() throws IOException {
        know("{\"v\":1,\"files\":{\"later\":[\"a\"]},\"keys\":[],\"policySet\":\"\"}");
        KnownState known = start();
        assertEquals(List.of(), known.findings());
        known.save();
    }

    @Test
    void aDamagedDocumentIsWrittenAnew() throws IOException {
        know("{");
        start().save();
        Files.delete(state.resolve("policies/own.cedar"));
        assertEquals(1, start().findings().size());
    }

    /** Perhaps they are lost; perhaps the journal is another gateway's. */
    @Test
    void nothingIsToldToAJournalOfOtherKeysUntilThatIsAccepted() throws Exception {
        byte[] before = content();
        signing = new MemoryKeys();
        write("conf/palyra.vault.json");
        KnownState known = start();
        assertEquals(1, known.findings().size());
        known.save();
        assertArrayEquals(before, content());
        FakeCommandContext.builder().build().run(new StateAcceptCommand(known, state));
        assertTrue(new String(content(), StandardCharsets.UTF_8).contains("palyra.vault.json"));
        assertEquals(List.of(), start().findings());
    }

    private byte[] content() {
        return journal.document(KnownState.COLLECTION, KnownState.KEY).orElseThrow().content();
    }

    @Test
    void oneOfSeveralFilesIsMissed() throws IOException {
        Files.delete(state.resolve("policies/own.cedar"));
        Finding found = start().findings().getFirst();
        assertEquals(Finding.Severity.WARNING, found.severity(), "an operator may have done it");
        assertTrue(found.message().contains("lacks own.cedar,"), found.message());
    }

    @Test
    void whatIsTakenAwayWhileTheGatewayRunsIsNotMissed() throws IOException {
        KnownState running = start();
        assertEquals(List.of(), running.findings());
        FileTree.remove(state.resolve("policies"));
        assertEquals(List.of(), running.findings());
        running.save();
        assertEquals(List.of(), start().findings());
    }

    @Test
    void aFileThatWasRenamedAndAJarOfAnotherVersionAreNotMissed() throws IOException {
        Files.move(state.resolve("policies/own.cedar"), state.resolve("policies/ours.cedar"));
        Files.move(state.resolve("deploy/own.jar"), state.resolve("deploy/own-2.jar"));
        assertEquals(List.of(), start().findings());
    }

    @Test
    void leftoversOfEditorsDoNotCount() throws IOException {
        for (String name : List.of(".own.cedar.swp", "own.cedar~", ".x.cedar", "README.md")) {
            write("policies/" + name);
        }
        start().save();
        for (String name : List.of(".own.cedar.swp", "own.cedar~", ".x.cedar", "README.md")) {
            Files.delete(state.resolve("policies/" + name));
        }
        assertEquals(List.of(), start().findings());
    }

    @Test
    void keysThatAreGoneAreMissed() throws IOException {
        signing = new MemoryKeys();
        assertTrue(one(start()).startsWith("The folder keys lacks published keys"));
    }

    @Test
    void aPolicySetWhoseHistoryIsGoneIsMissed() throws IOException {
        current = TWO;
        history.set(0, TWO);
        KnownState known = start();
        assertTrue(one(known).startsWith("The policy set " + ONE), one(known));
        known.save();
        one(start());
        known = start();
        one(known);
        history.add(ONE);
        assertEquals(List.of(), known.findings());
    }

    @Test
    void aPolicySetThatWasReplacedWhileTheGatewayWasStoppedIsNotMissed() throws IOException {
        current = TWO;
        history.add(0, TWO);
        KnownState known = start();
        assertEquals(List.of(), known.findings());
        known.save();
        assertEquals(List.of(), start().findings());
    }

    /** The set in force has them still, and doctor has the question already. */
    @Test
    void policiesWhoseLossIsAskedAboutAreNotMissedTwice() throws IOException {
        FileTree.remove(state.resolve("policies"));
        refused =
                Optional.of(
                        new PolicyReport(
                                PolicyReport.Outcome.NEEDS_CONFIRMATION,
                                TWO,
                                "The policies would take protection away",
                                List.of(),
                                List.of("own"),
                                0,
                                0,
                                0));
        assertEquals(List.of(), start().findings());
    }

    @Test
    void nothingIsSaidWithoutAJournal() throws IOException {
        FileTree.remove(state.resolve("conf"));
        journals = gate();
        KnownState known = start();
        assertEquals(List.of(), known.findings());
        journals.add(journal, Map.of());
        one(known);
    }

    @Test
    void whatIsMissingIsGivenUpByOneCommandForGood() throws Exception {
        FileTree.remove(state.resolve("conf"));
        FileTree.remove(state.resolve("tls"));
        signing = new MemoryKeys();
        current = TWO;
        history.set(0, TWO);
        Files.writeString(state.resolve(Manifest.NAME), "{");
        KnownState known = start();
        assertEquals(4, known.findings().size());
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertEquals(0, context.run(new StateAcceptCommand(known, state)));
        Map<String, Object> said = context.output().fieldSets().getFirst();
        assertEquals(
                List.of("conf/palyra.retention.json", "restored.json", "tls/server.pem"),
                said.get("files"));
        JsonNode event = journal.events("state_accepted").getFirst();
        assertEquals("conf/palyra.retention.json", event.path("files").path(0).asText());
        assertEquals(3, event.path("files").size());
        List<String> keys = new ArrayList<>();
        event.path("keys").forEach(key -> keys.add(key.asText()));
        assertEquals(said.get("keys"), keys);
        assertTrue(!keys.isEmpty());
        assertEquals(ONE, event.path("policySet").asText());
        assertEquals(context.principal().id(), event.path("principal").asText());
        assertEquals(List.of(), known.findings());
        assertTrue(Files.notExists(state.resolve(Manifest.NAME)));
        assertEquals(List.of(), start().findings());
        FakeCommandContext again = FakeCommandContext.builder().json().build();
        assertEquals(0, again.run(new StateAcceptCommand(known, state)));
        assertEquals(List.of("Nothing was missing."), again.output().notes());
        assertEquals(1, again.output().fieldSets().size());
        assertEquals(1, journal.events("state_accepted").size());
    }

    /** The list of a restoration that was not looked at yet has also what is there. */
    @Test
    void onlyWhatARestorationLacksIsGivenUp() throws Exception {
        Map<String, String> files = Map.of("policies/own.cedar", "", "vault/keyring", "");
        Files.write(state.resolve(Manifest.NAME), new Manifest("0.1.0", 1, 2, 0, files).json());
        FakeCommandContext context = FakeCommandContext.builder().json().build();
        assertEquals(0, context.run(new StateAcceptCommand(start(), state)));
        JsonNode event = journal.events("state_accepted").getFirst();
        assertEquals("[\"vault/keyring\"]", event.path("files").toString());
        assertEquals(2, event.path("payloadFiles").asInt());
    }

    @Test
    void whatTheJournalDidNotTakeIsMissedStill() throws Exception {
        FileTree.remove(state.resolve("conf"));
        KnownState known = start();
        one(known);
        journal.refuseUnits(ErrorCode.DISK_FULL);
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertTrue(context.run(new StateAcceptCommand(known, state)) != 0);
        one(known);
    }

    @Test
    void aJournalThatIsAwayRefusesTheCommand() throws Exception {
        journals = gate();
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertTrue(context.run(new StateAcceptCommand(start(), state)) != 0);
    }
}
