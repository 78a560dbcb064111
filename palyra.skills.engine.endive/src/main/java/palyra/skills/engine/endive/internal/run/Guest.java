package palyra.skills.engine.endive.internal.run;

import java.util.List;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.MemoryGrowth;
import palyra.shared.wasm.PagePool;
import palyra.skills.engine.endive.internal.code.Compiled;
import run.endive.runtime.ByteArrayMemory;
import run.endive.runtime.Instance;
import run.endive.runtime.Memory;
import run.endive.runtime.WasmInterruptedException;
import run.endive.wasm.UnlinkableException;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.MemoryLimits;
import run.endive.wasm.types.ValType;

/**
 * One instance of a module, for one call on one thread. Everything that Endive or a host function
 * throws becomes an ending; nothing gets out.
 */
final class Guest {
    static final String PID = "palyra.skills.engine.endive";
    private static final long[] NOTHING = new long[0];
    private static final String TOO_DEEP = "Its calls were nested too deeply.";

    private final WasmCall call;
    private final Compiled compiled;
    private final RunningCall running;
    private final PagePool.Claim claim;
    private Instance instance;

    /**
     * Makes it.
     *
     * @param claim where its memory's pages come from
     */
    Guest(RunningCall running, Compiled compiled, PagePool.Claim claim) {
        this.running = running;
        this.claim = claim;
        this.call = running.call();
        this.compiled = compiled;
    }

    /** Runs the call to its end. */
    Outcome run(WasmHost host) {
        try {
            check();
            instance = instance(host);
            call(WasmModule.REFUEL, call.fuel());
            if (call.module().start()) {
                call(WasmModule.START);
            }
            long value = 0;
            for (String export : call.exports()) {
                value = value(export, call(export));
            }
            return Outcome.returned(value);
        } catch (WasmStop e) {
            return new Outcome(e.ending(), exitCode(e), said(e));
        } catch (LinkException e) {
            return Outcome.of(WasmEnding.LINK, "The module does not fit: " + e.getMessage() + ".");
        } catch (UnlinkableException e) {
            return Outcome.of(WasmEnding.LINK, "The module does not fit: " + said(e) + ".");
        } catch (GuestTrap e) {
            return Outcome.of(WasmEnding.TRAPPED, "It trapped: " + said(e) + ".");
        } catch (HostFunctionException e) {
            return Outcome.of(WasmEnding.HOST_FAILED, "A host function failed: " + said(e));
        } catch (WasmInterruptedException e) {
            return Outcome.of(WasmEnding.OTHER, "The guest stopped without an interrupt request.");
        } catch (WasmEngineException e) {
            return trap(e);
        } catch (StackOverflowError e) {
            return Outcome.of(WasmEnding.CALL_DEPTH, TOO_DEEP);
        } catch (OutOfMemoryError e) {
            instance = null;
            return Outcome.of(
                    WasmEnding.OUT_OF_MEMORY,
                    "The heap of the gateway has no room for its memory: lower maxPages, or give"
                            + " the gateway more.");
        } catch (Throwable e) { // an engine's fault must end the call and nothing else
            return Outcome.of(WasmEnding.ENGINE_FAILED, "Endive failed: " + e + ".");
        }
    }

    /**
     * Returns the number of a stop that carries one: {@code WasmStop} has only text, so an exit
     * says its number there.
     */
    private static long exitCode(WasmStop stop) {
        if (stop.ending() != WasmEnding.EXITED) {
            return 0;
        }
        try {
            return Integer.parseInt(said(stop));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String said(Throwable thrown) {
        return thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    }

    private void check() {
        for (String export : call.exports()) {
            FunctionType type = compiled.functions().get(export);
            if (type == null) {
                throw new LinkException("it exports no function " + export);
            }
            boolean number =
                    type.returns().isEmpty()
                            || type.returns().equals(List.of(ValType.I32))
                            || type.returns().equals(List.of(ValType.I64));
            if (!type.params().isEmpty() || !number) {
                throw new LinkException(
                        "its function "
                                + export
                                + " has another type than () -> (), () -> i32 or () -> i64, and cannot be called");
            }
        }
        for (String own : List.of(WasmModule.FUEL, WasmModule.REFUEL, WasmModule.STOPPED)) {
            if (!compiled.functions().containsKey(own)) {
                throw new LinkException("it lacks " + own + ": only admitted modules run");
            }
        }
    }

    private Instance instance(WasmHost host) {
        int most = call.module().memoryPages();
        return Instance.builder(compiled.module())
                .withMachineFactory(compiled.machines())
                .withImportValues(
                        Linker.link(compiled, MemoryGrowth.with(host, claim, PID), running))
                .withMemoryFactory(limits -> memory(limits, most))
                .withStart(false)
                .build();
    }

    /** The clamp is in the module already; this one holds even if it were not. */
    private Memory memory(MemoryLimits declared, int most) {
        if (declared.initialPages() > most) {
            throw new LinkException(
                    "its memory starts with "
                            + declared.initialPages()
                            + " pages; at most "
                            + most
                            + " are given");
        }
        MemoryGrowth.begin(claim, declared.initialPages(), PID);
        return new ByteArrayMemory(
                new MemoryLimits(declared.initialPages(), Math.min(declared.maximumPages(), most)));
    }

    private long[] call(String export, long... arguments) {
        long[] results = instance.export(export).apply(arguments);
        return results == null ? NOTHING : results;
    }

    private long value(String export, long[] results) {
        if (results.length == 0) {
            return 0;
        }
        List<ValType> types = compiled.functions().get(export).returns();
        return types.equals(List.of(ValType.I32)) ? (int) results[0] : results[0];
    }

    private Outcome trap(WasmEngineException e) {
        if (e.getCause() instanceof StackOverflowError) {
            return Outcome.of(WasmEnding.CALL_DEPTH, TOO_DEEP);
        }
        return switch (stopped()) {
            case WasmModule.STOPPED_BY_FUEL ->
                    Outcome.of(WasmEnding.OUT_OF_FUEL, "Its fuel of " + call.fuel() + " ran out.");
            case WasmModule.STOPPED_BY_DEPTH -> Outcome.of(WasmEnding.CALL_DEPTH, TOO_DEEP);
            default -> Outcome.of(WasmEnding.TRAPPED, "It trapped: " + said(e) + ".");
        };
    }

    private int stopped() {
        return instance == null ? 0 : (int) ask(WasmModule.STOPPED, 0);
    }

    /** Returns the fuel that was used, and all of it when that ran out. */
    long fuelUsed(WasmEnding ending) {
        if (ending == WasmEnding.OUT_OF_FUEL) {
            return call.fuel();
        }
        long left = instance == null ? call.fuel() : ask(WasmModule.FUEL, call.fuel());
        return call.fuel() - Math.clamp(left, 0, call.fuel());
    }

    /** Asks an instance that has ended; the thread must not be interrupted. */
    private long ask(String export, long otherwise) {
        try {
            return call(export)[0];
        } catch (Exception | StackOverflowError e) {
            return otherwise;
        }
    }

    /** Returns the pages of its memory. */
    int pages() {
        return instance == null || compiled.memory() < 0
                ? 0
                : instance.memory(compiled.memory()).pages();
    }
}
