package palyra.deploy.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import org.osgi.framework.Version;

/**
 * What a jar is, as read from our own copy of it.
 *
 * @param jar the copy
 * @param sha256 digest of its bytes, lower-case hex
 * @param sizeBytes its size
 * @param headers main attributes of its manifest; not to be changed
 * @param symbolicName its name without directives
 * @param version its version
 * @param signers who signed all of it, by the digest of their certificate
 * @param signatureLack why nobody did, for a sentence; empty when somebody did
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

    /** Returns how it is called in sentences. */
    String title() {
        return symbolicName + " " + version;
    }
}
