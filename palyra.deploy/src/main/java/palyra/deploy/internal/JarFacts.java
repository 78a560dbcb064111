package palyra.deploy.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import org.osgi.framework.Version;

/**
 * Properties of a jar, read from the copy.
 *
 * @param jar the copy
 * @param sha256 digest of its bytes, lower-case hex
 * @param sizeBytes its size
 * @param headers main attributes of its manifest; not to be changed
 * @param symbolicName its name without directives
 * @param version its version
 * @param signers signers of all of it, by the digest of their certificate
 * @param signatureLack why it has no such signer, for a message; empty when it has one
 */
record JarFacts(
        Path jar,
        String sha256,
        long sizeBytes,
        Attributes headers,
        String symbolicName,
        Version version,
        Map<String, Signatures.Signer> signers,
        String signatureLack) {
    JarFacts {
        signers = Map.copyOf(signers);
    }

    /** Returns its name in messages. */
    String title() {
        return symbolicName + " " + version;
    }
}
