package palyra.gateway.internal.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;

/**
 * A journal whose process dies at a chosen write: just before it, or just after it became durable
 * and before anybody learns of it. From then on every call dies too, as if nobody were there.
 */
final class DyingJournal {
    /** What a dead process does. An error, so that no handler mistakes it for a refusal. */
    static final class Dead extends Error {
        private static final long serialVersionUID = 1L;

        Dead() {
            super("the process is dead", null, false, false);
        }
    }

    private final int dieAt;
    private final boolean after;
    private final Predicate<Unit> counted;
    private final AtomicInteger writes = new AtomicInteger();
    private volatile boolean dead;

    DyingJournal(int dieAt, boolean after, Predicate<Unit> counted) {
        this.dieAt = dieAt;
        this.after = after;
        this.counted = counted;
    }

    /** Dies now. */
    void die() {
        dead = true;
    }

    boolean dead() {
        return dead;
    }

    Journal around(Journal real) {
        return WatchedJournal.of(real, this::answer);
    }

    private Object answer(WatchedJournal.Call call) throws Throwable {
        if (dead) {
            throw new Dead();
        }
        boolean last = call.unit().filter(counted).isPresent() && writes.incrementAndGet() == dieAt;
        if (last && !after) {
            dead = true;
            throw new Dead();
        }
        Object result = call.proceed();
        if (last) {
            dead = true;
            throw new Dead();
        }
        return result;
    }
}
