package palyra.shell.internal.host;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palyra.api.access.Principal;

/**
 * Which approval request each caller looked at last. It is what {@code last} means in an answer:
 * the newest one may be another than the one on the screen. Kept in memory and forgotten after a
 * while, so that an answer after a swap needs another look. Thread-safe.
 */
public final class LastShown {
    /** How long a look counts, in minutes. */
    public static final int MINUTES = 15;

    private static final int MOST_CALLERS = 1_000;

    private final LongSupplier nanos;
    private final Map<String, Look> looks = new LinkedHashMap<>(); // guarded by itself

    /** Creates it empty, with the clock of the machine. */
    public LastShown() {
        this(System::nanoTime);
    }

    LastShown(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record Look(String approvalId, long atNanos) {}

    /** Another credential of the same principal is another caller. */
    private static String caller(Principal principal) {
        return principal.id() + " " + principal.credentialId();
    }

    /** A caller was shown a request that waits for an answer. */
    public void shown(Principal principal, String approvalId) {
        synchronized (looks) {
            looks.remove(caller(principal)); // so that it is the youngest
            looks.put(caller(principal), new Look(approvalId, nanos.getAsLong()));
            if (looks.size() > MOST_CALLERS) {
                looks.remove(looks.keySet().iterator().next());
            }
        }
    }

    /** Returns the id of the request that a caller looked at last; empty when that is long ago. */
    public Optional<String> of(Principal principal) {
        synchronized (looks) {
            return Optional.ofNullable(looks.get(caller(principal)))
                    .filter(
                            look ->
                                    nanos.getAsLong() - look.atNanos()
                                            < TimeUnit.MINUTES.toNanos(MINUTES))
                    .map(Look::approvalId);
        }
    }
}
