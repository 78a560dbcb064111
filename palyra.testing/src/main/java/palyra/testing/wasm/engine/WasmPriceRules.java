package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.MeterCosts;
import palyra.testing.wasm.WasmBuilder;
import palyra.testing.wasm.WasmCode;

/** What host functions cost, and what a NaN is: the same on every engine. */
public abstract class WasmPriceRules extends WasmHostRules {
    private static final long CALL = MeterCosts.HOST_CALL;
    private static final int SIGNALLING = 0x7fa0_0001;
    private static final long SIGNALLING_WIDE = 0xfff4_0000_0000_0001L;

    private static WasmCall with(String id, String export, long fuel) {
        return new WasmCall(id, Fixture.HOST.module(), List.of(export), fuel, 60_000);
    }

    /** Each call costs, and so does each byte, there and back. */
    @Test
    public void chargesHostFunctionsByTheCallAndTheByte() throws Exception {
        WasmResult many = runWith("many", "add", (memory, all) -> all[0] + all[1]);
        ended(WasmEnding.RETURNED, many);
        assertEquals(100 * CALL, many.fuelUsed());
        WasmResult share =
                runWith(
                        "share",
                        "act",
                        (memory, all) -> {
                            memory.read((int) all[0], 15, 64);
                            memory.write(0, new byte[1_000]);
                            memory.write(0, 500, () -> new byte[500]);
                            return 0;
                        });
        ended(WasmEnding.RETURNED, share);
        assertEquals(9 + CALL + 1_515L * MeterCosts.HOST_BYTE, share.fuelUsed());
    }

    /** A call that cannot be paid does not happen. */
    @Test
    public void endsOutOfFuelBeforeAHostFunctionBegins() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        WasmHost host =
                HostFunctions.with(
                        "add",
                        (memory, all) -> {
                            calls.incrementAndGet();
                            return all[0] + all[1];
                        });
        WasmResult result = run(with(id(), "many", 10 * CALL + CALL - 1), host);
        ended(WasmEnding.OUT_OF_FUEL, result);
        assertEquals(10 * CALL + CALL - 1, result.fuelUsed());
        assertEquals(10, calls.get());
        ended(WasmEnding.RETURNED, run(with(id(), "many", 100 * CALL), host));
    }

    /** Bytes that cannot be paid are not even made. */
    @Test
    public void endsOutOfFuelBeforeBytesAreMade() throws Exception {
        AtomicBoolean made = new AtomicBoolean();
        WasmHost host =
                HostFunctions.with(
                        "act",
                        (memory, all) -> {
                            memory.write(
                                    0,
                                    60_000,
                                    () -> {
                                        made.set(true);
                                        return new byte[60_000];
                                    });
                            return 0;
                        });
        long price = 9 + CALL + 60_000L * MeterCosts.HOST_BYTE;
        ended(WasmEnding.OUT_OF_FUEL, run(with(id(), "share", price - 1), host));
        assertFalse(made.get(), "bytes were made before they were paid");
        WasmResult paid = run(with(id(), "share", price), host);
        ended(WasmEnding.RETURNED, paid);
        assertEquals(price, paid.fuelUsed());
    }

    /** What a host function cost counts when it ends the call, too. */
    @Test
    public void countsTheHostFunctionThatEndsTheCall() throws Exception {
        WasmResult result =
                runWith(
                        "share",
                        "act",
                        (memory, all) -> {
                            memory.read(0, 64, 64);
                            throw new WasmStop(WasmEnding.EXITED, "3");
                        });
        ended(WasmEnding.EXITED, result);
        assertEquals(9 + CALL + 64L * MeterCosts.HOST_BYTE, result.fuelUsed());
    }

    /** The specification quiets a signalling NaN; each engine has to give the same bits. */
    @Test
    public void givesTheCanonicalNanForMinimumMaximumAndRounding() throws Exception {
        for (int opcode : new int[] {0x8D, 0x8E, 0x8F, 0x90}) {
            nan(new WasmCode().i32(SIGNALLING).op(0xBE, opcode, 0xBC), 'i', 0x7fc0_0000);
        }
        for (int opcode : new int[] {0x96, 0x97}) {
            nan(narrow(true).op(opcode, 0xBC), 'i', 0x7fc0_0000);
            nan(narrow(false).op(opcode, 0xBC), 'i', 0x7fc0_0000);
        }
        for (int opcode : new int[] {0x9B, 0x9C, 0x9D, 0x9E}) {
            nan(
                    new WasmCode().i64(SIGNALLING_WIDE).op(0xBF, opcode, 0xBD),
                    'I',
                    0x7ff8_0000_0000_0000L);
        }
        for (int opcode : new int[] {0xA4, 0xA5}) {
            WasmCode first = new WasmCode().i64(SIGNALLING_WIDE).op(0xBF).f64(1);
            nan(first.op(opcode, 0xBD), 'I', 0x7ff8_0000_0000_0000L);
            WasmCode second = new WasmCode().f64(1).i64(SIGNALLING_WIDE).op(0xBF);
            nan(second.op(opcode, 0xBD), 'I', 0x7ff8_0000_0000_0000L);
        }
        nan(new WasmCode().f32(2).f32(1).op(0x96, 0xBC), 'i', Float.floatToIntBits(1));
        nan(new WasmCode().f64(-1.5).op(0x9B, 0xBD), 'I', Double.doubleToLongBits(-1));
    }

    private static WasmCode narrow(boolean first) {
        return first
                ? new WasmCode().i32(SIGNALLING).op(0xBE).f32(1)
                : new WasmCode().f32(1).i32(SIGNALLING).op(0xBE);
    }

    private void nan(WasmCode code, char type, long bits) throws InterruptedException {
        WasmBuilder builder = new WasmBuilder();
        builder.export("f", 0, builder.function(":" + type, "", code));
        WasmModule module =
                Admission.admit(builder.build(), AdmissionRules.closed(AdmissionLimits.DEFAULTS))
                        .module()
                        .orElseThrow();
        WasmResult result =
                run(new WasmCall(id(), module, List.of("f"), 1_000, 60_000), HostFunctions.none());
        ended(WasmEnding.RETURNED, result);
        assertEquals(Long.toHexString(bits), Long.toHexString(result.value()));
    }
}
