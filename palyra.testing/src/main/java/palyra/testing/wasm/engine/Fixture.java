package palyra.testing.wasm.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.hash.Digests;

/** The modules that are called; metered by hand, so that each figure can be reckoned. */
public enum Fixture {
    /** Results, traps, loops; no imports. */
    BASIC(3, 1, false),
    /** Calls the functions of {@link HostFunctions}. */
    HOST(1, 1, false),
    /** Has a start function. */
    START(0, 0, true),
    /** Traps while an instance is made. */
    SEGMENT(1, 1, false),
    /** Can grow to 64 pages. */
    LARGE(64, 8, false),
    /** Was never admitted. */
    BARE(0, 0, false);

    private final WasmModule module;

    Fixture(int pages, int initial, boolean start) {
        this.module = module(bytes(), pages, initial, start);
    }

    private byte[] bytes() {
        String name = name().toLowerCase(java.util.Locale.ROOT) + ".wasm";
        try (InputStream in = Fixture.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes an admitted module of bytes. */
    public static WasmModule module(byte[] bytes, int pages, int initial, boolean start) {
        return new WasmModule(Digests.sha256Hex(bytes), 1, pages, initial, start, bytes);
    }

    /** Returns the module. */
    public WasmModule module() {
        return module;
    }

    /** Makes a call with plenty of fuel and time. */
    public WasmCall call(String id, String... exports) {
        return new WasmCall(id, module, List.of(exports), 1_000_000_000, 60_000);
    }
}
