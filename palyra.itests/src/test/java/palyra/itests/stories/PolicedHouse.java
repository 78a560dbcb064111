package palyra.itests.stories;

import static org.junit.Assert.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.osgi.framework.ServiceRegistration;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** A house with an agent, a tool that reads files, and a folder of policies. */
public abstract class PolicedHouse {
    static final String JAR = "palyra.story.jar.palyra.policy";
    static final String AGENT = "policed";
    static final String PEEK = "story.peek";
    static final String NEEDLE = "needle-4711";
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final Principal OPERATOR = operator(Set.of());
    static final Principal ENTITLED =
            operator(Set.of("run.start", "run.read", "tool.allow_sensitive"));

    final AtomicInteger peeks = new AtomicInteger();
    House house;
    ServiceRegistration<Tool> tool;

    static Principal operator(Set<String> scopes) {
        return new Principal(
                "user:olga", PrincipalKind.USER, Set.of("operator"), scopes, "token:story");
    }

    /** A tool that reads files, as it says. */
    final class Peek implements Tool {
        @Override
        public ToolDescriptor descriptor() {
            return new ToolDescriptor(
                    PEEK,
                    "Peeks.",
                    "{\"type\":\"object\"}",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    5_000,
                    4_096);
        }

        @Override
        public ToolResult execute(ToolInvocation invocation) {
            peeks.incrementAndGet();
            return ToolResult.of("{\"seen\":true}");
        }
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        tool = house.context().registerService(Tool.class, new Peek(), null);
        if (house.client().run("agents", "show", AGENT).exit() != 0) {
            run(
                            "agents",
                            "create",
                            AGENT,
                            "--test",
                            "true",
                            "--tool",
                            "palyra.echo",
                            "--tool",
                            "palyra.sleep",
                            "--tool",
                            PEEK)
                    .ok();
        }
        Wait.until("policies in force", () -> run("policy", "status").exit() == 0);
    }

    @After
    public void close() throws Exception {
        tool.unregister();
        house.bundle("palyra.policy").start();
        try (var files = Files.list(folder())) {
            for (Path file : files.filter(path -> path.toString().endsWith(".cedar")).toList()) {
                Files.delete(file);
            }
        }
        Wait.until(
                "the defaults to be back",
                PATIENCE,
                () -> confirmed() && run("doctor").exit() == 0,
                this::doctorSays);
    }

    /** What a test's policy forbade is given up by naming the set that lacks it. */
    boolean confirmed() throws IOException {
        JsonNode report = run("policy", "reload", "--json").json();
        if (!report.path("outcome").asText().equals("needs_confirmation")) {
            return Set.of("applied", "unchanged").contains(report.path("outcome").asText());
        }
        String digest = report.path("sha256").asText();
        return run("policy", "reload", "--confirm", digest).exit() == 0;
    }

    String doctorSays() {
        try {
            return run("doctor").out();
        } catch (IOException e) {
            return e.toString();
        }
    }

    CommandClient.Result run(String... argv) throws IOException {
        return house.client().run(argv);
    }

    Path folder() throws IOException {
        return Files.createDirectories(house.state().resolve("policies"));
    }

    void save(String name, String text) throws IOException {
        Files.writeString(folder().resolve(name), text);
    }

    static String calling(String toolName, String input) {
        return "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\""
                + toolName
                + "\",\"input\":"
                + input
                + "}}],[{\"say\":\"done\"}]]}";
    }

    static String echoing() {
        return calling("palyra.echo", "{\"text\":\"" + NEEDLE + "\"}");
    }

    /** Sends a script and returns the run's id once it has ended. */
    String ended(Principal who, String script, boolean allowSensitive) throws Exception {
        String messageId =
                house.with(Runs.class, runs -> runs.submit(who, message(script, allowSensitive)))
                        .messageId();
        return ended(who, messageId);
    }

    static SubmittedMessage message(String script, boolean allowSensitive) {
        return new SubmittedMessage(
                "story",
                "",
                "",
                "",
                "",
                "",
                AGENT,
                script,
                "background",
                true,
                "",
                "",
                false,
                "",
                allowSensitive);
    }

    String ended(Principal who, String messageId) throws Exception {
        List<String> found = new ArrayList<>(List.of(""));
        Wait.until(
                "the run to end",
                PATIENCE,
                () -> {
                    found.set(0, runOf(who, messageId));
                    return !found.get(0).isEmpty() && state(who, found.get(0)).terminal();
                },
                () -> "run " + found.get(0));
        assertEquals(RunState.SUCCEEDED, state(who, found.get(0)));
        return found.get(0);
    }

    /** Sends a script and returns the run's id once it waits for a person. */
    String asked(Principal who, String script, boolean allowSensitive) throws Exception {
        String messageId =
                house.with(Runs.class, runs -> runs.submit(who, message(script, allowSensitive)))
                        .messageId();
        Wait.until(
                "a person to be asked",
                PATIENCE,
                () -> {
                    String runId = runOf(who, messageId);
                    return !runId.isEmpty() && state(who, runId) == RunState.AWAITING_APPROVAL;
                },
                this::doctorSays);
        return runOf(who, messageId);
    }

    /** Answers the only question of a run, for its call alone, and waits for the run to end. */
    void answer(String runId, boolean granted) throws Exception {
        List<ApprovalView> open =
                house.with(Approvals.class, all -> all.pending(OPERATOR, runId, "", 10));
        assertEquals(1, open.size());
        ApprovalAnswer answer =
                new ApprovalAnswer(
                        open.get(0).approvalId(), granted, ApprovalScope.ONCE, 0, "a story");
        house.with(Approvals.class, all -> all.decide(OPERATOR, answer));
        Wait.until(
                "the run to go on and end",
                PATIENCE,
                () -> state(OPERATOR, runId) == RunState.SUCCEEDED,
                this::doctorSays);
    }

    String runOf(Principal who, String messageId) throws Exception {
        return house.with(Runs.class, runs -> runs.submission(who, messageId)).runId();
    }

    RunState state(Principal who, String runId) throws Exception {
        return house.with(Runs.class, runs -> runs.run(who, runId)).orElseThrow().state();
    }

    List<JsonNode> records(String stream, String type) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        long after = 0;
        List<TapeRecord> page;
        do {
            long from = after;
            page = house.with(Journal.class, journal -> journal.tape(stream, from, 500));
            for (TapeRecord record : page) {
                after = record.seq();
                if (record.type().equals(type)) {
                    found.add(
                            CommandClient.JSON.readTree(
                                    new String(record.payload(), StandardCharsets.UTF_8)));
                }
            }
        } while (!page.isEmpty());
        return found;
    }

    JsonNode decision(String runId) throws Exception {
        List<JsonNode> decisions = records(runId, "tool_decision");
        assertEquals(1, decisions.size());
        return decisions.get(0);
    }

    static String verdict(JsonNode decision) {
        return decision.path("verdict").asText() + " " + decision.path("reasonCode").asText();
    }
}
