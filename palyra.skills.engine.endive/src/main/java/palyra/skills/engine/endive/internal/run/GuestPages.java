package palyra.skills.engine.endive.internal.run;

import palyra.api.core.wasm.WasmHost.GuestMemory;
import run.endive.runtime.Memory;

/** A module's memory as a host function sees it. Every access is checked here first. */
final class GuestPages implements GuestMemory {
    private static final long UNSIGNED = 0xffff_ffffL;

    private final Memory memory;

    /**
     * Wraps a memory.
     *
     * @param memory null when the module has none: every address is outside then
     */
    GuestPages(Memory memory) {
        this.memory = memory;
    }

    @Override
    public long size() {
        return memory == null ? 0 : (long) memory.pages() * Memory.PAGE_SIZE;
    }

    @Override
    public byte[] read(int address, int length, int most) {
        long size = length & UNSIGNED;
        if (size > most) {
            throw new GuestTrap(
                    "a host function was given " + size + " bytes; at most " + most + " are taken");
        }
        check(address, size);
        return memory.readBytes(address, length);
    }

    @Override
    public void write(int address, byte[] bytes) {
        check(address, bytes.length);
        memory.write(address, bytes, 0, bytes.length);
    }

    private void check(int address, long length) {
        long from = address & UNSIGNED;
        if (memory == null || from + length > size()) {
            throw new GuestTrap(
                    "a host function was given "
                            + length
                            + " bytes at address "
                            + from
                            + " of a memory of "
                            + size()
                            + " bytes");
        }
    }
}
