package palyra.gateway.internal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.api.run.RunState;
import palyra.gateway.internal.engine.memory.MemoryUse;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.gate.Gate;
import palyra.shared.run.RejectedMessages;

/** Findings for operators about work that failed: work that is retried, and runs in quarantine. */
final class StuckRuns {
    private static final int MOST = 20;
    private static final int MOST_QUESTIONS = 1_000;

    private StuckRuns() {}

    static List<Finding> findings(Gate<Journal> journal, List<Setback> setbacks) {
        List<Finding> findings = new ArrayList<>();
        setbacks.stream().limit(MOST).forEach(one -> findings.add(finding(one)));
        ask(journal, StuckRuns::quarantined).forEach(run -> findings.add(finding(run)));
        ask(journal, StuckRuns::rejected).forEach(message -> findings.add(finding(message)));
        ask(journal, StuckRuns::unreadable).forEach(question -> findings.add(finding(question)));
        return findings;
    }

    private static Finding finding(Setback setback) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                setback.sentence(),
                "Remove the cause that the reason names; the gateway retries by itself.");
    }

    /** Says that turns wait for memory, and which runs hold most; nothing while none waits. */
    static Optional<Finding> memory(MemoryUse use, long limitBytes) {
        if (use.waiting() == 0) {
            return Optional.empty();
        }
        String largest =
                use.largest().stream()
                        .map(each -> each.runId() + " (" + each.bytes() + " bytes)")
                        .collect(Collectors.joining(", "));
        return Optional.of(
                new Finding(
                        Finding.Severity.WARNING,
                        "gateway",
                        "Turns that wait for memory: "
                                + use.waiting()
                                + ", the longest for "
                                + use.longestMillis() / 1_000
                                + " s. The runs hold "
                                + use.usedBytes()
                                + " of "
                                + limitBytes
                                + " bytes; most of it: "
                                + largest
                                + ".",
                        "They continue by themselves when others end. palyra run cancel RUN ends one;"
                                + " lower maxActiveRuns or raise runMemoryBytes of palyra.gateway."));
    }

    /** Returns how many of each kind there are, of none as well. */
    static List<Metric> metrics(List<Setback> setbacks) {
        return Stream.of(Setback.Kind.values()).map(kind -> metric(kind, setbacks)).toList();
    }

    private static Metric metric(Setback.Kind kind, List<Setback> setbacks) {
        return new Metric(
                "palyra_gateway_set_aside",
                "Failed work that is retried.",
                Metric.Type.GAUGE,
                Map.of("kind", kind.name().toLowerCase(Locale.ROOT)),
                setbacks.stream().filter(one -> one.kind() == kind).count());
    }

    private static Finding finding(RunRow run) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                "Run " + run.runId() + " is QUARANTINED: " + run.reason(),
                ""); // the reason names both commands
    }

    private static Finding finding(InboxRow rejected) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                RejectedMessages.sentence(rejected),
                "Its sender sees the rejection on request. Remove the cause and have it sent"
                        + " again.");
    }

    private static Finding finding(StoredApprovalRequest unreadable) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                unreadable.unreadableSentence(),
                "palyra approvals decide " + unreadable.id() + " --deny");
    }

    private static List<StoredApprovalRequest> unreadable(Journal journal) {
        List<StoredApprovalRequest> all =
                StoredApprovalRequest.unreadable(journal, "", MOST_QUESTIONS);
        return all.subList(0, Math.min(MOST, all.size()));
    }

    private static List<RunRow> quarantined(Journal journal) {
        return journal.runsIn(EnumSet.of(RunState.QUARANTINED), "", "", MOST);
    }

    private static List<InboxRow> rejected(Journal journal) {
        return RejectedMessages.ofLastDay(journal, System.currentTimeMillis(), MOST);
    }

    private static <T> List<T> ask(Gate<Journal> journal, Function<Journal, List<T>> question) {
        try {
            return journal.isPresent() ? journal.call(question::apply) : List.of();
        } catch (PalyraException e) {
            return List.of(); // the journal tells of itself
        }
    }
}
