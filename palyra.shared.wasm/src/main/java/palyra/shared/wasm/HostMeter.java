package palyra.shared.wasm;

import java.util.function.Supplier;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;

/**
 * Charges host functions to the module that calls them, by the prices of {@link MeterCosts}: the
 * call before its body begins, bytes before they are moved. A module that has less left ends {@link
 * WasmEnding#OUT_OF_FUEL} and the work is not done. Every engine calls host functions through this,
 * so that a call costs the same on each. For one call of a host function, on its thread.
 */
public final class HostMeter implements GuestMemory {
    private final WasmFunction function;
    private final GuestMemory memory;
    private final Fuel fuel;

    private HostMeter(WasmFunction function, GuestMemory memory, Fuel fuel) {
        this.function = function;
        this.memory = memory;
        this.fuel = fuel;
    }

    /** The fuel of the module that calls. */
    public interface Fuel {
        /** Returns the remaining fuel; below 0 when the module used more since its last check. */
        long left();

        /** Sets the remaining fuel, which the module sees when the host function returns. */
        void set(long left);
    }

    /**
     * Calls a host function for its price.
     *
     * @return what its body returned
     * @throws WasmStop {@link WasmEnding#OUT_OF_FUEL}, or what the body throws
     */
    public static long call(
            WasmFunction function, GuestMemory memory, Fuel fuel, long[] arguments) {
        HostMeter meter = new HostMeter(function, memory, fuel);
        meter.charge(MeterCosts.HOST_CALL, "the call");
        return function.body().call(meter, arguments);
    }

    private void charge(long units, String what) {
        long left = fuel.left();
        if (left < units) {
            throw new WasmStop(
                    WasmEnding.OUT_OF_FUEL,
                    "Its fuel ran out: the host function "
                            + function.module()
                            + "."
                            + function.name()
                            + " takes "
                            + units
                            + " units for "
                            + what
                            + ", and "
                            + Math.max(0, left)
                            + " were left.");
        }
        fuel.set(left - units);
    }

    /** An access out of bounds costs nothing: the memory itself refuses it. */
    private void move(int address, long length) {
        if (Integer.toUnsignedLong(address) + length <= memory.size()) {
            charge(length * MeterCosts.HOST_BYTE, length + " bytes");
        }
    }

    @Override
    public long size() {
        return memory.size();
    }

    @Override
    public byte[] read(int address, int length, int most) {
        long bytes = Integer.toUnsignedLong(length);
        if (bytes <= most) {
            move(address, bytes);
        }
        return memory.read(address, length, most);
    }

    @Override
    public void write(int address, byte[] bytes) {
        move(address, bytes.length);
        memory.write(address, bytes);
    }

    @Override
    public void write(int address, int length, Supplier<byte[]> made) {
        move(address, Integer.toUnsignedLong(length));
        memory.write(address, made.get());
    }
}
