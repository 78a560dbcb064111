package palyra.api.core.wasm;

import palyra.api.Require;

/**
 * What an engine is and how it is doing.
 *
 * @param id {@code endive}, {@code wasmtime}: the name in attestations
 * @param version of the engine's code
 * @param isolation the isolation between a module and the gateway besides the engine itself, as
 *     {@code key=value} facts of an enforcement string, such as {@code process=gateway} or {@code
 *     process=worker tier=b}
 * @param forUntrusted whether modules that no operator marked as trusted may run on it
 * @param ready whether it takes calls
 * @param reason why not, with the remedy; empty when it is ready
 * @param running calls under way
 * @param compiled modules in its memory
 */
public record WasmEngineView(
        String id,
        String version,
        String isolation,
        boolean forUntrusted,
        boolean ready,
        String reason,
        int running,
        int compiled) {
    /** Checks. */
    public WasmEngineView {
        Require.text(id, "engine id");
        Require.text(version, "engine version");
        Require.text(isolation, "isolation of an engine");
        reason = Require.orEmpty(reason);
        Require.that(ready || !reason.isEmpty(), "an engine that is not ready says why");
    }
}
