package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import java.util.List;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/**
 * The list of handles that a new process inherits: only these, even if other handles of the gateway
 * are inheritable. Close it after the process was made.
 */
final class AttributeList implements AutoCloseable {
    private final Kernel32 kernel;
    private final Memory list;
    private final Memory handles;

    private AttributeList(Kernel32 kernel, Memory list, Memory handles) {
        this.kernel = kernel;
        this.list = list;
        this.handles = handles;
    }

    /** Makes a list; no handle twice, which Windows refuses. */
    static AttributeList of(Kernel32 kernel, List<Pointer> inherited) {
        LongByReference size = new LongByReference();
        kernel.InitializeProcThreadAttributeList(null, 1, 0, size); // fails, and says the size
        if (size.getValue() <= 0) {
            throw Failures.of(kernel, "InitializeProcThreadAttributeList");
        }
        Memory list = new Memory(size.getValue());
        if (!kernel.InitializeProcThreadAttributeList(list, 1, 0, size)) {
            RuntimeException failure = Failures.of(kernel, "InitializeProcThreadAttributeList");
            list.close();
            throw failure;
        }
        Memory handles = new Memory((long) inherited.size() * Native.POINTER_SIZE);
        for (int i = 0; i < inherited.size(); i++) {
            handles.setPointer((long) i * Native.POINTER_SIZE, inherited.get(i));
        }
        AttributeList made = new AttributeList(kernel, list, handles);
        if (!kernel.UpdateProcThreadAttribute(
                list,
                0,
                Kernel32.PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                handles,
                handles.size(),
                null,
                null)) {
            RuntimeException failure = Failures.of(kernel, "UpdateProcThreadAttribute");
            made.close();
            throw failure;
        }
        return made;
    }

    /** Returns the list for STARTUPINFOEXW. */
    Pointer pointer() {
        return list;
    }

    @Override
    public void close() {
        kernel.DeleteProcThreadAttributeList(list);
        list.close();
        handles.close();
    }
}
