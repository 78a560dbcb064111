package palyra.gateway.internal.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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

    boolean dead() {
        return dead;
    }

    Journal around(Journal real) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, args) -> {
                            if (dead) {
                                throw new Dead();
                            }
                            boolean write =
                                    args != null && args.length == 1 && args[0] instanceof Unit;
                            boolean last =
                                    write
                                            && counted.test((Unit) args[0])
                                            && writes.incrementAndGet() == dieAt;
                            if (last && !after) {
                                dead = true;
                                throw new Dead();
                            }
                            try {
                                Object result = method.invoke(real, args);
                                if (last) {
                                    dead = true;
                                    throw new Dead();
                                }
                                return result;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
