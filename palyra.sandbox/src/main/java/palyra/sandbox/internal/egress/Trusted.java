package palyra.sandbox.internal.egress;

import java.nio.file.Path;
import java.util.Optional;
import palyra.api.PalyraException;

/**
 * The certificates that the client trusts, and the problem of the configured file. An unusable file adds no certificates: servers that need them are refused.
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
