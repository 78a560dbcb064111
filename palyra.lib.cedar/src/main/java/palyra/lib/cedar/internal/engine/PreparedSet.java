package palyra.lib.cedar.internal.engine;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.PreparedPolicySet;

/**
 * A policy set kept by native code under an id. It is let go exactly once: by {@link #close}, or by
 * the cleaner once this object is unreachable. A call holds it until its answer is there.
 */
final class PreparedSet implements PreparedPolicySet {
    private final Caller caller;
    private final IntSupplier limitBytes;
    private final String id;
    private final boolean hasSchema;
    private final DecisionReader reader;
    private final Cleaner.Cleanable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Runs work on the thread that asks this set. */
    interface Caller {
        <T> T call(Callable<T> work);
    }

    /**
     * @param limitBytes bytes of a request
     */
    PreparedSet(
            Caller caller,
            IntSupplier limitBytes,
            String id,
            boolean hasSchema,
            DecisionReader reader,
            Cleaner cleaner,
            Runnable release) {
        this.caller = caller;
        this.limitBytes = limitBytes;
        this.id = id;
        this.hasSchema = hasSchema;
        this.reader = reader;
        this.release = cleaner.register(this, release);
    }

    /** Hands the set to native code; does nothing when the caller has given up meanwhile. */
    void keep(Map<String, Object> policies, Optional<SchemaText> schema)
            throws NativeCalls.Refusal {
        if (closed.get()) {
            return;
        }
        NativeCalls.keepPolicies(id, policies);
        if (schema.isPresent()) {
            NativeCalls.keepSchema(id, schema.get().string(), !schema.get().isJson());
        }
    }

    @Override
    public CedarDecision decide(String requestJson) {
        try {
            if (closed.get()) {
                throw closedAlready();
            }
            Map<String, Object> request =
                    DecisionRequest.read(requestJson, limitBytes.getAsInt(), hasSchema);
            request.put("preparsedPolicySetId", id);
            if (hasSchema) {
                request.put("preparsedSchemaName", id);
            }
            return caller.call(() -> ask(request));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private CedarDecision ask(Map<String, Object> request) {
        if (closed.get()) {
            throw closedAlready();
        }
        return reader.read(NativeCalls.operation("StatefulAuthorizationOperation", request));
    }

    private static CedarException closedAlready() {
        return new CedarException(
                Reason.CLOSED,
                "A decision was asked of a policy set that was closed; prepare it again.");
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.clean();
        }
    }
}
