package palyra.skills.internal.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.ledger.LedgerRows;
import palyra.skills.internal.trust.TrustRules;

/**
 * Reads an installed version and checks it as a whole. The file is read and its digest taken every
 * time; what follows from the bytes alone (format, manifest, signature) is remembered by digest;
 * trust and revocations are looked up every time. Thread-safe.
 */
public final class ArtifactVerifier {
    private static final long MAX_REMEMBERED = 96L << 20;

    private final ArtifactFiles files;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, Artifact> remembered =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by lock
    private long bytes; // guarded by lock

    /** Verifies the artifacts in this folder. */
    public ArtifactVerifier(ArtifactFiles files) {
        this.files = files;
    }

    /**
     * Returns the artifact of a version that is recorded.
     *
     * @throws RefusedException with the reason why it must not be used
     */
    public Artifact check(LedgerRows rows, SkillRecord record) {
        String sha256 = record.origin().artifactSha256();
        byte[] file = files.read(sha256);
        Artifact artifact = verified(sha256, file);
        if (!artifact.manifest().id().equals(record.id())
                || !artifact.manifest().publisher().equals(record.origin().publisher())
                || !artifact.signature().payloadSha256().equals(record.origin().payloadSha256())
                || !artifact.signature().publicKeyHex().equals(record.origin().keyHex())) {
            throw new RefusedException(
                    "artifact_changed",
                    "The artifact differs from the one that was recorded for " + record.id() + ".");
        }
        TrustRules.decide(rows, artifact, false, false);
        return artifact;
    }

    private Artifact verified(String sha256, byte[] file) {
        lock.lock();
        try {
            Artifact known = remembered.get(sha256);
            if (known != null) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        Artifact artifact = Artifact.verify(file);
        lock.lock();
        try {
            if (remembered.put(sha256, artifact) == null) {
                bytes += cachedBytes(artifact);
            }
            var oldest = remembered.entrySet().iterator();
            while (bytes > MAX_REMEMBERED && remembered.size() > 1) {
                Map.Entry<String, Artifact> entry = oldest.next();
                bytes -= cachedBytes(entry.getValue());
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
        return artifact;
    }

    private static long cachedBytes(Artifact artifact) {
        return artifact.entries().values().stream().mapToLong(each -> each.length).sum();
    }
}
