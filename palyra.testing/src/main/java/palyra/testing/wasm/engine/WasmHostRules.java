package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.MeterCosts;

/** Host functions and their way to the module's memory. */
public abstract class WasmHostRules extends WasmResultRules {
    private static final WasmHost.Body NOTHING = (memory, arguments) -> 0;

    /** Arguments arrive sign-extended, results go back. */
    @Test
    public void callsHostFunctions() throws Exception {
        AtomicReference<long[]> seen = new AtomicReference<>();
        WasmResult result =
                runWith(
                        "sum",
                        "add",
                        (memory, arguments) -> {
                            seen.set(arguments.clone());
                            return arguments[0] + arguments[1];
                        });
        ended(WasmEnding.RETURNED, result);
        assertEquals(39, result.value());
        assertEquals(5 + MeterCosts.HOST_CALL, result.fuelUsed());
        assertArrayEquals(new long[] {-2, 40}, seen.get());
    }

    /** All types of numbers pass, floats as their bits. */
    @Test
    public void passesEveryTypeOfNumber() throws Exception {
        AtomicReference<long[]> seen = new AtomicReference<>();
        WasmResult result =
                runWith(
                        "all_types",
                        "wide",
                        (memory, arguments) -> {
                            seen.set(arguments.clone());
                            return Long.MIN_VALUE + 1;
                        });
        ended(WasmEnding.RETURNED, result);
        assertEquals(Long.MIN_VALUE + 1, result.value());
        assertArrayEquals(
                new long[] {
                    -9_007_199_254_740_993L,
                    Double.doubleToRawLongBits(-2.5),
                    Float.floatToRawIntBits(1.5f),
                    -1
                },
                seen.get());
    }

    /** An answer of 32 bits is cut to them. */
    @Test
    public void cutsAnswersToTheirType() throws Exception {
        assertEquals(6, runWith("sum", "add", (memory, arguments) -> 0x7_0000_0005L).value());
    }

    /** A host function reads and writes the memory of the module. */
    @Test
    public void sharesTheMemory() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>();
        WasmResult result =
                runWith(
                        "share",
                        "act",
                        (memory, arguments) -> {
                            byte[] text = memory.read((int) arguments[0], (int) arguments[1], 64);
                            seen.set(new String(text, StandardCharsets.UTF_8));
                            assertEquals(65_536, memory.size());
                            memory.write((int) arguments[0], new byte[] {99, 98});
                            return 0;
                        });
        ended(WasmEnding.RETURNED, result);
        assertEquals("from the module", seen.get());
        assertEquals(99, result.value());
    }

    /** The last byte is inside, an empty piece at the very end too. */
    @Test
    public void readsUpToTheLastByte() throws Exception {
        WasmResult result =
                runWith(
                        "share",
                        "act",
                        (memory, arguments) -> {
                            memory.write(65_535, new byte[] {7});
                            assertArrayEquals(new byte[] {7}, memory.read(65_535, 1, 1));
                            assertEquals(0, memory.read(65_536, 0, 1).length);
                            return 0;
                        });
        ended(WasmEnding.RETURNED, result);
    }

    /**
     * An address outside is a trap of the module, also when the host function does not check it.
     */
    @Test
    public void trapsOnAnAddressOutside() throws Exception {
        WasmHost.Body read =
                (memory, arguments) -> {
                    memory.read((int) arguments[0], (int) arguments[1], 1 << 20);
                    return 0;
                };
        WasmHost.Body write =
                (memory, arguments) -> {
                    memory.write((int) arguments[0], new byte[(int) arguments[1]]);
                    return 0;
                };
        for (String export : List.of("edge", "high")) {
            ended(WasmEnding.TRAPPED, runWith(export, "act", read));
            ended(WasmEnding.TRAPPED, runWith(export, "act", write));
        }
        ended(
                WasmEnding.TRAPPED,
                runWith("share", "act", (memory, all) -> memory.read(65_537, 0, 1).length));
    }

    /** A piece that is longer than the host function wants is a trap, too. */
    @Test
    public void trapsOnAPieceThatIsTooLong() throws Exception {
        ended(
                WasmEnding.TRAPPED,
                runWith("share", "act", (memory, arguments) -> memory.read(0, 65, 64).length));
        ended(
                WasmEnding.TRAPPED,
                runWith("share", "act", (memory, arguments) -> memory.read(0, -1, 64).length));
    }

    /** Nothing is written when not everything fits. */
    @Test
    public void writesAllOrNothing() throws Exception {
        AtomicReference<byte[]> after = new AtomicReference<>();
        runWith(
                "share",
                "act",
                (memory, arguments) -> {
                    try {
                        memory.write(65_534, new byte[] {1, 2, 3});
                    } finally {
                        after.set(memory.read(65_534, 2, 2));
                    }
                    return 0;
                });
        assertArrayEquals(new byte[2], after.get());
    }

    /** A stop ends the call as it says; that of an exit is its number in the detail. */
    @Test
    public void stopsAsAHostFunctionSays() throws Exception {
        WasmResult exited = runWith("sum", "add", stop(WasmEnding.EXITED, "3"));
        ended(WasmEnding.EXITED, exited);
        assertEquals(3, exited.value());
        assertEquals(5 + MeterCosts.HOST_CALL, exited.fuelUsed());
        WasmResult trapped = runWith("sum", "add", stop(WasmEnding.TRAPPED, "abort at a.ts:1"));
        ended(WasmEnding.TRAPPED, trapped);
        assertTrue(trapped.detail().contains("abort at a.ts:1"), trapped.detail());
    }

    private static WasmHost.Body stop(WasmEnding ending, String detail) {
        return (memory, arguments) -> {
            throw new WasmStop(ending, detail);
        };
    }

    /** A fault of a host function is told apart from one of the module. */
    @Test
    public void tellsFaultsOfHostFunctions() throws Exception {
        WasmResult failed =
                runWith(
                        "sum",
                        "add",
                        (memory, arguments) -> {
                            throw new IllegalStateException("no such table");
                        });
        ended(WasmEnding.HOST_FAILED, failed);
        assertTrue(failed.detail().contains("no such table"), failed.detail());
        ended(WasmEnding.RETURNED, run("answer"));
    }

    /** What was not given, or with another type, is not linked, and no code has run. */
    @Test
    public void linksExactlyWhatIsGiven() throws Exception {
        ended(WasmEnding.LINK, run(Fixture.HOST.call(id(), "sum"), HostFunctions.none()));
        for (WasmFunction wrong :
                List.of(
                        add(List.of(Number.I32), List.of(Number.I32)),
                        add(List.of(Number.I32, Number.I64), List.of(Number.I32)),
                        add(List.of(Number.I32, Number.I32), List.of()),
                        add(List.of(Number.I32, Number.I32), List.of(Number.F32)))) {
            WasmHost host =
                    new WasmHost(
                            HostFunctions.with("act", NOTHING).functions().stream()
                                    .map(one -> one.name().equals("add") ? wrong : one)
                                    .toList());
            WasmResult result = run(Fixture.HOST.call(id(), "sum"), host);
            ended(WasmEnding.LINK, result);
            assertTrue(result.detail().contains("test.add"), result.detail());
        }
    }

    private static WasmFunction add(List<Number> parameters, List<Number> results) {
        return HostFunctions.function("add", parameters, results, NOTHING);
    }

    /** More functions than a module imports do no harm. */
    @Test
    public void ignoresFunctionsThatAreNotImported() throws Exception {
        ended(
                WasmEnding.RETURNED,
                run(Fixture.BASIC.call(id(), "answer"), HostFunctions.with("act", NOTHING)));
    }
}
