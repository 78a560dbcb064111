package palyra.lib.cedar.internal.engine;

import com.cedarpolicy.BasicAuthorizationEngine;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.model.schema.Schema;

/**
 * The native library, loaded at most once for each copy of this bundle. {@code System.loadLibrary}
 * asks the class loader of this class: in the framework that is Bundle-NativeCode.
 */
final class NativeLibrary {
    private static final String NAME = "cedar_java_ffi";
    private static final String LANGUAGE = "4.";

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
        return load(NAME);
    }

    static NativeLibrary load(String name) {
        try {
            System.loadLibrary(name);
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
