package palyra.skills.engine.wasmtime.internal.gate;

import java.util.List;
import java.util.stream.Collectors;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.skills.engine.wasmtime.internal.wire.Kind;
import palyra.skills.engine.wasmtime.internal.wire.Notes;

/** Runs the host functions of one call, and keeps how one of them ended it. For one thread. */
final class HostDesk {
    private final Ticket ticket;
    private final List<WasmFunction> functions;
    private final RemoteCall call;
    private WasmEnding ending = WasmEnding.OTHER;
    private String detail = "A host function ended it.";

    HostDesk(Ticket ticket, WasmHost host, RemoteCall call) {
        this.ticket = ticket;
        this.functions = host.functions();
        this.call = call;
    }

    /** Returns what may be imported, as the worker is told. */
    List<Notes.Given> given() {
        return functions.stream()
                .map(
                        one ->
                                new Notes.Given(
                                        one.module(),
                                        one.name(),
                                        letters(one.parameters()),
                                        letters(one.results())))
                .toList();
    }

    private static String letters(List<Number> numbers) {
        return numbers.stream().map(HostDesk::letter).collect(Collectors.joining());
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
    void call(Notes.HostCall asked) {
        if (asked.function() < 0 || asked.function() >= functions.size()) {
            halt(WasmEnding.ENGINE_FAILED, "The worker calls a function that nobody gave it.");
            return;
        }
        WasmFunction function = functions.get(asked.function());
        if (!ticket.open(true)) {
            call.say(Kind.HALT, Notes.NOTHING);
            return;
        }
        try {
            long value =
                    function.body().call(new RemoteMemory(call, asked.size()), asked.arguments());
            ticket.shut();
            if (ticket.reason() == null) {
                call.say(Kind.DONE, new Notes.Answer(value));
            } else {
                call.say(Kind.HALT, Notes.NOTHING);
            }
        } catch (WorkerGone e) {
            throw e;
        } catch (WasmStop e) {
            halt(e.ending(), "" + e.getMessage());
        } catch (RemoteTrap e) {
            halt(WasmEnding.TRAPPED, "It trapped: " + e.getMessage() + ".");
        } catch (RuntimeException e) {
            String said = e.getMessage() == null ? e.toString() : e.getMessage();
            halt(WasmEnding.HOST_FAILED, "A host function failed: " + said);
        } finally {
            ticket.shut();
        }
    }

    private void halt(WasmEnding how, String why) {
        ending = how;
        detail = why;
        ticket.shut();
        call.say(Kind.HALT, Notes.NOTHING);
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
