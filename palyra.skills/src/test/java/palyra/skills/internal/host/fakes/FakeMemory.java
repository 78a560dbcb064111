package palyra.skills.internal.host.fakes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.WasmStop;

/** A module's memory: one array. */
public final class FakeMemory implements GuestMemory {
    private final byte[] bytes;

    /** Creates one of so many bytes. */
    public FakeMemory(int size) {
        bytes = new byte[size];
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public byte[] read(int address, int length, int most) {
        require(address, Integer.toUnsignedLong(length));
        if (Integer.compareUnsigned(length, most) > 0) {
            throw new WasmStop(WasmEnding.TRAPPED, "too long");
        }
        return Arrays.copyOfRange(bytes, address, address + length);
    }

    private void require(int address, long length) {
        if (Integer.toUnsignedLong(address) + length > bytes.length) {
            throw new WasmStop(WasmEnding.TRAPPED, "outside");
        }
    }

    @Override
    public void write(int address, byte[] content) {
        require(address, content.length);
        System.arraycopy(content, 0, bytes, address, content.length);
    }

    /** Writes text and returns its length in bytes. */
    public int text(int address, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        write(address, utf8);
        return utf8.length;
    }

    /** Returns text. */
    public String text(int address, int length) {
        return new String(read(address, length, Integer.MAX_VALUE), StandardCharsets.UTF_8);
    }
}
