package palyra.journal.internal.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.PayloadFiles;

/** Handles the outcome of a group: completes tickets and effects. Called by the writer thread. */
public final class GroupSettlement {
    private static final Logger LOG = LoggerFactory.getLogger(GroupSettlement.class);

    private final PayloadFiles files;
    private final Deliveries deliveries;
    private final Meters meters;

    public GroupSettlement(PayloadFiles files, Deliveries deliveries, Meters meters) {
        this.files = files;
        this.deliveries = deliveries;
        this.meters = meters;
    }

    /** Wakes callers that wait, and hands everything else to the threads that run callbacks. */
    public void settle(List<Ticket<?>> group, CommitEffects effects) {
        effects.unusedFiles().forEach(this::delete);
        List<Ticket<?>> others = new ArrayList<>();
        for (Ticket<?> ticket : group) {
            settled(ticket);
            if (ticket.refused()) {
                meters.refused.increment(); // before its caller goes on
            }
            if (ticket.awaited()) {
                complete(ticket);
            } else {
                others.add(ticket);
            }
        }
        deliveries.hand(others, effects.items());
    }

    /** What one ticket's task does must not keep the outcome from its caller or from others. */
    private static void settled(Ticket<?> ticket) {
        try {
            ticket.task().settled();
        } catch (RuntimeException | Error e) {
            LOG.error("Cleaning up after a journal unit failed", e);
        }
    }

    private static void complete(Ticket<?> ticket) {
        try {
            ticket.complete();
        } catch (RuntimeException | Error e) {
            LOG.error("A listener of a journal unit failed", e);
        }
    }

    private void delete(String sha256) {
        try {
            files.delete(sha256);
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("An erased payload's file stays for now; it is tried again later", e);
        }
    }
}
