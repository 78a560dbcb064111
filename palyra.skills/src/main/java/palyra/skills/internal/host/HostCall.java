package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.Require;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.shared.json.Jcs;

/**
 * State of the host functions for one start of a call on an engine. A call that is started again on
 * another engine gets a new one. Thread-safe where it says so.
 */
public final class HostCall {
    private final CallScope scope;
    private final byte[] input;
    private final boolean command;
    private final Buffers buffers;
    private final CallOutput output = new CallOutput();

    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed; // guarded by lock
    private boolean effects; // guarded by lock
    private Integer exitCode; // guarded by lock; null unless the module ended itself

    /**
     * Creates one.
     *
     * @param input the validated input; not copied
     * @param command whether it is a WASI command, whose standard output is the answer
     */
    public HostCall(CallScope scope, byte[] input, boolean command) {
        this.scope = Require.present(scope, "scope");
        this.input = Require.present(input, "input");
        this.command = command;
        this.buffers = new Buffers(input, () -> context(scope));
    }

    private static byte[] context(CallScope scope) {
        ObjectNode context = JsonNodeFactory.instance.objectNode();
        context.put("abi", 1);
        context.put("skill", scope.skill().skill());
        context.put("version", scope.skill().version());
        context.put("tool", scope.tool());
        context.put("call", scope.callId());
        context.put("attempt", scope.attempt());
        return Jcs.text(context).getBytes(StandardCharsets.UTF_8);
    }

    CallScope scope() {
        return scope;
    }

    byte[] input() {
        return input;
    }

    boolean command() {
        return command;
    }

    Buffers buffers() {
        return buffers;
    }

    /** Returns what it put out. */
    public CallOutput output() {
        return output;
    }

    /** Ends the call when it was given up: nothing that a host function does counts any more. */
    void requireOpen() {
        lock.lock();
        try {
            if (closed) {
                throw new WasmStop(WasmEnding.CANCELLED, "The call has ended.");
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks the first side effect: from here on the call is never started again. Ends the call when
     * it was given up already.
     */
    void beginEffect() {
        lock.lock();
        try {
            requireOpen();
            effects = true;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps the number by which the module ended itself. */
    void exit(int code) {
        lock.lock();
        try {
            exitCode = code;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number by which the module ended itself; empty when it did not. Thread-safe. */
    public OptionalInt exitCode() {
        lock.lock();
        try {
            return exitCode == null ? OptionalInt.empty() : OptionalInt.of(exitCode);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Abandons the call: later host functions end it. Thread-safe.
     *
     * @return whether something outside may have been changed
     */
    public boolean close() {
        lock.lock();
        try {
            closed = true;
            return effects;
        } finally {
            lock.unlock();
        }
    }
}
