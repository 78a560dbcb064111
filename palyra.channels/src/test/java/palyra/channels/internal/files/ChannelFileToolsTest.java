package palyra.channels.internal.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.access.Confinement;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.files.FileTools;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.StrictJson;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.tool.FactsDigest;
import palyra.testing.access.FakeAccess;
import palyra.testing.channel.FakePlatform;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.sandbox.Launchers;

/** Files come into the workspace and leave it, by calls of the session that they belong to. */
class ChannelFileToolsTest {
    private static final String SURFACE = "fake:main";
    private static final byte[] PLAN = "the plan".getBytes(StandardCharsets.UTF_8);
    private static final Conversation ROOM = Conversation.group("room", "Room");
    private static final Ulids IDS = new Ulids();

    @TempDir Path temp;
    private final ManualClock clock = new ManualClock(System.currentTimeMillis());
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final Gate<WorkspaceFiles> workspaces =
            new Gate<>("Workspaces", ErrorCode.TOOL_UNAVAILABLE, 0);
    private final FakeAccess rights = new FakeAccess(FakeAccess.Use.CHANGE);
    private final FakePlatform platform = new FakePlatform();
    private Optional<Connector> connector;
    private int maxFileBytes = 100;
    private long maxHeldBytes = 1_000;
    private Path workspace;
    private HeldFiles held;
    private ConfinedTool fetch;
    private ConfinedTool send;

    @BeforeEach
    void open() throws Exception {
        gate.add(journal, Map.of());
        access.add(rights, Map.of());
        Workspaces folders = new Workspaces(temp.toRealPath().resolve("w"), Map.of(), List.of());
        workspace = folders.of("agent");
        Gate<FolderCalls> calls = new Gate<>("Folders", ErrorCode.TOOL_UNAVAILABLE, 0);
        calls.add(Launchers.folders(), Map.of());
        workspaces.add(
                new FileTools(() -> folders, () -> ProtectedPaths.NONE, calls, (path, bytes) -> {})
                        .files(),
                Map.of());
        connected(Feature.FILES_IN, Feature.FILES_OUT);
        held = new HeldFiles(temp.resolve("held"), gate, () -> maxHeldBytes, clock);
        List<ConfinedTool> tools =
                new ChannelFiles(
                                gate,
                                access,
                                workspaces,
                                name -> connector.filter(one -> one.id().toString().equals(name)),
                                held,
                                () -> maxFileBytes)
                        .tools();
        fetch = tools.get(0);
        send = tools.get(1);
    }

    private void connected(Feature... features) {
        connector =
                Optional.of(platform.connector(SURFACE, ConnectorCapabilities.of(64, features)));
    }

    private static SubmittedMessage message(String id, MessageOrigin origin) {
        return new SubmittedMessage(
                SURFACE,
                id,
                "",
                "key",
                "",
                SURFACE,
                "agent",
                "look",
                "",
                false,
                "",
                "",
                false,
                "",
                false,
                origin,
                WhileRunning.QUEUE);
    }

    /** A message with files is answered by a run of a session. */
    private void run(String runId, String session, String messageId, Attachment... files) {
        MessageOrigin origin =
                new MessageOrigin(
                        ROOM, new Sender("bert", "Bert", false, true), "", "", "", List.of(files));
        InboxRow row =
                new InboxRow(
                        IDS.next(),
                        SURFACE,
                        "/" + messageId,
                        "user:anna",
                        SubmissionCodec.storedBytes(message(messageId, origin), Set.of()),
                        InboxRow.State.ROUTED,
                        runId,
                        "",
                        0,
                        ROOM.id(),
                        "bert");
        journal.commit(Unit.of(new Operation.PutInbox(row)));
        insert(runId, session, row.messageId(), SURFACE, RunState.RUNNING);
    }

    private void insert(
            String runId, String session, String messageId, String surface, RunState state) {
        if (journal.session(session).isEmpty()) {
            journal.commit(
                    Unit.of(
                            new Operation.InsertSession(
                                    new SessionView(
                                            session,
                                            "key-" + session,
                                            "",
                                            "user:anna",
                                            "",
                                            surface,
                                            "agent",
                                            0,
                                            0,
                                            0,
                                            ""))));
        }
        journal.commit(
                Unit.of(
                        new Operation.InsertRun(
                                runId,
                                session,
                                "user:anna",
                                "agent",
                                "interactive",
                                messageId,
                                surface,
                                state,
                                0)));
    }

    private static Attachment plan() {
        return new Attachment("../plan.txt", "text/plain", PLAN.length, "ref-1");
    }

    private static String idOfPlan() {
        return FileTexts.id(SURFACE, "m1", 0);
    }

    private ToolExamination examine(ConfinedTool tool, String session, String input) {
        return tool.examine(
                new ToolProposed(tool.descriptor().name(), input, session, "user:anna", "agent"));
    }

    private ConfinedResult call(ConfinedTool tool, String run, String session, String input)
            throws Exception {
        return call(tool, run, session, input, "call-" + IDS.next(), "");
    }

    private ConfinedResult call(
            ConfinedTool tool, String run, String session, String input, String call, String facts)
            throws Exception {
        return tool.run(
                new ToolOrder(
                        tool.descriptor().name(),
                        new ToolInvocation(call, 1, run, session, "user:anna", input, 0),
                        "agent",
                        Set.of("integrator"),
                        Confinement.STRICTEST,
                        facts,
                        false));
    }

    private static JsonNode done(ConfinedResult result) {
        assertEquals(Outcome.SUCCEEDED, result.outcome(), result.result().error());
        return StrictJson.parse(result.result().outputJson(), "the output");
    }

    private static String failed(ConfinedResult result) {
        assertEquals(Outcome.FAILED, result.outcome(), result.result().outputJson());
        return result.result().error();
    }

    @Test
    void aFileOfTheSessionIsFetchedIntoTheWorkspace() throws Exception {
        run("run-1", "s1", "m1", plan());
        platform.attach("ref-1", PLAN);
        String input = "{\"id\":\"" + idOfPlan() + "\"}";
        ToolExamination.Facts facts =
                assertInstanceOf(ToolExamination.Facts.class, examine(fetch, "s1", input));
        assertEquals(Set.of(workspace + "/attachments/plan.txt"), facts.facts().writePaths());
        assertTrue(facts.description().summary().contains("fake:main"));
        String digest = FactsDigest.of(facts.facts());
        JsonNode output = done(call(fetch, "run-1", "s1", input, "c1", digest));
        assertEquals("attachments/plan.txt", output.path("path").asText());
        assertEquals(PLAN.length, output.path("bytes").asInt());
        assertEquals("text/plain", output.path("media_type").asText());
        assertEquals(Digests.sha256Hex(PLAN), output.path("sha256").asText());
        assertArrayEquals(PLAN, Files.readAllBytes(workspace.resolve("attachments/plan.txt")));
        assertTrue(failed(call(fetch, "run-1", "s1", input)).contains("exists already"));
        String over = "{\"id\":\"" + idOfPlan() + "\",\"overwrite\":true}";
        assertEquals("replaced", done(call(fetch, "run-1", "s1", over)).path("change").asText());
    }

    @Test
    void aLaterRunOfTheSessionFetchesItTooAndAnotherSessionDoesNot() throws Exception {
        run("run-1", "s1", "m1", plan());
        insert("run-2", "s1", "", "shell", RunState.ACCEPTED);
        run("run-3", "s2", "m2");
        platform.attach("ref-1", PLAN);
        String input = "{\"id\":\"" + idOfPlan() + "\",\"path\":\"in/plan.txt\"}";
        ToolExamination.Refused refused =
                assertInstanceOf(ToolExamination.Refused.class, examine(fetch, "s2", input));
        assertEquals("channels.file_not_found", refused.reasonCode());
        assertTrue(
                failed(call(fetch, "run-3", "s2", input)).contains("No message of this session"));
        assertEquals("in/plan.txt", done(call(fetch, "run-2", "s1", input)).path("path").asText());
    }

    @Test
    void whatThePlatformSaysOfTheSizeIsNotTrusted() throws Exception {
        run(
                "run-1",
                "s1",
                "m1",
                new Attachment("small", "", 1, "ref-1"),
                new Attachment("large", "", 101, "ref-2"));
        platform.attach("ref-1", new byte[101]);
        String first = "{\"id\":\"" + idOfPlan() + "\"}";
        assertTrue(failed(call(fetch, "run-1", "s1", first)).contains("more than 100 bytes"));
        String second = "{\"id\":\"" + FileTexts.id(SURFACE, "m1", 1) + "\"}";
        assertTrue(failed(call(fetch, "run-1", "s1", second)).contains("maxFileBytes"));
        assertFalse(Files.exists(workspace.resolve("attachments")));
    }

    @Test
    void withoutTheConnectorItIsSaidSo() throws Exception {
        run("run-1", "s1", "m1", plan());
        String input = "{\"id\":\"" + idOfPlan() + "\"}";
        connected();
        assertTrue(failed(call(fetch, "run-1", "s1", input)).contains("cannot fetch files"));
        connector = Optional.empty();
        assertTrue(failed(call(fetch, "run-1", "s1", input)).contains("try again later"));
        connected(Feature.FILES_IN);
        assertTrue(failed(call(fetch, "run-1", "s1", input)).contains("no such file"));
    }

    @Test
    void inputThatIsNotUsableIsRefusedBeforeTheDecision() {
        run("run-1", "s1", "m1", plan());
        for (String input :
                List.of(
                        "{}",
                        "{\"id\":7}",
                        "{\"id\":\"" + idOfPlan() + "\",\"path\":\"../x\"}",
                        "{\"id\":\"" + idOfPlan() + "\",\"overwrite\":\"perhaps\"}")) {
            if (!input.contains("perhaps")) {
                assertInstanceOf(ToolExamination.Refused.class, examine(fetch, "s1", input), input);
            }
        }
        assertInstanceOf(ToolExamination.Refused.class, examine(send, "s1", "{}"));
        assertInstanceOf(
                ToolExamination.Refused.class, examine(send, "s1", "{\"path\":\"/etc/passwd\"}"));
    }

    private List<OutboxRow> outbox() {
        return journal.outboxIn(OutboxRow.State.PENDING, SURFACE, "", 10);
    }

    private byte[] content(OutboxRow row) throws Exception {
        Outbound message = Outbound.read(row.payload());
        assertEquals(Optional.empty(), held.missing(row.outboxId(), message));
        OutboundMessage.File file = held.of(row.outboxId(), message).getFirst();
        try (var in = file.content().open()) {
            return in.readAllBytes();
        }
    }

    @Test
    void theContentOfTheCallIsSentInTheConversationOfTheRun() throws Exception {
        run("run-1", "s1", "m1");
        Files.write(workspace.resolve("report.pdf"), PLAN);
        String input = "{\"path\":\"report.pdf\",\"text\":\"The report.\"}";
        JsonNode output = done(call(send, "run-1", "s1", input));
        Files.writeString(workspace.resolve("report.pdf"), "changed afterwards");
        OutboxRow row = outbox().getFirst();
        assertEquals(output.path("outbox_id").asText(), row.outboxId());
        assertEquals(List.of("run-1", "room"), List.of(row.runId(), row.orderKey()));
        Outbound message = Outbound.read(row.payload());
        assertEquals("The report.", message.text());
        assertEquals(
                List.of(
                        new Outbound.File(
                                "report.pdf",
                                "application/pdf",
                                PLAN.length,
                                Digests.sha256Hex(PLAN))),
                message.files());
        assertArrayEquals(PLAN, content(row));
        assertEquals("channel.send", rights.requests().getLast().action());
        assertEquals("channel:fake:main", rights.requests().getLast().resource());
    }

    @Test
    void aRepeatedCallSendsNothingMore() throws Exception {
        run("run-1", "s1", "m1");
        Files.write(workspace.resolve("report.pdf"), PLAN);
        String input = "{\"path\":\"report.pdf\"}";
        JsonNode first = done(call(send, "run-1", "s1", input, "call-1", ""));
        Files.writeString(workspace.resolve("report.pdf"), "changed afterwards");
        JsonNode again = done(call(send, "run-1", "s1", input, "call-1", ""));
        assertEquals(first.path("outbox_id"), again.path("outbox_id"));
        assertEquals(1, outbox().size());
        assertArrayEquals(PLAN, content(outbox().getFirst()), "as it was at the first attempt");
        assertEquals(1, heldCount());
        assertTrue(send.mayRepeat("call-1", 1));
        done(call(send, "run-1", "s1", input, "call-2", ""));
        assertEquals(2, outbox().size());
    }

    private long heldCount() throws Exception {
        try (var found = Files.list(temp.resolve("held"))) {
            return found.count();
        }
    }

    @Test
    void nothingIsSentWhereThereIsNoConversationOrNoRight() throws Exception {
        run("run-1", "s1", "m1");
        insert("run-2", "s1", "", "shell", RunState.ACCEPTED);
        Files.write(workspace.resolve("report.pdf"), PLAN);
        String input = "{\"path\":\"report.pdf\"}";
        assertTrue(failed(call(send, "run-2", "s1", input)).contains("not asked for"));
        connected(Feature.FILES_IN);
        assertTrue(failed(call(send, "run-1", "s1", input)).contains("cannot send files"));
        connected(Feature.FILES_OUT);
        rights.deny("channel.send");
        assertTrue(
                failed(call(send, "run-1", "s1", input))
                        .contains("Policy does not allow channel.send"));
        assertEquals(List.of(), outbox());
        assertFalse(Files.exists(temp.resolve("held")));
    }

    @Test
    void whatWaitsIsBoundedAndGoesWhenItsRowIsOver() throws Exception {
        run("run-1", "s1", "m1");
        maxHeldBytes = 2 * PLAN.length;
        Files.write(workspace.resolve("report.pdf"), PLAN);
        String input = "{\"path\":\"report.pdf\"}";
        done(call(send, "run-1", "s1", input));
        done(call(send, "run-1", "s1", input));
        String full = failed(call(send, "run-1", "s1", input));
        assertTrue(full.contains("maxHeldBytes"), full);
        held.sweep();
        assertEquals(2, heldCount(), "both wait");
        move(outbox().get(0), OutboxRow.State.SENT);
        move(outbox().get(0), OutboxRow.State.FAILED);
        held.sweep();
        assertEquals(1, heldCount(), "a dead letter may be sent again");
        Path orphan = Files.write(temp.resolve("held").resolve(IDS.next()), PLAN);
        held.sweep();
        assertTrue(Files.exists(orphan), "its row may be on the way");
        clock.advance(HeldFiles.GRACE_MILLIS * 2);
        held.sweep();
        assertFalse(Files.exists(orphan));
        assertEquals(1, heldCount());
    }

    private void move(OutboxRow row, OutboxRow.State to) {
        journal.commit(
                Unit.of(
                        new Operation.MoveOutbox(
                                row.outboxId(), OutboxRow.State.PENDING, OutboxRow.State.SENDING),
                        new Operation.MoveOutbox(row.outboxId(), OutboxRow.State.SENDING, to)));
    }

    @Test
    void aContentThatIsGoneOrAnotherOneIsMissed() throws Exception {
        run("run-1", "s1", "m1");
        Files.write(workspace.resolve("report.pdf"), PLAN);
        done(call(send, "run-1", "s1", "{\"path\":\"report.pdf\"}"));
        OutboxRow row = outbox().getFirst();
        Outbound message = Outbound.read(row.payload());
        Path content = temp.resolve("held").resolve(row.outboxId());
        Files.writeString(content, "the plot");
        assertEquals(Optional.of("report.pdf"), held.missing(row.outboxId(), message));
        Files.delete(content);
        assertEquals(Optional.of("report.pdf"), held.missing(row.outboxId(), message));
    }
}
