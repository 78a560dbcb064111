package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.shared.json.StrictJson;

/**
 * A host function that takes a request as JSON and answers with the handle of a buffer that holds a
 * JSON object: the answer, or an error. Denials are recorded before the module reads them.
 */
final class CapabilityFunction {
    private static final String PREFIX = "host_capability_";
    private static final int MOST_REQUEST = 4 << 20;

    private final HostCall call;
    private final Denials denials;
    private final String name;
    private final Capability capability;

    private CapabilityFunction(HostCall call, Denials denials, String name, Capability capability) {
        this.call = call;
        this.denials = denials;
        this.name = name;
        this.capability = capability;
    }

    /** Answers a request. Runs on the thread of the call. */
    @FunctionalInterface
    interface Capability {
        /**
         * Does it.
         *
         * @throws HostError the error that the module gets instead
         * @throws PalyraException the same
         */
        ObjectNode answer(RequestFields request);
    }

    static WasmFunction of(HostCall call, Denials denials, String name, Capability capability) {
        return Signature.i32(
                Signature.PALYRA,
                PREFIX + name,
                2,
                new CapabilityFunction(call, denials, name, capability)::call);
    }

    private long call(GuestMemory memory, long[] arguments) {
        byte[] request = memory.read((int) arguments[0], (int) arguments[1], MOST_REQUEST);
        call.requireOpen();
        ObjectNode answer = answer(request);
        if (Thread.currentThread().isInterrupted()) {
            throw new WasmStop(WasmEnding.CANCELLED, "The call was interrupted.");
        }
        return call.buffers().open(answer.toString().getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode answer(byte[] request) {
        try {
            if (call.buffers().room() < 4_096) {
                throw Buffers.tooMany();
            }
            return capability.answer(new RequestFields(name, parsed(request)));
        } catch (HostError e) {
            return failed(e);
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CANCELLED) {
                throw new WasmStop(WasmEnding.CANCELLED, e.getMessage());
            }
            return failed(HostError.of(e, "policy for " + PREFIX + name));
        }
    }

    private JsonNode parsed(byte[] request) {
        return StrictJson.parse(request, "the request of " + PREFIX + name);
    }

    private ObjectNode failed(HostError error) {
        if (error.code().equals(HostError.DENIED)) {
            denials.record(call.scope(), PREFIX + name, error);
        }
        return error.json();
    }
}
