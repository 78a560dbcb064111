package palyra.console.internal.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalView;
import palyra.api.core.access.AccessRequest;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.tape.TapeRecord;
import palyra.console.internal.Seams;
import palyra.console.internal.run.card.StoryBuilder;
import palyra.shared.hash.Ulids;

/** Reads runs for readers, within bounds. Thread-safe. */
final class RunReading {
    /** Payload bytes of one run that a page shows; the tape's own pages show all of it. */
    static final long MAX_BYTES = 4L << 20;

    private static final int PAGE = 500;
    private static final int MOST_APPROVALS = 50;

    private final Seams seams;

    RunReading(Seams seams) {
        this.seams = seams;
    }

    /** Returns a run; NOT_FOUND also for one of another principal. */
    RunView run(Principal reader, String runId) {
        requireId("run", runId);
        return seams.runs()
                .call(front -> front.run(reader, runId))
                .orElseThrow(() -> notFound("run", runId));
    }

    static void requireId(String kind, String id) {
        Require.that(
                Ulids.isUlid(id),
                "'"
                        + (id.length() > 40 ? id.substring(0, 40) + "…" : id)
                        + "' is not the id of a "
                        + kind
                        + ": 26 characters, as the lists show them");
    }

    static PalyraException notFound(String kind, String id) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "There is no "
                        + kind
                        + " "
                        + id
                        + " of yours; look for it in the list of "
                        + kind
                        + "s.");
    }

    /** Reads a run's story. */
    RunPart part(Principal reader, RunView run, String place) {
        StoryBuilder story = new StoryBuilder();
        long bytes = 0;
        boolean more = true;
        while (more && bytes < MAX_BYTES) {
            long after = story.lastSeq();
            List<TapeRecord> page =
                    seams.runs().call(front -> front.tape(reader, run.runId(), after, PAGE));
            for (TapeRecord record : page) {
                story.take(record);
                bytes += record.payload() == null ? 0 : record.payload().length;
            }
            more = !page.isEmpty();
        }
        RunView now = run.state().terminal() ? run : run(reader, run.runId());
        return new RunPart(
                now,
                story.items(),
                more,
                story.finishedTurn(),
                story.lastSeq(),
                now.state() == RunState.AWAITING_APPROVAL || now.state() == RunState.RUNNING
                        ? approvals(reader, now.runId())
                        : Map.of(),
                !now.state().terminal() && may(reader, "run.cancel", now),
                place,
                "");
    }

    private Map<String, ApprovalView> approvals(Principal reader, String runId) {
        Map<String, ApprovalView> found = new LinkedHashMap<>();
        try {
            seams.approvals()
                    .call(front -> front.pending(reader, runId, "", MOST_APPROVALS))
                    .forEach(view -> found.put(view.approvalId(), view));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.DENIED) {
                throw e;
            }
        }
        return found;
    }

    private boolean may(Principal reader, String action, RunView run) {
        return may(reader, action, "run:" + run.runId(), run.principal());
    }

    /** Returns whether a link or form is worth showing. */
    boolean may(Principal reader, String action, String resource, String owner) {
        return seams.access()
                .call(
                        access ->
                                access.wouldAllow(
                                        new AccessRequest(
                                                reader, action, resource, owner, Map.of())));
    }
}
