package palyra.policy.internal.command;

import java.util.List;
import java.util.Objects;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.policy.PolicySetView;
import palyra.lib.cedar.Cedar;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.set.PolicyService;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;

/**
 * What the commands work with.
 *
 * @param sets current and earlier sets, and their changes
 * @param check the native engine's word
 * @param cedar the native engine
 * @param journal what was decided
 */
public record PolicyServices(
        PolicyService sets, NativeEngineCheck check, Gate<Cedar> cedar, Gate<Journal> journal) {
    static final String READ = "policy.read";
    static final String VALIDATE = "policy.validate";
    static final String EXPLAIN = "policy.explain";
    static final String PLAN = "policy.plan";
    static final String APPLY = "policy.apply";
    static final String ROLLBACK = "policy.rollback";
    static final String RELOAD = "policy.reload";

    private static final int SHORT = 12;
    private static final int OFFERED = 100;

    /** Checks. */
    public PolicyServices {
        Objects.requireNonNull(sets, "sets");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(cedar, "cedar");
        Objects.requireNonNull(journal, "journal");
    }

    /** Returns the set that a digest names, or the one in force for an empty text. */
    Snapshot snapshot(String sha256) {
        return sha256.isEmpty()
                ? sets.inForce()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.POLICY_UNAVAILABLE,
                                                "No policy set is in force; see palyra policy"
                                                        + " status."))
                : sets.stored(sha256);
    }

    /** Returns the engine itself: the bundle that holds it never changes while it runs. */
    Cedar engine() {
        Cedar engine = cedar.call(present -> present);
        if (!engine.status().available()) {
            throw new PalyraException(ErrorCode.POLICY_UNAVAILABLE, engine.status().reason());
        }
        return engine;
    }

    /** Offers digests of earlier sets. */
    List<String> complete(String prefix) {
        try {
            return sets.history(OFFERED).stream()
                    .map(PolicySetView::sha256)
                    .map(PolicyServices::brief)
                    .filter(sha256 -> sha256.startsWith(prefix))
                    .distinct()
                    .toList();
        } catch (PalyraException e) {
            return List.of(); // completion never complains
        }
    }

    /** Returns the beginning of a digest, as people are shown it. */
    static String brief(String sha256) {
        return sha256.length() <= SHORT ? sha256 : sha256.substring(0, SHORT);
    }
}
