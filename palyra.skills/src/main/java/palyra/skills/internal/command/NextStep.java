package palyra.skills.internal.command;

import java.util.Optional;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.SkillRecord;
import palyra.skills.internal.store.SkillState;

/** Why this Palyra does not run a version, and the operator's next step for it. */
final class NextStep {
    private final GatewayVersion gateway;

    NextStep(GatewayVersion gateway) {
        this.gateway = gateway;
    }

    /** Returns the version of Palyra that skills have to be made for. */
    GatewayVersion gateway() {
        return gateway;
    }

    /** Returns why this Palyra does not run the version in any state. */
    Optional<RefusedException> objection(SkillRecord record) {
        return gateway.objection(record.id(), record.origin().compat());
    }

    /** Returns the reason of its state, and the code of what this Palyra has against it. */
    String reasons(SkillRecord record) {
        String own = record.standing().reason();
        return objection(record)
                .map(why -> own.isEmpty() ? why.reason() : own + ", " + why.reason())
                .orElse(own);
    }

    /** Returns what an operator may do, as a sentence; empty when there is nothing. */
    static String step(Inventory inventory, SkillRecord record) {
        if (!waits(record)) {
            return "";
        }
        return "Approve it with: palyra skills enable "
                + record.id()
                + inventory
                        .active(record.id().skill())
                        .map(other -> "; until then " + other.id() + " is in use")
                        .orElse("");
    }

    private static boolean waits(SkillRecord record) {
        return record.standing().state() == SkillState.QUARANTINED
                && record.standing().reason().equals(SkillRecord.NOT_APPROVED);
    }
}
