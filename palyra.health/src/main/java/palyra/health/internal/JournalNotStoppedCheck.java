package palyra.health.internal;

import java.util.Map;
import java.util.Optional;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.shared.readiness.Startup;

/**
 * Liveness check: the journal has not stopped. A journal that is briefly absent, full or read-only
 * is only a warning, because a restart would not help.
 */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + JournalNotStoppedCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.LIVE
        })
public final class JournalNotStoppedCheck implements HealthCheck {
    static final String NAME = "journal-not-stopped";

    private final JournalStates journal = new JournalStates();

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, ?> properties) {
        journal.gate().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindJournal(Journal service) {
        journal.gate().remove(service);
    }

    @Override
    public Result execute() {
        Optional<JournalStatus> status = journal.status();
        if (status.isEmpty()) {
            return new Result(Result.Status.WARN, "The journal is not available.");
        }
        JournalStatus found = status.get();
        if (found.state() == JournalStatus.State.STOPPED && Startup.goesOn()) {
            return new Result(Result.Status.WARN, "The journal is starting. " + found.detail());
        }
        return switch (found.state()) {
            case OPEN -> new Result(Result.Status.OK, "The journal reads and writes.");
            case READ_ONLY, DISK_FULL ->
                    new Result(Result.Status.WARN, "The journal is read-only. " + found.detail());
            case STOPPED ->
                    new Result(
                            Result.Status.CRITICAL, "The journal has stopped. " + found.detail());
        };
    }
}
