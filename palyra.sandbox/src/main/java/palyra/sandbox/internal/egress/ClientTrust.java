package palyra.sandbox.internal.egress;

import java.nio.file.Path;
import java.util.Optional;
import palyra.api.PalyraException;

/**
 * The certificates that the client trusts, and the problem of the configured file. An unusable file
 * adds no certificates: servers that need them are refused.
 *
 * @param problem one sentence; empty when all is well
 */
record ClientTrust(Tls tls, Optional<String> problem) {
    static ClientTrust from(String extraCaFile) {
        if (extraCaFile.isEmpty()) {
            return new ClientTrust(Tls.ofThePlatform(), Optional.empty());
        }
        try {
            return new ClientTrust(Tls.withAuthorities(Path.of(extraCaFile)), Optional.empty());
        } catch (PalyraException e) {
            return new ClientTrust(Tls.ofThePlatform(), Optional.of(e.getMessage()));
        }
    }
}
