package palyra.api.core.access;

import palyra.api.Require;

/**
 * Where a call that runs foreign code must run, and what it may reach from there.
 *
 * @param tier kind of sandbox
 * @param egress how the network is kept from it
 */
public record Confinement(Tier tier, Egress egress) {
    /** The strictest there is; holds where no policy says anything. */
    public static final Confinement STRICTEST = new Confinement(Tier.C, Egress.STRICT);

    /** Kinds of sandbox, from the least strict. */
    public enum Tier {
        /** WebAssembly. */
        A,
        /** Limits of the operating system. */
        B,
        /** Namespaces of the kernel. */
        C
    }

    /** Ways to keep the network away, from the least strict. */
    public enum Egress {
        /** Not at all. */
        NONE,
        /** Arguments are checked before the start. */
        PREFLIGHT,
        /** The kernel enforces it as well. */
        STRICT
    }

    /** Checks. */
    public Confinement {
        Require.present(tier, "tier");
        Require.present(egress, "egress mode");
    }

    /** Returns the stricter of each part. */
    public Confinement and(Confinement other) {
        return new Confinement(
                tier.compareTo(other.tier) >= 0 ? tier : other.tier,
                egress.compareTo(other.egress) >= 0 ? egress : other.egress);
    }
}
