package palyra.deploy.internal;

import java.util.Optional;

/**
 * One change of the installed bundles.
 *
 * @param kind kind of change
 * @param symbolicName name of the bundle
 * @param file file that causes it
 * @param wanted the jar to install; only for PUT
 * @param pin pin that trusts it; empty for a removal
 * @param before the last good state, which may be restored; empty without one
 * @param reason reason, for users
 */
record Change(
        Kind kind,
        String symbolicName,
        String file,
        Optional<JarFacts> wanted,
        String pin,
        Optional<DeployedBundle> before,
        String reason) {
    /** Kind of a change. */
    enum Kind {
        /** Installs a jar: a new bundle, or new content of one. */
        PUT,
        /** Restores the last good jar from the copy. */
        RESTORE,
        /** Uninstalls a bundle. */
        REMOVE
    }

    /** Describes the change for users. */
    String title() {
        String verb = kind == Kind.REMOVE ? "uninstalling " : "installing ";
        return verb + symbolicName + (file.isEmpty() ? "" : " (" + file + ")");
    }

    static Change put(
            String file,
            JarFacts wanted,
            String pin,
            Optional<DeployedBundle> before,
            String reason) {
        return new Change(
                Kind.PUT, wanted.symbolicName(), file, Optional.of(wanted), pin, before, reason);
    }

    static Change restore(DeployedBundle good, PinSet pins) {
        String pin =
                pins.covering(good.sha256(), good.signers())
                        .map(entry -> entry.pin().toString())
                        .orElse("");
        return new Change(
                Kind.RESTORE,
                good.symbolicName(),
                good.file(),
                Optional.empty(),
                pin,
                Optional.of(good),
                "the current content of its file does not work");
    }

    static Change remove(String symbolicName, String file, String reason) {
        return new Change(
                Kind.REMOVE, symbolicName, file, Optional.empty(), "", Optional.empty(), reason);
    }
}
