package palyra.lib.cedar.internal.engine;

import com.cedarpolicy.BasicAuthorizationEngine;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.model.schema.Schema;

/**
 * The native library, loaded at most once for each copy of this bundle. An installation has it as a
 * file. Elsewhere, and for a second copy of this bundle in one process, {@code System.loadLibrary}
 * asks the class loader of this class: in the framework that is Bundle-NativeCode, which unpacks
 * it.
 */
final class NativeLibrary {
    private static final String NAME = "cedar_java_ffi";
    private static final String LANGUAGE = "4.";

    /** The system property in which the launcher names the file. */
    static final String FILE = "palyra.lib.cedar.library";

    /** The native stores refuse beyond this; the service has its own, much lower limit. */
    private static final int STORE_LIMIT = 1 << 24;

    private final String reason;
    private final String languageVersion;

    private NativeLibrary(String reason, String languageVersion) {
        this.reason = reason;
        this.languageVersion = languageVersion;
    }

    /** Loads the library, or says why it cannot be. */
    static NativeLibrary load() {
        String file = System.getProperty(FILE);
        return file == null ? load(NAME) : load(NAME, file);
    }

    static NativeLibrary load(String name) {
        return loaded(() -> System.loadLibrary(name));
    }

    static NativeLibrary load(String name, String file) {
        return loaded(
                () -> {
                    try {
                        System.load(file);
                    } catch (UnsatisfiedLinkError e) {
                        // another copy of this bundle has it: the JVM lends a file to one alone
                        System.loadLibrary(name);
                    }
                });
    }

    private static NativeLibrary loaded(Runnable loading) {
        try {
            loading.run();
            String version = BasicAuthorizationEngine.getCedarJNIVersion();
            if (version == null || !version.startsWith(LANGUAGE)) {
                return missing("it speaks Cedar " + version + ", not " + LANGUAGE + "x");
            }
            PolicySet.setCacheMaxPolicySets(STORE_LIMIT);
            Schema.setCacheMaxSchemas(STORE_LIMIT);
            return new NativeLibrary("", version);
        } catch (LinkageError | SecurityException e) {
            return missing(String.valueOf(e.getMessage()));
        }
    }

    private static NativeLibrary missing(String why) {
        return new NativeLibrary(
                "The native Cedar library could not be loaded on "
                        + System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.arch")
                        + ": "
                        + why
                        + ". Linux needs glibc; there are libraries for Linux and macOS on x86_64"
                        + " and aarch64 and for Windows on x86_64.",
                "");
    }

    boolean available() {
        return reason.isEmpty();
    }

    /** Why it is not available; empty when it is. */
    String reason() {
        return reason;
    }

    String languageVersion() {
        return languageVersion;
    }
}
