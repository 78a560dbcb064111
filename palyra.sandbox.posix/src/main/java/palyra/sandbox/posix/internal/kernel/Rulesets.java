package palyra.sandbox.posix.internal.kernel;

import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Keeps rulesets for further calls with the same rules, because to ask where 35 paths lead is a
 * third of the work of making one. A ruleset holds on to the files that its rules are on, so one
 * whose paths still lead to the same devices and inodes is what would be made now. Who restricts
 * himself by one gets a scope of his own every time. Thread-safe.
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

    private record Ruleset(Landlock wanted, int descriptor, Places places) {
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
     * A ruleset that stays open until it is given back.
     *
     * @param of which
     */
    record Lease(ResourceCache.Lease<Ruleset> of) implements AutoCloseable {
        int descriptor() {
            return of.read(Ruleset::descriptor);
        }

        /** Returns whether the rule on a path is on the file or folder that is open. */
        boolean isOn(String path, int opened) {
            return of.read(ruleset -> ruleset.places().led(path, opened));
        }

        @Override
        public void close() {
            of.close();
        }
    }

    /**
     * Returns the ruleset of one call: files and scopes; empty when there is nothing to restrict.
     *
     * @throws PalyraException TOOL_UNAVAILABLE or RESOURCE_EXHAUSTED when the kernel refuses it
     */
    Optional<Lease> take(Landlock wanted) {
        return cache.take(each -> each.isFor(wanted), Ruleset::isFresh, () -> make(wanted))
                .map(Lease::new);
    }

    private Optional<Ruleset> make(Landlock wanted) {
        Places places = new Places(libc);
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

    /** Gives all back; what is in use, once it is not. */
    @Override
    public void close() {
        cache.close();
    }
}
