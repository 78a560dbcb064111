package palyra.policy.internal.decide;

import java.util.Collection;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.policy.internal.cedar.Policy;

/**
 * Reads from the annotations of permits where a call must run. The strictest that any of them says
 * holds, for each part; where none says anything, the strictest there is.
 */
final class ConfinementAnnotations {
    static final String TIER = "tier";
    static final String EGRESS = "egress";

    private ConfinementAnnotations() {}

    /** Throws IllegalArgumentException when an annotation cannot be read. */
    static Confinement of(Collection<Policy> permits) {
        Tier tier = null;
        Egress egress = null;
        for (Policy permit : permits) {
            tier = stricter(tier, tier(permit.annotations().get(TIER)));
            egress = stricter(egress, egress(permit.annotations().get(EGRESS)));
        }
        return new Confinement(
                tier == null ? Confinement.STRICTEST.tier() : tier,
                egress == null ? Confinement.STRICTEST.egress() : egress);
    }

    private static <E extends Enum<E>> E stricter(E one, E other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Reads one annotation; throws IllegalArgumentException with a sentence. */
    static void check(String name, String value) {
        if (name.equals(TIER)) {
            tier(value);
        } else if (name.equals(EGRESS)) {
            egress(value);
        }
    }

    private static Tier tier(String value) {
        if (value == null) {
            return null;
        }
        return switch (value) {
            case "a" -> Tier.A;
            case "b" -> Tier.B;
            case "c" -> Tier.C;
            default -> throw bad(TIER, value, "use \"a\", \"b\" or \"c\"");
        };
    }

    private static Egress egress(String value) {
        if (value == null) {
            return null;
        }
        return switch (value) {
            case "none" -> Egress.NONE;
            case "preflight" -> Egress.PREFLIGHT;
            case "strict" -> Egress.STRICT;
            default -> throw bad(EGRESS, value, "use \"none\", \"preflight\" or \"strict\"");
        };
    }

    private static IllegalArgumentException bad(String name, String value, String remedy) {
        return new IllegalArgumentException(
                "The annotation @" + name + "(\"" + value + "\") cannot be read; " + remedy + ".");
    }
}
