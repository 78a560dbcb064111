package palyra.sandbox.tierc.windows.internal.win;

import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;

/** {@code PROCESS_INFORMATION} of {@code processthreadsapi.h} on 64-bit Windows: 24 bytes. */
@FieldOrder({"hProcess", "hThread", "dwProcessId", "dwThreadId"})
public class ProcessInformation extends Structure {
    /** The process. */
    public Pointer hProcess;

    /** Its first thread. */
    public Pointer hThread;

    /** Its id. */
    public int dwProcessId;

    /** Id of its first thread. */
    public int dwThreadId;

    /** Returns the offset of a field in bytes. */
    public int offset(String field) {
        return fieldOffset(field);
    }
}
