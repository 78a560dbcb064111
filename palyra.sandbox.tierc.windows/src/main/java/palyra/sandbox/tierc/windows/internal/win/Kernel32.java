package palyra.sandbox.tierc.windows.internal.win;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.WString;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import com.sun.jna.win32.StdCallLibrary;

/**
 * Functions of {@code kernel32.dll}, as the SDK documents them. Handles are pointers; a function
 * that fails returns false, null or the documented value, and {@link #lastError} returns the reason
 * on the same thread.
 */
public interface Kernel32 extends StdCallLibrary {
    /** Returned by CreateFileW when it fails. */
    Pointer INVALID_HANDLE_VALUE = Pointer.createConstant(-1L);

    /** CREATE_SUSPENDED. */
    int CREATE_SUSPENDED = 0x4;

    /** CREATE_UNICODE_ENVIRONMENT. */
    int CREATE_UNICODE_ENVIRONMENT = 0x400;

    /** EXTENDED_STARTUPINFO_PRESENT. */
    int EXTENDED_STARTUPINFO_PRESENT = 0x0008_0000;

    /** CREATE_NO_WINDOW. */
    int CREATE_NO_WINDOW = 0x0800_0000;

    /** STARTF_USESTDHANDLES. */
    int STARTF_USESTDHANDLES = 0x100;

    /** PROC_THREAD_ATTRIBUTE_HANDLE_LIST. */
    long PROC_THREAD_ATTRIBUTE_HANDLE_LIST = 0x0002_0002L;

    /** HANDLE_FLAG_INHERIT. */
    int HANDLE_FLAG_INHERIT = 1;

    /** WAIT_OBJECT_0. */
    int WAIT_OBJECT_0 = 0;

    /** WAIT_TIMEOUT. */
    int WAIT_TIMEOUT = 0x102;

    /** GENERIC_READ. */
    int GENERIC_READ = 0x8000_0000;

    /** FILE_SHARE_READ and FILE_SHARE_WRITE. */
    int FILE_SHARE_READ_WRITE = 3;

    /** OPEN_EXISTING. */
    int OPEN_EXISTING = 3;

    /** ERROR_FILE_NOT_FOUND. */
    int ERROR_FILE_NOT_FOUND = 2;

    /** ERROR_PATH_NOT_FOUND. */
    int ERROR_PATH_NOT_FOUND = 3;

    /** ERROR_NOT_ENOUGH_MEMORY. */
    int ERROR_NOT_ENOUGH_MEMORY = 8;

    /** ERROR_BROKEN_PIPE. */
    int ERROR_BROKEN_PIPE = 109;

    /** ERROR_BAD_EXE_FORMAT. */
    int ERROR_BAD_EXE_FORMAT = 193;

    /** ERROR_NO_SYSTEM_RESOURCES. */
    int ERROR_NO_SYSTEM_RESOURCES = 1450;

    /** ERROR_NOT_ENOUGH_QUOTA. */
    int ERROR_NOT_ENOUGH_QUOTA = 1816;

    Pointer CreateJobObjectW(Pointer attributes, WString name);

    boolean SetInformationJobObject(Pointer job, int informationClass, Pointer info, int length);

    boolean QueryInformationJobObject(
            Pointer job, int informationClass, Pointer info, int length, IntByReference returned);

    boolean AssignProcessToJobObject(Pointer job, Pointer process);

    boolean TerminateJobObject(Pointer job, int exitCode);

    boolean CreatePipe(
            PointerByReference read, PointerByReference write, Pointer attributes, int size);

    boolean SetHandleInformation(Pointer handle, int mask, int flags);

    Pointer CreateFileW(
            WString name,
            int access,
            int share,
            Pointer attributes,
            int disposition,
            int flags,
            Pointer template);

    boolean InitializeProcThreadAttributeList(
            Pointer list, int count, int flags, LongByReference size);

    boolean UpdateProcThreadAttribute(
            Pointer list,
            int flags,
            long attribute,
            Pointer value,
            long size,
            Pointer previous,
            Pointer returned);

    void DeleteProcThreadAttributeList(Pointer list);

    boolean CreateProcessW(
            WString application,
            Pointer commandLine,
            Pointer processAttributes,
            Pointer threadAttributes,
            boolean inheritHandles,
            int flags,
            Pointer environment,
            WString folder,
            Pointer startupInfo,
            Pointer processInformation);

    int ResumeThread(Pointer thread);

    boolean TerminateProcess(Pointer process, int exitCode);

    int WaitForSingleObject(Pointer handle, int millis);

    boolean GetExitCodeProcess(Pointer process, IntByReference exitCode);

    boolean ReadFile(
            Pointer file, byte[] buffer, int length, IntByReference read, Pointer overlapped);

    boolean WriteFile(
            Pointer file, byte[] buffer, int length, IntByReference written, Pointer overlapped);

    boolean CloseHandle(Pointer handle);

    /** Returns why the last function failed on this thread, as GetLastError would. */
    default int lastError() {
        return Native.getLastError();
    }

    /** Loads the functions; UnsatisfiedLinkError anywhere but on Windows. */
    static Kernel32 load() {
        return Native.load("kernel32", Kernel32.class);
    }
}
