package palyra.policy.internal.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;

/** A profile that a plan gives an agent which had another one. Thread-safe. */
final class AssumedProfile {
    /** What no policy has to name: nothing is allowed for it. */
    private static final String LOCKED = "locked";

    private final String agent;
    private final String profile; // empty for none
    private final AtomicBoolean met = new AtomicBoolean();

    private AssumedProfile(String agent, String profile) {
        this.agent = agent;
        this.profile = profile;
    }

    /**
     * Reads {@code AGENT=PROFILE}.
     *
     * @throws PalyraException INVALID_ARGUMENT
     */
    static AssumedProfile of(String text) {
        int at = text.indexOf('=');
        if (at < 1) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "--profile is '"
                            + shown(text)
                            + "': give AGENT=PROFILE, such as builder=coding");
        }
        return new AssumedProfile(text.substring(0, at), text.substring(at + 1));
    }

    /** Returns a policy request as it would be with the profile. */
    PolicyRequest in(PolicyRequest request) {
        PolicyRequest changed = request.withProfile(agent, profile);
        if (changed != request) {
            met.set(true);
        }
        return changed;
    }

    /** Returns what may be mistyped, once the plan was made. */
    List<String> doubts(Snapshot policies) {
        List<String> doubts = new ArrayList<>();
        if (!met.get()) {
            doubts.add(
                    "No decision that was replayed is about a call of the agent '"
                            + shown(agent)
                            + "': is it mistyped? palyra agents list shows the agents.");
        }
        if (!profile.isEmpty() && !profile.equals(LOCKED) && !isNamed(policies)) {
            doubts.add("No policy names the profile '" + shown(profile) + "': is it mistyped?");
        }
        return doubts;
    }

    private boolean isNamed(Snapshot policies) {
        return policies.origins().values().stream()
                .anyMatch(policy -> policy.text().contains('"' + profile + '"'));
    }

    private static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
