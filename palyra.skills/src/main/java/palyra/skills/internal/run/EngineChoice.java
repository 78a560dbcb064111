package palyra.skills.internal.run;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmEngineView;

/** Which engine a call runs on, and whether that engine may run it. */
final class EngineChoice {
    private EngineChoice() {}

    /** Returns the engine: the one asked for, or the trusted skill's own, or the default. */
    static String of(RunRequest request, String usual) {
        if (!request.engine().isEmpty()) {
            return request.engine();
        }
        boolean own = request.skill().trusted() && !request.skill().engine().isEmpty();
        return own ? request.skill().engine() : usual;
    }

    /**
     * Throws DENIED unless the engine may run the skill and confines it as strictly as was decided.
     * A module is confined by tier A, by its construction; an engine in a process of its own under
     * tier B limits satisfies tier B too; none satisfies tier C.
     */
    static void require(RunRequest request, WasmEngineView view) {
        if (!view.forUntrusted() && !request.skill().trusted()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The engine "
                            + view.id()
                            + " runs skills that an operator marked as trusted only, and "
                            + request.skill().id().skill()
                            + " is not; use the default engine.");
        }
        requireTier(request, view);
    }

    private static void requireTier(RunRequest request, WasmEngineView view) {
        boolean workerLimits = (" " + view.isolation() + " ").contains(" tier=b ");
        boolean strict =
                switch (request.tier()) {
                    case A -> true;
                    case B -> workerLimits;
                    case C -> false;
                };
        if (!strict) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Policy wants tier "
                            + request.tier()
                            + " for the tool "
                            + request.tool().id()
                            + ", but a skill runs in tier A"
                            + (workerLimits ? " or B" : "")
                            + " on the engine "
                            + view.id()
                            + "; annotate the permit for it with @tier(\"a\").");
        }
    }

    static void requireReady(WasmEngineView view) {
        if (!view.ready()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The engine " + view.id() + " takes no calls: " + view.reason());
        }
    }
}
