package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.RealPaths;
import palyra.sandbox.posix.internal.spawn.Programs;

/**
 * The folder in which a process starts. Where a Landlock rule lets the process write it or a folder
 * above it, it is opened relative to the folder of the rule, so that both are the same although
 * paths may change at any moment; otherwise it is found by its path. For one thread at a time.
 */
public final class StartFolder implements AutoCloseable {
    private final Libc libc;
    private final Optional<PathRule> rule;
    private final int ruled;
    private final int place;

    private StartFolder(Libc libc, Optional<PathRule> rule, int ruled, int place) {
        this.libc = libc;
        this.rule = rule;
        this.ruled = ruled;
        this.place = place;
    }

    /**
     * Opens it.
     *
     * @param version of Landlock
     * @throws PalyraException DENIED when a link is in its path, INVALID_ARGUMENT when it is no
     *     folder, or as {@link RealPaths#open}
     */
    public static StartFolder open(Libc libc, int version, LaunchPlan plan) {
        Optional<PathRule> rule =
                plan.landlock()
                        .filter(rules -> rules.handleFiles() && version > 0)
                        .flatMap(rules -> above(rules, plan.workingFolder()));
        return rule.isEmpty()
                ? new StartFolder(libc, rule, -1, -1)
                : open(libc, rule.get(), plan.workingFolder());
    }

    private static Optional<PathRule> above(Landlock rules, String folder) {
        return rules.paths().stream()
                .filter(rule -> rule.access() == Access.WRITE)
                .filter(rule -> folder.equals(rule.path()) || folder.startsWith(rule.path() + "/"))
                .findFirst();
    }

    private static StartFolder open(Libc libc, PathRule rule, String text) {
        try (Arena arena = new Arena()) {
            Pointer top = arena.string(Descriptors.bytes(rule.path(), "A path of a sandbox rule"));
            int ruled = RealPaths.open(libc, top, rule.path());
            if (ruled < 0) {
                throw Programs.notAFolder(text);
            }
            int place = text.equals(rule.path()) ? ruled : below(libc, ruled, rule, text);
            return new StartFolder(libc, Optional.of(rule), ruled, place);
        }
    }

    private static int below(Libc libc, int ruled, PathRule rule, String text) {
        int place = -1;
        try (Arena arena = new Arena()) {
            String below = text.substring(rule.path().length() + 1);
            Pointer path = arena.string(Descriptors.bytes(below, "The working folder"));
            place = RealPaths.below(libc, ruled, path, text);
        } finally {
            if (place < 0) {
                libc.close(ruled);
            }
        }
        if (place < 0) {
            throw Programs.notAFolder(text);
        }
        return place;
    }

    /** Returns its descriptor; -1 when it is found by its path. */
    public int place() {
        return place;
    }

    /** Refuses when the Landlock rule is on another folder. */
    void requireRulesOn(Rulesets.Lease rules) {
        if (ruled >= 0 && !rules.isOn(rule.get().path(), ruled)) {
            throw replaced(rule.get().path());
        }
    }

    /** Returns the exception for a folder that is not the one of its Landlock rule. */
    static PalyraException replaced(String path) {
        return new PalyraException(
                ErrorCode.DENIED,
                "The folder "
                        + path
                        + " was replaced during the start of a command in it, so the command was"
                        + " not started.");
    }

    @Override
    public void close() {
        if (ruled >= 0) {
            libc.close(ruled);
        }
        if (place != ruled) {
            libc.close(place);
        }
    }
}
