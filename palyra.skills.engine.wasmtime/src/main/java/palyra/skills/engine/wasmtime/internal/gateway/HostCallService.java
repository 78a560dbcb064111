package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.List;
import java.util.stream.Collectors;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.shared.wasm.HostMeter;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/**
 * Runs the host functions of one call for their price, and keeps how one of them ended it. The fuel
 * of the module comes with each call of one, and goes back with its end. For one thread.
 */
final class HostCallService implements HostMeter.Fuel {
    private final PendingCall pendingCall;
    private final List<WasmFunction> functions;
    private final RemoteCall call;
    private WasmEnding ending = WasmEnding.OTHER;
    private String detail = "A host function ended it.";
    private long fuel;

    HostCallService(PendingCall pendingCall, WasmHost host, RemoteCall call) {
        this.pendingCall = pendingCall;
        this.functions = host.functions();
        this.call = call;
    }

    /** Returns the imports that the worker may link. */
    List<Messages.Given> given() {
        return functions.stream()
                .map(
                        one ->
                                new Messages.Given(
                                        one.module(),
                                        one.name(),
                                        letters(one.parameters()),
                                        letters(one.results())))
                .toList();
    }

    private static String letters(List<Number> numbers) {
        return numbers.stream().map(HostCallService::letter).collect(Collectors.joining());
    }

    private static String letter(Number number) {
        return switch (number) {
            case I32 -> "i";
            case I64 -> "l";
            case F32 -> "f";
            case F64 -> "d";
        };
    }

    /** Runs a function and tells the worker how it ended. */
    void call(Messages.HostCall request) {
        if (request.function() < 0 || request.function() >= functions.size()) {
            halt(WasmEnding.ENGINE_FAILED, "The worker calls an unknown host function.");
            return;
        }
        WasmFunction function = functions.get(request.function());
        fuel = request.fuel();
        if (!pendingCall.allowInterrupt(true)) {
            end(Kind.HALT, 0);
            return;
        }
        try {
            long value =
                    HostMeter.call(
                            function,
                            new RemoteMemory(call, request.size()),
                            this,
                            request.arguments());
            pendingCall.forbidInterrupt();
            if (pendingCall.reason() == null) {
                end(Kind.DONE, value);
            } else {
                end(Kind.HALT, 0);
            }
        } catch (WorkerLostException e) {
            throw e;
        } catch (WasmStop e) {
            halt(e.ending(), "" + e.getMessage());
        } catch (RemoteTrap e) {
            halt(WasmEnding.TRAPPED, "It trapped: " + e.getMessage() + ".");
        } catch (RuntimeException e) {
            String said = e.getMessage() == null ? e.toString() : e.getMessage();
            halt(WasmEnding.HOST_FAILED, "A host function failed: " + said);
        } finally {
            pendingCall.forbidInterrupt();
        }
    }

    private void halt(WasmEnding how, String why) {
        ending = how;
        detail = why;
        pendingCall.forbidInterrupt();
        end(Kind.HALT, 0);
    }

    private void end(Kind how, long value) {
        call.say(how, new Messages.Answer(value, fuel));
    }

    @Override
    public long left() {
        return fuel;
    }

    @Override
    public void set(long left) {
        fuel = left;
    }

    /** Returns how a host function ended the call. */
    WasmEnding ending() {
        return ending;
    }

    /** Returns what it said about that. */
    String detail() {
        return detail;
    }

    /** Returns the number of an exit, which is its detail. */
    long exitCode() {
        try {
            return Integer.parseInt(detail);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
