package palyra.skills.internal.host;

import java.util.List;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.skills.internal.model.SkillGrants;

/**
 * The functions of the first generation of modules: how many grants of a kind there are, and the
 * handle of each.
 */
final class LegacyFunctions {
    /** Their import module. */
    static final String MODULE = "palyra:plugins/host-capabilities@0.1.0";

    /** Handle of the first host. */
    static final int HTTP = 10_000;

    /** Handle of the first secret. */
    static final int SECRET = 20_000;

    /** Handle of the first storage prefix. */
    static final int STORAGE = 30_000;

    /** Handle of the first channel. */
    static final int CHANNEL = 40_000;

    private LegacyFunctions() {}

    static List<WasmFunction> of(SkillGrants grants) {
        return List.of(
                count("http-count", grants.httpHosts().size()),
                handle("http-handle", HTTP, grants.httpHosts().size()),
                count("secret-count", grants.secrets().size()),
                handle("secret-handle", SECRET, grants.secrets().size()),
                count("storage-count", grants.storage().size()),
                handle("storage-handle", STORAGE, grants.storage().size()),
                count("channel-count", grants.channels().size()),
                handle("channel-handle", CHANNEL, grants.channels().size()));
    }

    private static WasmFunction count(String name, int count) {
        return Signature.i32(MODULE, name, 0, (memory, arguments) -> count);
    }

    private static WasmFunction handle(String name, int base, int count) {
        return Signature.i32(
                MODULE,
                name,
                1,
                (memory, arguments) ->
                        arguments[0] >= 0 && arguments[0] < count ? base + arguments[0] : -1);
    }
}
