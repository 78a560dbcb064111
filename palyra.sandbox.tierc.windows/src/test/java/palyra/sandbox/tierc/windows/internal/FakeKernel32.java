package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Pointer;
import com.sun.jna.WString;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/** Windows as a test wants it: counts handles, and fails at the call that a test names. */
final class FakeKernel32 implements Kernel32 {
    static final int ATTRIBUTE_LIST_BYTES = 48;

    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final Map<Long, String> open = new ConcurrentHashMap<>();
    final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Integer> inherited = new HashMap<>();

    /** Number of the call, counted from 0, that fails; -1 for none. */
    int failAt = -1;

    int error = 5;
    int lists;
    int exitCode;
    int suspendCount = 1;
    volatile boolean running = true;
    int selfTestCode;
    int counted = 1;
    volatile boolean mortal = true;
    volatile int active = 1;
    byte[] output = {};
    int flags;
    String line;
    String environment;
    String folder;
    String program;
    final Map<String, Long> limits = new HashMap<>();

    private long next = 0x100;
    private int count;
    private int outputAt;

    private boolean fails(String name) {
        calls.add(name);
        return count++ == failAt;
    }

    private Pointer handle(String what) {
        next += 4;
        open.put(next, what);
        return Pointer.createConstant(next);
    }

    private String known(Pointer handle) {
        String what = open.get(Pointer.nativeValue(handle));
        if (what == null) {
            wrong.add("a handle that is not open was used: " + handle);
        }
        return what;
    }

    private boolean isSelfTest() {
        return program != null && program.endsWith("hostname.exe");
    }

    @Override
    public int lastError() {
        return error;
    }

    @Override
    public Pointer CreateJobObjectW(Pointer attributes, WString name) {
        return fails("CreateJobObjectW") ? null : handle("job");
    }

    @Override
    public boolean SetInformationJobObject(
            Pointer job, int informationClass, Pointer info, int length) {
        if (fails("SetInformationJobObject " + informationClass + " " + length)) {
            return false;
        }
        known(job);
        if (informationClass == 9) {
            limits.put("time", info.getLong(8));
            limits.put("flags", (long) info.getInt(16));
            limits.put("processes", (long) info.getInt(40));
            limits.put("processMemory", info.getLong(112));
            limits.put("jobMemory", info.getLong(120));
        } else {
            limits.put("ui", (long) info.getInt(0));
        }
        return true;
    }

    @Override
    public boolean QueryInformationJobObject(
            Pointer job, int informationClass, Pointer info, int length, IntByReference returned) {
        if (fails("QueryInformationJobObject " + informationClass)) {
            return false;
        }
        known(job);
        if (informationClass == 1) {
            info.setLong(0, 20_000_000);
            info.setLong(8, 10_000_000);
            info.setInt(36, counted);
            info.setInt(40, active);
        } else {
            info.setLong(136, 77L << 20);
        }
        return true;
    }

    @Override
    public boolean AssignProcessToJobObject(Pointer job, Pointer process) {
        if (fails("AssignProcessToJobObject")) {
            return false;
        }
        known(job);
        known(process);
        return true;
    }

    @Override
    public boolean TerminateJobObject(Pointer job, int code) {
        if (fails("TerminateJobObject " + code)) {
            return false;
        }
        known(job);
        if (mortal) {
            active = 0;
        }
        if (mortal && !isSelfTest()) {
            running = false;
            exitCode = code;
        }
        return true;
    }

    @Override
    public boolean CreatePipe(
            PointerByReference read, PointerByReference write, Pointer attributes, int size) {
        if (fails("CreatePipe")) {
            return false;
        }
        read.setValue(handle("read"));
        write.setValue(handle("write"));
        return true;
    }

    @Override
    public boolean SetHandleInformation(Pointer handle, int mask, int value) {
        if (fails("SetHandleInformation " + mask + " " + value)) {
            return false;
        }
        inherited.merge(known(handle), 1, Integer::sum);
        return true;
    }

    @Override
    public Pointer CreateFileW(
            WString name,
            int access,
            int share,
            Pointer attributes,
            int disposition,
            int fileFlags,
            Pointer template) {
        return fails("CreateFileW " + name) ? INVALID_HANDLE_VALUE : handle("nul");
    }

    @Override
    public boolean InitializeProcThreadAttributeList(
            Pointer list, int attributes, int listFlags, LongByReference size) {
        if (list == null) {
            calls.add("InitializeProcThreadAttributeList size");
            size.setValue(ATTRIBUTE_LIST_BYTES);
            return false;
        }
        if (fails("InitializeProcThreadAttributeList " + attributes)) {
            return false;
        }
        lists++;
        return true;
    }

    @Override
    public boolean UpdateProcThreadAttribute(
            Pointer list,
            int listFlags,
            long attribute,
            Pointer value,
            long size,
            Pointer previous,
            Pointer returned) {
        if (fails("UpdateProcThreadAttribute " + Long.toHexString(attribute) + " " + size)) {
            return false;
        }
        for (long at = 0; at < size; at += 8) {
            known(value.getPointer(at));
        }
        return true;
    }

    @Override
    public void DeleteProcThreadAttributeList(Pointer list) {
        calls.add("DeleteProcThreadAttributeList");
        lists--;
    }

    @Override
    public boolean CreateProcessW(
            WString application,
            Pointer commandLine,
            Pointer processAttributes,
            Pointer threadAttributes,
            boolean inheritHandles,
            int creationFlags,
            Pointer block,
            WString startFolder,
            Pointer startupInfo,
            Pointer processInformation) {
        if (fails("CreateProcessW")) {
            return false;
        }
        program = application.toString();
        active = 1;
        folder = startFolder.toString();
        flags = creationFlags;
        line = text(commandLine, 1);
        environment = text(block, 2);
        if (startupInfo.getInt(0) != 112 || startupInfo.getInt(60) != STARTF_USESTDHANDLES) {
            wrong.add("the startup information is not one");
        }
        for (int offset = 80; offset <= 96; offset += 8) {
            known(startupInfo.getPointer(offset));
        }
        if (lists != 1 || startupInfo.getPointer(104) == null || !inheritHandles) {
            wrong.add("no list of handles");
        }
        processInformation.setPointer(0, handle("process"));
        processInformation.setPointer(8, handle("thread"));
        processInformation.setInt(16, 4_711);
        return true;
    }

    /** Reads UTF-16 up to so many NULs in a row. */
    private static String text(Pointer from, int nuls) {
        StringBuilder text = new StringBuilder();
        int seen = 0;
        for (long at = 0; seen < nuls; at += 2) {
            byte[] two = from.getByteArray(at, 2);
            String character = new String(two, StandardCharsets.UTF_16LE);
            seen = character.equals("\0") ? seen + 1 : 0;
            text.append(character);
        }
        return text.substring(0, text.length() - nuls);
    }

    @Override
    public int ResumeThread(Pointer thread) {
        if (fails("ResumeThread")) {
            return -1;
        }
        known(thread);
        return suspendCount;
    }

    @Override
    public boolean TerminateProcess(Pointer process, int code) {
        calls.add("TerminateProcess " + code);
        known(process);
        return true;
    }

    @Override
    public int WaitForSingleObject(Pointer handle, int millis) {
        if (fails("WaitForSingleObject")) {
            return -1;
        }
        known(handle);
        return running && !isSelfTest() ? WAIT_TIMEOUT : WAIT_OBJECT_0;
    }

    @Override
    public boolean GetExitCodeProcess(Pointer process, IntByReference code) {
        if (fails("GetExitCodeProcess")) {
            return false;
        }
        code.setValue(isSelfTest() ? selfTestCode : exitCode);
        return true;
    }

    @Override
    public boolean ReadFile(
            Pointer file, byte[] buffer, int length, IntByReference read, Pointer overlapped) {
        known(file);
        if (outputAt == output.length) {
            error = ERROR_BROKEN_PIPE;
            return false;
        }
        int some = Math.min(length, Math.min(3, output.length - outputAt));
        System.arraycopy(output, outputAt, buffer, 0, some);
        outputAt += some;
        read.setValue(some);
        return true;
    }

    @Override
    public boolean WriteFile(
            Pointer file, byte[] buffer, int length, IntByReference written, Pointer overlapped) {
        if (fails("WriteFile")) {
            return false;
        }
        known(file);
        int some = Math.min(length, 2);
        calls.add("written " + new String(buffer, 0, some, StandardCharsets.US_ASCII));
        written.setValue(some);
        return true;
    }

    @Override
    public boolean CloseHandle(Pointer handle) {
        String what = open.remove(Pointer.nativeValue(handle));
        calls.add("CloseHandle " + what);
        if (what == null) {
            wrong.add("a handle was closed twice, or never open: " + handle);
        }
        return true;
    }
}
