package palyra.deploy.internal;

import java.util.Optional;

/**
 * One change of the bundles that the folder asks for.
 *
 * @param kind what is to happen
 * @param symbolicName to which bundle
 * @param file because of which file
 * @param wanted the jar to put in; only for PUT
 * @param pin what it is trusted by; empty for a removal
 * @param before what is known to be good so far and may be put back; empty when nothing is
 * @param reason why, for people
 */
record Change(
        Kind kind,
        String symbolicName,
        String file,
        Optional<JarFacts> wanted,
        String pin,
        Optional<Deployed> before,
        String reason) {
    /** What is to happen. */
    enum Kind {
        /** A jar is put in: a new bundle, or another content of one. */
        PUT,
        /** What was known to be good is put in from our copy. */
        RESTORE,
        /** A bundle is taken out. */
        REMOVE
    }

    /** Returns what is done, for people. */
    String title() {
        String verb = kind == Kind.REMOVE ? "taking out " : "putting in ";
        return verb + symbolicName + (file.isEmpty() ? "" : " (" + file + ")");
    }

    static Change put(
            String file, JarFacts wanted, String pin, Optional<Deployed> before, String reason) {
        return new Change(
                Kind.PUT, wanted.symbolicName(), file, Optional.of(wanted), pin, before, reason);
    }

    static Change restore(Deployed good, PinSet pins) {
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
                "what its file holds now does not work");
    }

    static Change remove(String symbolicName, String file, String reason) {
        return new Change(
                Kind.REMOVE, symbolicName, file, Optional.empty(), "", Optional.empty(), reason);
    }
}
