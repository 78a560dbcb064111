package palyra.sandbox.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalScope;
import palyra.api.command.Command;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.sandbox.internal.canary.Canaries;
import palyra.sandbox.internal.canary.CanaryJournal;
import palyra.sandbox.internal.canary.CanaryReport;
import palyra.sandbox.internal.process.ProcessToolFixture;
import palyra.shared.gate.Gate;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** The commands, over ordinary processes in place of sandboxes. */
abstract class SandboxCommandsFixture {
    @TempDir Path folder;
    final MemoryJournal journal = new MemoryJournal();
    final MemoryKeys keys = new MemoryKeys();
    private final Gate<Journal> journalGate =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keyGate = new Gate<>("the keys", ErrorCode.KEYS_UNAVAILABLE, 0);
    volatile boolean holds = true;
    ProcessToolFixture desk;
    Canaries canaries;
    List<Command> commands;

    @BeforeEach
    void open() {
        journalGate.add(refusingTheInterrupted(), Map.of());
        keyGate.add(keys, Map.of());
        desk = new ProcessToolFixture(folder, Map.of());
        canaries =
                new Canaries(
                        desk.backends,
                        new CanaryJournal(journalGate, keyGate),
                        () -> 3_600_000,
                        System::currentTimeMillis,
                        0);
        canaries.begin(
                (backend, status) ->
                        new CanaryReport(
                                "id-" + System.nanoTime(),
                                backend.tier(),
                                backend.executor(),
                                status.fingerprint(),
                                "strict tier=fake",
                                System.currentTimeMillis(),
                                List.of(
                                        new CanaryReport.ProbeResult(
                                                "read_outside",
                                                holds
                                                        ? CanaryReport.State.HELD
                                                        : CanaryReport.State.BROKEN,
                                                holds ? "" : "It got out.")),
                                List.of("unix_socket (socat is not installed)")),
                () -> {});
        canaries.startNow();
        commands =
                new CommandServices(
                                desk.service,
                                desk.backends,
                                canaries,
                                desk.accessGate,
                                journalGate,
                                keyGate)
                        .commands();
        desk.access.answering(question -> answer(Verdict.ALLOW, Confinement.STRICTEST));
    }

    /** As the store does, whose callers wait for its writer. */
    private Journal refusingTheInterrupted() {
        return (Journal)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (self, method, arguments) -> {
                            if (Thread.currentThread().isInterrupted()) {
                                throw new PalyraException(ErrorCode.TIMED_OUT, "interrupted");
                            }
                            try {
                                return method.invoke(journal, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @AfterEach
    void close() {
        canaries.close();
        desk.close();
    }

    static ToolPolicyDecision answer(Verdict verdict, Confinement confinement) {
        return answer(verdict, confinement, Set.of("group:operator"), false, 1);
    }

    static ToolPolicyDecision answer(
            Verdict verdict,
            Confinement confinement,
            Set<String> approvers,
            boolean others,
            int quorum) {
        boolean ask = verdict == Verdict.APPROVAL_REQUIRED;
        PolicyDecision policy =
                new PolicyDecision(
                        ask
                                ? PolicyDecision.Outcome.ALLOW_IF_APPROVED
                                : verdict == Verdict.ALLOW
                                        ? PolicyDecision.Outcome.ALLOW
                                        : PolicyDecision.Outcome.DENY,
                        "policy.test",
                        "The policy says " + verdict + ".",
                        "",
                        List.of("p1"),
                        List.of(),
                        ask
                                ? Optional.of(
                                        new ApprovalTerms(
                                                approvers,
                                                others,
                                                1_000,
                                                Set.of(ApprovalScope.values()[0]),
                                                quorum))
                                : Optional.empty(),
                        confinement,
                        PolicyDecision.Confirmation.NOT_NEEDED,
                        "set",
                        1,
                        "{}");
        return new ToolPolicyDecision(
                verdict,
                "policy.test",
                "The policy says " + verdict + ".",
                "POLICY",
                List.of("p1"),
                "{\"snapshot\":1}",
                Optional.of(policy));
    }

    int run(FakeCommandContext context, String name) throws Exception {
        Command command =
                commands.stream()
                        .filter(one -> one.spec().name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return context.run(command);
    }

    static FakeCommandContext.Builder line(String... words) {
        return FakeCommandContext.builder().positionals(words);
    }

    FakeCommandContext ran(int exitCode, FakeCommandContext.Builder builder) throws Exception {
        FakeCommandContext context = builder.build();
        assertEquals(
                exitCode, run(context, "sandbox run"), String.valueOf(context.output().notes()));
        return context;
    }

    int starts() {
        return desk.tierB.starts.get() + desk.tierC.starts.get();
    }

    static String said(FakeCommandContext context) {
        return String.join("\n", context.output().notes());
    }

    JsonNode event(String type) {
        return journal.events(type).get(0);
    }
}
