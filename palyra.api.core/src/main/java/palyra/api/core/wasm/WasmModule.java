package palyra.api.core.wasm;

import palyra.api.Require;

/**
 * A module as admission left it. Beside its own imports and exports it has those below, whose names
 * no module can bring along.
 *
 * @param sha256 digest of {@code bytes}, lower-case hex: the key of every cache of compiled code,
 *     because the bytes include metering and clamps
 * @param meterVersion version of the table of costs that it was metered by
 * @param memoryPages most pages of 64 KiB that its memory can have; 0 when it has none
 * @param initialPages pages that its memory begins with; 0 when it has none
 * @param start whether it has {@link #START}
 * @param bytes the binary; not copied, never changed
 */
@SuppressWarnings("ArrayRecordComponent") // read by engines only
public record WasmModule(
        String sha256,
        int meterVersion,
        int memoryPages,
        int initialPages,
        boolean start,
        byte[] bytes) {
    /** Module of the imports that metering adds. */
    public static final String METER = "palyra:meter";

    /**
     * Import {@code (i32) -> ()} from {@link #METER}, of modules whose code grows their memory:
     * called before the memory grows by so many pages, within {@code memoryPages}. The engine
     * returns when it can give them, and ends the call when it never can.
     */
    public static final String GROW = "grow";

    /** Export {@code () -> i64}: fuel that is left; below 0 when it ran out. */
    public static final String FUEL = "palyra:fuel";

    /** Export {@code (i64) -> ()}: sets the fuel; called before anything else. */
    public static final String REFUEL = "palyra:refuel";

    /** Export {@code () -> i32}: why metering stopped the module: 0 not at all, 1 fuel, 2 depth. */
    public static final String STOPPED = "palyra:stopped";

    /**
     * Export {@code () -> ()}: what was the module's start function, which no longer runs by
     * itself; called once after {@link #REFUEL}.
     */
    public static final String START = "palyra:start";

    /** Value of {@link #STOPPED} when the fuel ran out. */
    public static final int STOPPED_BY_FUEL = 1;

    /** Value of {@link #STOPPED} when calls were nested too deeply. */
    public static final int STOPPED_BY_DEPTH = 2;

    /** Checks. */
    public WasmModule {
        Require.that(
                sha256 != null && sha256.matches("[0-9a-f]{64}"),
                "the digest of a module is 64 hexadecimal digits");
        Require.present(bytes, "bytes of a module");
        Require.that(
                initialPages >= 0 && memoryPages >= initialPages,
                "a memory begins with 0 pages or more, and can have no less");
    }

    @Override
    public String toString() {
        return "WasmModule[" + sha256 + ", " + bytes.length + " bytes]";
    }
}
