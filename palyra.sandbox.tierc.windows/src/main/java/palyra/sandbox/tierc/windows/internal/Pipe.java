package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Pointer;
import com.sun.jna.WString;
import com.sun.jna.ptr.PointerByReference;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/**
 * A pipe between the gateway and a process, or the null device in its place.
 *
 * @param ours the gateway's end, never inherited; null for the null device
 * @param theirs the process's end
 */
record Pipe(Handle ours, Handle theirs) implements AutoCloseable {
    /** Makes a pipe that the process reads. */
    static Pipe input(Kernel32 kernel) {
        return make(kernel, true);
    }

    /** Makes a pipe that the process writes. */
    static Pipe output(Kernel32 kernel) {
        return make(kernel, false);
    }

    private static Pipe make(Kernel32 kernel, boolean theyRead) {
        PointerByReference read = new PointerByReference();
        PointerByReference write = new PointerByReference();
        if (!kernel.CreatePipe(read, write, null, 0)) {
            throw Failures.of(kernel, "CreatePipe");
        }
        Handle reading = new Handle(kernel, read.getValue());
        Handle writing = new Handle(kernel, write.getValue());
        return inherited(
                kernel, theyRead ? new Pipe(writing, reading) : new Pipe(reading, writing));
    }

    /** Opens the null device for reading. */
    static Pipe nothing(Kernel32 kernel) {
        Pointer opened =
                kernel.CreateFileW(
                        new WString("NUL"),
                        Kernel32.GENERIC_READ,
                        Kernel32.FILE_SHARE_READ_WRITE,
                        null,
                        Kernel32.OPEN_EXISTING,
                        0,
                        null);
        if (opened == null || opened.equals(Kernel32.INVALID_HANDLE_VALUE)) {
            throw Failures.of(kernel, "CreateFileW NUL");
        }
        return inherited(kernel, new Pipe(null, new Handle(kernel, opened)));
    }

    private static Pipe inherited(Kernel32 kernel, Pipe pipe) {
        int inherit = Kernel32.HANDLE_FLAG_INHERIT;
        if (!kernel.SetHandleInformation(pipe.theirs.value(), inherit, inherit)) {
            RuntimeException failure = Failures.of(kernel, "SetHandleInformation");
            pipe.close();
            throw failure;
        }
        return pipe;
    }

    @Override
    public void close() {
        theirs.close();
        if (ours != null) {
            ours.close();
        }
    }
}
