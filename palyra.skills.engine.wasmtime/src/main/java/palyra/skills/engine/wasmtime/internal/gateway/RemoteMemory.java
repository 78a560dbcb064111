package palyra.skills.engine.wasmtime.internal.gateway;

import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages.Piece;

/** The memory of a module in the worker, during one host function. */
final class RemoteMemory implements GuestMemory {
    private static final byte[] EMPTY = new byte[0];
    private static final long UNSIGNED = 0xffff_ffffL;

    private final RemoteCall call;
    private final long size;

    RemoteMemory(RemoteCall call, long size) {
        this.call = call;
        this.size = size;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public byte[] read(int address, int length, int most) {
        long wanted = length & UNSIGNED;
        if (wanted > most) {
            throw new RemoteTrap(
                    "a host function was given "
                            + wanted
                            + " bytes; at most "
                            + most
                            + " are taken");
        }
        check(address, wanted);
        return call.access(Kind.READ, new Piece(address, length, EMPTY));
    }

    @Override
    public void write(int address, byte[] bytes) {
        check(address, bytes.length);
        call.access(Kind.WRITE, new Piece(address, bytes.length, bytes));
    }

    private void check(int address, long length) {
        if ((address & UNSIGNED) + length > size) {
            throw new RemoteTrap(
                    "a host function was given "
                            + length
                            + " bytes at address "
                            + (address & UNSIGNED)
                            + " of a memory of "
                            + size
                            + " bytes");
        }
    }
}
