package palyra.sandbox.internal.process;

import java.util.Optional;
import java.util.Set;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.sandbox.internal.guard.Concern;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * What a sandbox holds by itself, whatever the arguments of a command look like; only the rest is
 * refused by look, once it is known where the command will run. Stateless.
 *
 * <p>Tier C shows no file outside of the workspace but the system's, and mounts protected paths for
 * reading. Tier B keeps files outside by Landlock, unless that may be missing. Landlock grants a
 * folder with all that is in it, so it cannot keep protected paths. An interpreter is held where
 * nothing but the workspace can be reached: in tier C with strict egress.
 */
final class Boundary {
    private Boundary() {}

    /**
     * Returns the first concern about a command that its sandbox does not hold.
     *
     * @param permitMissing features that an operator permits to be missing in tier B
     * @param allowedByPerson whether a person allowed this very call, and so the protected paths
     *     that it is known to write
     */
    static Optional<Concern> notHeld(
            ResolvedCommand command,
            Confinement where,
            Set<String> permitMissing,
            boolean allowedByPerson) {
        return command.concerns().stream()
                .filter(
                        concern ->
                                !holds(concern.kind(), where, permitMissing)
                                        && !(allowedByPerson
                                                && concern.kind() == Concern.Kind.PROTECTED))
                .findFirst();
    }

    private static boolean holds(Concern.Kind kind, Confinement where, Set<String> permitMissing) {
        boolean isolated = where.tier() == Tier.C;
        return switch (kind) {
            case INTERPRETER -> isolated && where.egress() == Egress.STRICT;
            case OUTSIDE -> isolated || !permitMissing.contains("landlock");
            case PROTECTED -> isolated;
        };
    }
}
