package palyra.sandbox.tierc.windows.internal.win;

import com.sun.jna.Native;
import com.sun.jna.win32.StdCallLibrary;

/** The one function of {@code shell32.dll} that is needed. */
public interface Shell32 extends StdCallLibrary {
    /** Returns whether this process has the rights of an administrator in force. */
    boolean IsUserAnAdmin();

    /** Loads the function; UnsatisfiedLinkError anywhere but on Windows. */
    static Shell32 load() {
        return Native.load("shell32", Shell32.class);
    }
}
