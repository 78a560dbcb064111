package palyra.gateway.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.api.run.RunState;
import palyra.gateway.internal.engine.memory.MemoryUse;
import palyra.shared.gate.Gate;

class StuckRunsTest {
    private static final List<Setback> SETBACKS =
            List.of(
                    new Setback(Setback.Kind.MESSAGE, "m1", 3, "no agent", 1, 5_000),
                    new Setback(Setback.Kind.RUN, "r1", 2, "no worker", 2, 6_000),
                    new Setback(Setback.Kind.MESSAGE, "m2", 2, "no agent", 3, 7_000));

    @Test
    void metricCountsEachKindAndThoseOfWhichThereIsNone() {
        List<Metric> metrics = StuckRuns.metrics(SETBACKS);
        assertEquals(
                List.of("duty=0.0", "message=2.0", "command=0.0", "run=1.0"),
                metrics.stream()
                        .map(each -> each.labels().get("kind") + "=" + each.value())
                        .toList());
        for (Metric metric : metrics) {
            assertEquals("palyra_gateway_set_aside", metric.name());
            assertEquals(Metric.Type.GAUGE, metric.type());
            assertEquals(Map.of("kind", metric.labels().get("kind")), metric.labels());
        }
    }

    @Test
    void doctorSaysOfEachWhatEverybodySays() {
        Gate<Journal> none = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        assertEquals(
                SETBACKS.stream().map(Setback::sentence).toList(),
                StuckRuns.findings(none, SETBACKS).stream().map(Finding::message).toList());
    }

    @Test
    void doctorNamesEachOpenQuestionThatCannotBeRead() {
        List<ApprovalRow> rows =
                Stream.of("a1", "a2", "a3").map(StuckRunsTest::unreadableQuestion).toList();
        Gate<Journal> journal = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        journal.add(withQuestions(rows), Map.of());
        assertEquals(
                List.of(
                        "palyra approvals decide a1 --deny",
                        "palyra approvals decide a2 --deny",
                        "palyra approvals decide a3 --deny"),
                StuckRuns.findings(journal, List.of()).stream().map(Finding::remedy).toList());
    }

    @Test
    void doctorNamesTheRemedyOfAQuarantinedRunOnce() {
        RunRow run =
                new RunRow(
                        "r1",
                        "s1",
                        "user:a",
                        "default",
                        "interactive",
                        "m1",
                        "chat",
                        RunState.QUARANTINED,
                        "it broke. Retry it: palyra run retry r1",
                        1,
                        0,
                        0,
                        0,
                        Optional.empty(),
                        5,
                        false);
        Gate<Journal> journal = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        journal.add(with(List.of(), List.of(run)), Map.of());
        Finding finding = StuckRuns.findings(journal, List.of()).get(0);
        assertEquals("Run r1 is QUARANTINED: " + run.reason(), finding.message());
        assertEquals("", finding.remedy());
    }

    @Test
    void doctorSaysWhichRunsHoldTheMemoryThatOthersWaitFor() {
        List<MemoryUse.Holder> largest =
                List.of(new MemoryUse.Holder("r1", 60), new MemoryUse.Holder("r2", 30));
        assertEquals(Optional.empty(), StuckRuns.memory(new MemoryUse(90, 0, 0, largest), 100));
        Finding finding =
                StuckRuns.memory(new MemoryUse(90, 3, 42_500, largest), 100).orElseThrow();
        assertEquals(
                "Turns that wait for memory: 3, the longest for 42 s. The runs hold 90 of 100"
                        + " bytes; most of it: r1 (60 bytes), r2 (30 bytes).",
                finding.message());
        assertEquals(Finding.Severity.WARNING, finding.severity());
    }

    private static ApprovalRow unreadableQuestion(String id) {
        return ApprovalRow.asked(
                id, "r1", "call-1", "s1", "user:a", "TOOL", "t", new byte[] {-1}, 1, 9_000, 0);
    }

    private static Journal withQuestions(List<ApprovalRow> rows) {
        return with(rows, List.of());
    }

    private static Journal with(List<ApprovalRow> rows, List<RunRow> quarantined) {
        return (Journal)
                Proxy.newProxyInstance(
                        StuckRunsTest.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "approvals" ->
                                            rows.stream()
                                                    .filter(row -> isAfter(row, arguments[1]))
                                                    .toList();
                                    case "runsIn" -> quarantined;
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "equals" -> self == arguments[0];
                                    default -> List.of();
                                });
    }

    private static boolean isAfter(ApprovalRow row, Object id) {
        return row.approvalId().compareTo((String) id) > 0;
    }
}
