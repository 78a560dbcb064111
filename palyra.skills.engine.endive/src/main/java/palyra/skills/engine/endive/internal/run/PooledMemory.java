package palyra.skills.engine.endive.internal.run;

import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.shared.wasm.PagePool;
import run.endive.runtime.ByteArrayMemory;
import run.endive.runtime.Instance;
import run.endive.runtime.Memory;
import run.endive.runtime.WasmInterruptedException;
import run.endive.wasm.types.DataSegment;
import run.endive.wasm.types.MemoryLimits;

/**
 * A memory whose pages come from the pool of all calls, when it begins and when it grows. All else
 * is Endive's own memory, whose class cannot be extended.
 */
@SuppressWarnings("removal") // methods that the interface still has
final class PooledMemory implements Memory {
    private final ByteArrayMemory bytes;
    private final MemoryLimits limits;
    private final PagePool pool;
    private final PagePool.Claim claim;

    private PooledMemory(MemoryLimits limits, PagePool pool, PagePool.Claim claim) {
        this.bytes = new ByteArrayMemory(limits);
        this.limits = limits;
        this.pool = pool;
        this.claim = claim;
    }

    /** Makes one; waits until its first pages can be had. */
    static PooledMemory of(MemoryLimits limits, PagePool pool, PagePool.Claim claim) {
        if (!take(claim, limits.initialPages())) {
            throw new WasmStop(
                    WasmEnding.REFUSED,
                    "Its memory begins with "
                            + limits.initialPages()
                            + " pages, and all calls together have "
                            + pool.total()
                            + ": raise maxPages of palyra.skills.engine.endive.");
        }
        return new PooledMemory(limits, pool, claim);
    }

    private static boolean take(PagePool.Claim claim, int pages) {
        try {
            return claim.take(pages);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WasmInterruptedException("the call is to end while it waits for memory");
        }
    }

    @Override
    public int grow(int size) {
        boolean within = size >= 0 && (long) pages() + size <= limits.maximumPages();
        if (within && !take(claim, size)) {
            throw new WasmStop(
                    WasmEnding.OUT_OF_MEMORY,
                    "Its memory grows to "
                            + ((long) pages() + size)
                            + " pages, and all calls together have "
                            + pool.total()
                            + ": raise maxPages of palyra.skills.engine.endive.");
        }
        return bytes.grow(size);
    }

    @Override
    public int pages() {
        return bytes.pages();
    }

    @Override
    public int initialPages() {
        return bytes.initialPages();
    }

    @Override
    public int maximumPages() {
        return bytes.maximumPages();
    }

    @Override
    public boolean shared() {
        return bytes.shared();
    }

    @Override
    public Object lock(int address) {
        return bytes.lock(address);
    }

    @Override
    public int waitOn(int address, int expected, long timeout) {
        return bytes.waitOn(address, expected, timeout);
    }

    @Override
    public int waitOn(int address, long expected, long timeout) {
        return bytes.waitOn(address, expected, timeout);
    }

    @Override
    public int notify(int address, int most) {
        return bytes.notify(address, most);
    }

    @Override
    public void initialize(Instance instance, DataSegment[] segments) {
        bytes.initialize(instance, segments);
    }

    @Override
    public void initialize(Instance instance, DataSegment[] segments, int memory) {
        bytes.initialize(instance, segments, memory);
    }

    @Override
    public void initPassiveSegment(int segment, int to, int from, int size) {
        bytes.initPassiveSegment(segment, to, from, size);
    }

    @Override
    public void write(int address, byte[] content, int from, int size) {
        bytes.write(address, content, from, size);
    }

    @Override
    public byte read(int address) {
        return bytes.read(address);
    }

    @Override
    public byte[] readBytes(int address, int size) {
        return bytes.readBytes(address, size);
    }

    @Override
    public void writeI32(int address, int value) {
        bytes.writeI32(address, value);
    }

    @Override
    public int readInt(int address) {
        return bytes.readInt(address);
    }

    @Override
    public void writeLong(int address, long value) {
        bytes.writeLong(address, value);
    }

    @Override
    public long readLong(int address) {
        return bytes.readLong(address);
    }

    @Override
    public void writeShort(int address, short value) {
        bytes.writeShort(address, value);
    }

    @Override
    public short readShort(int address) {
        return bytes.readShort(address);
    }

    @Override
    public long readU16(int address) {
        return bytes.readU16(address);
    }

    @Override
    public void writeByte(int address, byte value) {
        bytes.writeByte(address, value);
    }

    @Override
    public void writeF32(int address, float value) {
        bytes.writeF32(address, value);
    }

    @Override
    public long readF32(int address) {
        return bytes.readF32(address);
    }

    @Override
    public float readFloat(int address) {
        return bytes.readFloat(address);
    }

    @Override
    public void writeF64(int address, double value) {
        bytes.writeF64(address, value);
    }

    @Override
    public double readDouble(int address) {
        return bytes.readDouble(address);
    }

    @Override
    public long readF64(int address) {
        return bytes.readF64(address);
    }

    @Override
    public void zero() {
        bytes.zero();
    }

    @Override
    public void fill(byte value, int from, int to) {
        bytes.fill(value, from, to);
    }

    @Override
    public void copy(int to, int from, int size) {
        bytes.copy(to, from, size);
    }

    @Override
    public void drop(int segment) {
        bytes.drop(segment);
    }
}
