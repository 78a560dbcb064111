package palyra.skills.internal.run;

import java.util.List;
import palyra.api.Require;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;

/**
 * How a call ended, before its output is checked.
 *
 * @param result how it ended
 * @param exitCode number by which the module ended itself, or that its entrypoint returned
 * @param output what it wrote
 * @param outputRefused whether it tried to write more than an answer may have
 * @param log lines for people
 * @param effects whether something outside may have been changed
 * @param engine what ran it, as it was at the start
 * @param moduleSha256 digest of the module as the artifact has it
 * @param module what the engine was given
 * @param starts how often it was started, which is more than once when an engine was replaced
 * @param kinds kinds of capabilities that were linked
 */
@SuppressWarnings("ArrayRecordComponent") // handed over
public record RunReport(
        WasmResult result,
        long exitCode,
        byte[] output,
        boolean outputRefused,
        List<String> log,
        boolean effects,
        WasmEngineView engine,
        String moduleSha256,
        WasmModule module,
        int starts,
        List<String> kinds) {
    /** Checks and copies. */
    public RunReport {
        Require.present(result, "result");
        Require.present(output, "output");
        log = List.copyOf(log);
        Require.present(engine, "engine");
        Require.text(moduleSha256, "digest of a module");
        Require.present(module, "module");
        kinds = List.copyOf(kinds);
    }
}
