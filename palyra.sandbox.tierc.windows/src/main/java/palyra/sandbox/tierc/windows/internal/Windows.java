package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;
import palyra.sandbox.tierc.windows.internal.win.Shell32;

/**
 * The Windows host.
 *
 * @param kernel its functions; absent when it is something else
 * @param problem one sentence, why its functions are missing; empty when they exist
 * @param administrator whether the gateway has an administrator's rights
 * @param root folder of Windows, such as {@code C:\Windows}
 * @param version version of Windows
 */
record Windows(
        Optional<Kernel32> kernel,
        String problem,
        BooleanSupplier administrator,
        String root,
        String version) {
    /** Looks at this host. */
    static Windows here() {
        if (!Platform.isWindows()) {
            return none("This host runs " + System.getProperty("os.name") + ", not Windows.");
        }
        if (Native.POINTER_SIZE != 8) {
            return none("This JVM has 32 bits, and the structures are those of 64-bit Windows.");
        }
        try {
            Shell32 shell = Shell32.load();
            return new Windows(
                    Optional.of(Kernel32.load()),
                    "",
                    shell::IsUserAnAdmin,
                    System.getenv().getOrDefault("SystemRoot", "C:\\Windows"),
                    System.getProperty("os.version"));
        } catch (LinkageError e) {
            return none("The functions of Windows cannot be loaded: " + e.getMessage() + ".");
        }
    }

    private static Windows none(String problem) {
        return new Windows(Optional.empty(), problem, () -> false, "", "");
    }

    /** Returns the variables that programs of Windows need, and no more. */
    Map<String, String> variables(String scratch) {
        return Map.of(
                "SystemRoot", root,
                "windir", root,
                "PATH", root + "\\System32;" + root,
                "PATHEXT", ".EXE",
                "TEMP", scratch,
                "TMP", scratch,
                "USERPROFILE", scratch,
                "HOME", scratch);
    }
}
