package palyra.sandbox.internal.egress;

import java.nio.file.Path;
import java.util.Optional;
import palyra.api.PalyraException;

/**
 * Whom the client trusts, with what is wrong with the configured file. A file that cannot be used
 * adds nobody: servers that need it are refused.
 *
 * @param problem one sentence; empty when all is well
 */
record Trusted(Tls tls, Optional<String> problem) {
    static Trusted from(String extraCaFile) {
        if (extraCaFile.isEmpty()) {
            return new Trusted(Tls.ofThePlatform(), Optional.empty());
        }
        try {
            return new Trusted(Tls.withAuthorities(Path.of(extraCaFile)), Optional.empty());
        } catch (PalyraException e) {
            return new Trusted(Tls.ofThePlatform(), Optional.of(e.getMessage()));
        }
    }
}
