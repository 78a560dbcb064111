package palyra.sandbox.posix.internal.kernel;

import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Caches rulesets for calls with the same rules, because checking where 35 paths lead takes a third
 * of the time of making one. A ruleset refers to the files of its rules, so one whose paths still
 * lead to the same devices and inodes equals a new one. Each thread that is restricted by one gets
 * its own scope. Thread-safe.
 */
public final class Rulesets implements AutoCloseable {
    private final Libc libc;
    private final LandlockRules rules;
    private final ResourceCache<Ruleset> cache;

    /** Creates it. */
    public Rulesets(Libc libc, LandlockRules rules) {
        this.libc = libc;
        this.rules = rules;
        cache = new ResourceCache<>(this::giveBack);
    }

    private record Ruleset(Landlock wanted, int descriptor, PathIdentities places) {
        boolean isFor(Landlock other) {
            return wanted.handleFiles() == other.handleFiles()
                    && wanted.scoped() == other.scoped()
                    && wanted.paths().equals(other.paths());
        }

        boolean isFresh() {
            return places.unchanged();
        }
    }

    /**
     * A ruleset that stays open until it is released.
     *
     * @param of the cached ruleset
     */
    record Lease(ResourceCache.Lease<Ruleset> of) implements AutoCloseable {
        int descriptor() {
            return of.read(Ruleset::descriptor);
        }

        /** Returns whether the rule on a path is on the open file or folder. */
        boolean isOn(String path, int opened) {
            return of.read(ruleset -> ruleset.places().led(path, opened));
        }

        @Override
        public void close() {
            of.close();
        }
    }

    /**
     * Returns the ruleset of one call: files and scopes; empty when it restricts nothing.
     *
     * @throws PalyraException TOOL_UNAVAILABLE or RESOURCE_EXHAUSTED when the kernel refuses it
     */
    Optional<Lease> take(Landlock wanted) {
        return cache.take(each -> each.isFor(wanted), Ruleset::isFresh, () -> make(wanted))
                .map(Lease::new);
    }

    private Optional<Ruleset> make(Landlock wanted) {
        PathIdentities places = new PathIdentities(libc);
        int made;
        try {
            made = rules.ofCall(wanted, places);
        } catch (RuntimeException refused) {
            places.close();
            throw refused;
        }
        if (made < 0) {
            places.close();
            return Optional.empty();
        }
        return Optional.of(new Ruleset(wanted, made, places));
    }

    private void giveBack(Ruleset old) {
        libc.close(old.descriptor());
        old.places().close();
    }

    /** Closes all rulesets; those in use, once they are released. */
    @Override
    public void close() {
        cache.close();
    }
}
