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

/** Readiness check: the journal takes records. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + JournalOpenCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class JournalOpenCheck implements HealthCheck {
    static final String NAME = "journal";

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
            return new Result(
                    Result.Status.TEMPORARILY_UNAVAILABLE,
                    "The journal is not available; no message is accepted: see palyra doctor.");
        }
        JournalStatus found = status.get();
        return found.state() == JournalStatus.State.OPEN
                ? new Result(Result.Status.OK, "The journal reads and writes.")
                : new Result(
                        Result.Status.CRITICAL,
                        "The journal is " + found.state() + ". " + found.detail());
    }
}
