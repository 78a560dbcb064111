package palyra.health.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.felix.hc.api.Result;

/** Whether a service is available. Thread-safe. */
final class Presence {
    private final Set<Object> services =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private final String what;
    private final String remedy;

    /**
     * @param what name of the service, as the start of a sentence
     * @param remedy what its absence causes, and what to do
     */
    Presence(String what, String remedy) {
        this.what = what;
        this.remedy = remedy;
    }

    void add(Object service) {
        services.add(service);
    }

    void remove(Object service) {
        services.remove(service);
    }

    Result result() {
        return services.isEmpty()
                ? new Result(
                        Result.Status.TEMPORARILY_UNAVAILABLE,
                        what + " is not available; " + remedy)
                : new Result(Result.Status.OK, what + " is available.");
    }
}
